import type { QueueEntry } from '#contract/queue.ts';
import { createStore, useStore } from '#web/kit/store.ts';

/** A message of a sample's conversation. `invite`, `reinvite` and `forms` are the product's own texts. */
export interface SampleMessage {
  from: 'office' | 'patient';
  kind: 'invite' | 'reinvite' | 'forms' | 'message' | 'on-my-way' | 'thanks';
  /** Only of a message that the desk wrote. */
  body?: string;
  at: string;
}

export interface SamplePatient {
  visit: QueueEntry;
  messages: readonly SampleMessage[];
  /** Of its forms; 0 when all are done. */
  missingForms: number;
}

export interface SampleQueue {
  /** The office they practice in; another office has none. */
  officeId: string;
  patients: readonly SamplePatient[];
  selectedId: string | undefined;
}

/** The tab's sample patients. Their behavior is in sample-queue.ts, which is loaded with their screen. */
export const samplesOfTab = createStore<SampleQueue | null>(null);

/** Returns the pane to the day, as Escape does for a real patient. */
export function selectNoSample(): void {
  const samples = samplesOfTab.get();
  if (samples?.selectedId !== undefined) samplesOfTab.set({ ...samples, selectedId: undefined });
}

/** The sample patients of an office; null if there are none. */
export function useSampleQueue(officeId: string | undefined): SampleQueue | null {
  const samples = useStore(samplesOfTab);
  return samples?.officeId === officeId ? samples : null;
}
