import type { QueryClient } from '@tanstack/react-query';
import type { QueueEntry, TextErrorClass, TextState } from '#contract/queue.ts';
import type { SmsCheckin } from '#contract/sms-checkin.ts';

export interface FollowedText {
  id: string;
  state: TextState;
  problem: TextErrorClass | null;
}

/** The carrier usually answers within a second; until then nothing is said. */
export const showSendingAfterMs = 1_500;
const giveUpAfterMs = 60_000;

const isDecided = ({ state }: FollowedText) => state !== 'queued' && state !== 'sending';

/**
 * Waits until the lists on screen say what became of a text; push and poll keep them up to date. Null: a newer text of the visit
 * took its place there, or a minute went by. What became of it then stands in the conversation.
 */
export function followText(cache: QueryClient, visitId: string, text: FollowedText): Promise<FollowedText | null> {
  if (isDecided(text)) return Promise.resolve(text);
  return new Promise((resolve) => {
    const end = (outcome: FollowedText | null) => {
      unsubscribe();
      clearTimeout(timer);
      resolve(outcome);
    };
    const look = () => {
      const newest = newestText(cache, visitId);
      // Ids are made in the order of time.
      if (!newest || newest.id < text.id) return;
      if (newest.id !== text.id) end(null);
      else if (isDecided(newest)) end(newest);
    };
    const unsubscribe = cache.getQueryCache().subscribe(look);
    const timer = setTimeout(() => end(null), giveUpAfterMs);
    look();
  });
}

function newestText(cache: QueryClient, visitId: string): FollowedText | undefined {
  const visits = cache.getQueriesData<QueueEntry[]>({ queryKey: ['queue'] }).flatMap(([, list]) => list ?? []);
  const texts = visits.filter(({ id }) => id === visitId).map(textOf);
  const expected = cache.getQueriesData<SmsCheckin[]>({ queryKey: ['expected'] }).flatMap(([, list]) => list ?? []);
  const theirs = expected.filter(({ _id }) => _id === visitId).map(({ text }) => text);
  return [...texts, ...theirs]
    .filter((text) => text !== null)
    .reduce<FollowedText | undefined>((newest, text) => (newest && newest.id > text.id ? newest : text), undefined);
}

/** The newest text of a visit; null where none was sent. */
export function textOf({ lastTextId, lastMessageState, lastTextProblem }: QueueEntry): FollowedText | null {
  return lastTextId && lastMessageState ? { id: lastTextId, state: lastMessageState, problem: lastTextProblem } : null;
}
