import type { ReactNode } from 'react';
import { createStore, useStore } from '#web/kit/store.ts';
import type { Tone } from './status-badge.tsx';

export interface Toast {
  title: ReactNode;
  text?: ReactNode;
  /** Whom it is about, on a line of its own, where the title and the text do not say it. */
  name?: ReactNode;
  tone?: Tone;
  /** How long it stays unless the pointer is on it; 5 by default. */
  seconds?: number;
  /** One action, such as Undo. It must also be possible elsewhere. */
  action?: { label: ReactNode; run: () => void };
}

const atMost = 3;
const toasts = createStore<readonly (Toast & { id: number })[]>([]);
let lastId = 0;

/** Shows a toast and returns its id. A fourth toast replaces the oldest. */
export function toast(content: Toast): number {
  lastId += 1;
  toasts.set([...toasts.get(), { ...content, id: lastId }].slice(-atMost));
  return lastId;
}

/** Removes a toast early. */
export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((other) => other.id !== id));
}

/** Removes all toasts: behind the lock nobody may read a patient's name. */
export function clearToasts(): void {
  toasts.set([]);
}

export const useToasts = () => useStore(toasts);
