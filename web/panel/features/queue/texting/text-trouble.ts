import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { needsReview } from '#web/panel/features/queue/forms/forms-to-review.ts';

/** The newest text failed, a limit held it back, or its delivery is unknown. */
export function textFailed({ lastMessageState, lastTextProblem }: QueueEntry): boolean {
  const isLimited = lastMessageState === 'held' && lastTextProblem !== null;
  return lastMessageState === 'failed' || lastMessageState === 'unknown' || isLimited;
}

/** The number gets no texts, and the newest text does not say so already. */
export function isBlocked(visit: QueueEntry): boolean {
  if (visit.textBlock === null || isHistory(visit.statusCode)) return false;
  return !(textFailed(visit) && visit.lastTextProblem === visit.textBlock);
}

/** Whether the card has a line for what the desk has to see: a message, a question, or a text that did not arrive. */
export function hasNews(visit: QueueEntry): boolean {
  const { unreadMessages, stillWaitingAt } = visit;
  return unreadMessages > 0 || stillWaitingAt !== null || needsReview(visit) || textFailed(visit) || isBlocked(visit);
}
