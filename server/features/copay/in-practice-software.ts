import type { InPracticeSoftware, Recording } from '#contract/copay.ts';
import type { RecordingRow } from './recording-sql.ts';
import type { PaymentRow } from './sql.ts';

type Amounts = Pick<PaymentRow, 'amountCents' | 'copayCents' | 'claimsCents' | 'refundedCents' | 'correctedCents'>;
type Part = Pick<RecordingRow, 'part' | 'state' | 'amountCents' | 'problem'>;

/** Sums up the parts in these states. */
export const sumOf = (parts: readonly Part[], states: readonly RecordingRow['state'][]) =>
  parts.filter(({ state }) => states.includes(state)).reduce((sum, { amountCents }) => sum + amountCents, 0);

/** What the practice software has of a payment. A part without an amount needs no entry there. */
export function inPracticeSoftware(payment: Amounts, parts: readonly Part[]): InPracticeSoftware {
  const isRecorded = (part: RecordingRow['part'], cents: number) =>
    parts.length > 0 && (cents === 0 || isComplete(parts.filter((row) => row.part === part)));
  return {
    athenaCopayRecorded: isRecorded('copay', payment.copayCents),
    athenaClaimsRecorded: isRecorded('claims', payment.claimsCents),
    recording: recordingOf(parts),
    recordingProblem: parts.find(({ state }) => state === 'refused')?.problem ?? null,
    toCorrect: centsToCorrect(payment, parts),
  };
}

const isComplete = (parts: readonly Part[]) =>
  parts.some(({ state }) => state === 'recorded') &&
  parts.every(({ state }) => state === 'recorded' || state === 'dropped');

function recordingOf(parts: readonly Part[]): Recording {
  const has = (...states: RecordingRow['state'][]) => parts.some(({ state }) => states.includes(state));
  if (has('refused')) return 'missing';
  if (has('unknown')) return 'unknown';
  if (has('due', 'sending')) return 'waiting';
  return has('recorded') ? 'recorded' : 'none';
}

/** The amount that was recorded, refunded afterwards, and not corrected in the practice software. */
export function centsToCorrect(
  { amountCents, refundedCents, correctedCents }: Amounts,
  parts: readonly Part[],
): number {
  return Math.max(0, sumOf(parts, ['recorded']) - correctedCents - (amountCents - refundedCents));
}

const sentStates = ['recorded', 'sending', 'unknown'] as const satisfies RecordingRow['state'][];

/** The amount of these parts that was sent. */
export const sentCents = (parts: readonly Part[]) => sumOf(parts, sentStates);

/** What the practice software does not have of what was not refunded: what was sent, less what staff took out there by hand, is there. */
export const notSentCents = ({ amountCents, refundedCents, correctedCents }: Amounts, parts: readonly Part[]) =>
  amountCents - refundedCents - (sentCents(parts) - correctedCents);

/** The amount left to record of each part that was not sent yet, less refunds; the copay comes first. */
export function leftToRecord<P extends Part>(payment: Amounts, parts: readonly P[]): { part: P; cents: number }[] {
  let left = notSentCents(payment, parts);
  return parts
    .filter(({ state }) => state === 'due' || state === 'refused')
    .toSorted((a, b) => Number(a.part === 'claims') - Number(b.part === 'claims'))
    .map((part) => {
      const cents = Math.max(0, Math.min(part.amountCents, left));
      left -= cents;
      return { part, cents };
    });
}
