import type { InPracticeSoftware, Recording } from '#contract/copay.ts';
import type { RecordingRow } from './recording-sql.ts';
import type { PaymentRow } from './sql.ts';

type Amounts = Pick<PaymentRow, 'amountCents' | 'copayCents' | 'claimsCents' | 'refundedCents' | 'correctedCents'>;
type Part = Pick<RecordingRow, 'part' | 'state' | 'amountCents' | 'problem'>;

const sumOf = (parts: readonly Part[], states: readonly RecordingRow['state'][]) =>
  parts.filter(({ state }) => states.includes(state)).reduce((sum, { amountCents }) => sum + amountCents, 0);

/** What the practice software has of a payment. A part without an amount needs no entry there. */
export function inPracticeSoftware(payment: Amounts, parts: readonly Part[]): InPracticeSoftware {
  const isRecorded = (part: RecordingRow['part'], cents: number) =>
    parts.length > 0 && (cents === 0 || parts.some((row) => row.part === part && row.state === 'recorded'));
  return {
    athenaCopayRecorded: isRecorded('copay', payment.copayCents),
    athenaClaimsRecorded: isRecorded('claims', payment.claimsCents),
    recording: recordingOf(parts),
    recordingProblem: parts.find(({ state }) => state === 'refused')?.problem ?? null,
    toCorrect: centsToCorrect(payment, parts),
  };
}

function recordingOf(parts: readonly Part[]): Recording {
  const has = (...states: RecordingRow['state'][]) => parts.some(({ state }) => states.includes(state));
  if (has('refused')) return 'missing';
  if (has('unknown')) return 'unknown';
  if (has('due', 'sending')) return 'waiting';
  return has('recorded') ? 'recorded' : 'none';
}

/** What was recorded and refunded afterwards, and that nobody has corrected there. */
export function centsToCorrect(
  { amountCents, refundedCents, correctedCents }: Amounts,
  parts: readonly Part[],
): number {
  return Math.max(0, sumOf(parts, ['recorded']) - correctedCents - (amountCents - refundedCents));
}

/** What is left to record of each part that was not sent yet: nothing that was refunded. The copay comes first. */
export function leftToRecord<P extends Part>(
  { amountCents, refundedCents }: Amounts,
  parts: readonly P[],
): { part: P; cents: number }[] {
  let left = amountCents - refundedCents - sumOf(parts, ['recorded', 'sending', 'unknown']);
  return parts
    .filter(({ state }) => state === 'due' || state === 'refused')
    .toSorted((a, b) => Number(a.part === 'claims') - Number(b.part === 'claims'))
    .map((part) => {
      const cents = Math.max(0, Math.min(part.amountCents, left));
      left -= cents;
      return { part, cents };
    });
}
