import { isDay } from '#contract/day.ts';

/** The queue's search parameters: ids and days, never a name. */
export interface QueueAddress {
  tab?: 'history' | undefined;
  visit?: string | undefined;
  /** A day of History, YYYY-MM-DD; today when absent. */
  day?: string | undefined;
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Reads the search parameters; invalid ones are dropped. */
export function readQueueAddress({ tab, visit, day }: Record<string, unknown>): QueueAddress {
  return {
    tab: tab === 'history' ? 'history' : undefined,
    visit: typeof visit === 'string' && uuid.test(visit) ? visit : undefined,
    day: typeof day === 'string' && isDay(day) ? day : undefined,
  };
}
