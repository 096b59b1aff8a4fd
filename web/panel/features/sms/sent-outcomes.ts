import type { OutboxState, OutboxText, SentSms } from '#contract/sms.ts';

/** What a screen that follows a text knows of it. */
export interface FollowedText extends Pick<OutboxText, 'problem' | 'limitedUntil'> {
  phone: string;
  state: OutboxState;
}

const groupOf: Record<OutboxState, 'gone' | 'bad' | 'open'> = {
  scheduled: 'open',
  sending: 'open',
  sent: 'gone',
  delivered: 'gone',
  failed: 'bad',
  stopped: 'bad',
  unknown: 'bad',
  held: 'bad',
  cancelled: 'bad',
};

/** Whether nobody has decided yet what becomes of a text. */
export const isOpen = (state: OutboxState): boolean => groupOf[state] === 'open';

/** The texts of a send that the carrier has, those that it does not, and those without an answer. */
export function groupOutcomes(texts: readonly FollowedText[]): Record<'gone' | 'bad' | 'open', FollowedText[]> {
  const { gone = [], bad = [], open = [] } = Object.groupBy(texts, ({ state }) => groupOf[state]);
  return { gone, bad, open };
}

/** The carrier usually answers within a second. */
export const followForMs = 15_000;

/** Whether a text of a send goes out later: it was scheduled, or has to wait for the end of quiet hours or for a free minute. */
export const waits = ({ lastSendAt }: Pick<SentSms, 'lastSendAt'>, now: number): boolean =>
  Date.parse(lastSendAt ?? '') > now + followForMs;
