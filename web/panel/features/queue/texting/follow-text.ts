import type { QueryClient } from '@tanstack/react-query';
import type { QueueEntry, TextProblem, TextState } from '#contract/queue.ts';
import type { SmsCheckin } from '#contract/sms-checkin.ts';

export interface FollowedText {
  id: string;
  state: TextState;
  problem: TextProblem | null;
  /** When the limit that held it back allows the next text. */
  limitedUntil: string | null;
}

/** Show "Sending…" only after this time: the carrier usually answers within a second. */
export const showSendingAfterMs = 1_500;
const giveUpAfterMs = 60_000;

const isDecided = ({ state }: FollowedText) => state !== 'queued' && state !== 'sending';

/**
 * Resolves with the outcome of a text once the cached lists show it (hints and polling refetch them). Resolves with null if a newer
 * text of the visit replaced it there, or after a minute; the conversation shows the outcome then.
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

/** The newest text of a visit; null if none was sent. */
export function textOf({
  lastTextId: id,
  lastMessageState: state,
  lastTextProblem: problem,
  lastTextLimitedUntil: limitedUntil,
}: QueueEntry): FollowedText | null {
  return id && state ? { id, state, problem, limitedUntil } : null;
}
