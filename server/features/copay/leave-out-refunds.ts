import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { leftToRecord, notSentCents, sentCents, sumOf } from './in-practice-software.ts';
import {
  insertRecordings,
  moveRecording,
  recordingsOf,
  setRecordingAmount,
  type RecordingRow,
} from './recording-sql.ts';
import type { PaymentRow, RefundRow } from './sql.ts';

/** Takes what was refunded out of the parts of a locked payment that were not sent yet. The practice software never hears of it. */
export async function leaveOutRefunds(tx: Tx, payment: PaymentRow): Promise<void> {
  if (payment.refundedCents === 0) return;
  const parts = await recordingsOf(tx, payment.officeId, [payment.id]);
  for (const { part, cents } of leftToRecord(payment, parts)) {
    if (cents === 0) await moveRecording(tx, part, 'drop', { problem: null, checkAt: null });
    else if (cents !== part.amountCents) await setRecordingAmount(tx, part, cents);
  }
}

/** Whether a refund of a locked payment was booked before anything was recorded, so that it was left out there and nobody corrected it. */
export function wasLeftOut(payment: PaymentRow, refund: RefundRow, parts: readonly RecordingRow[]): boolean {
  const { settledAt } = refund;
  const isLater = ({ recordedAt }: RecordingRow) =>
    recordedAt === null || settledAt === null || recordedAt >= settledAt;
  return parts.every(isLater) && payment.amountCents - sentCents(parts) >= refund.amountCents;
}

/**
 * Undoes that after a refund was taken back: the parts that were not sent are due again, with the amount that was not refunded and is not
 * recorded yet. If a part was sent without it, the rest is another part. What staff took out of the practice software by hand only they can put
 * back.
 */
export async function takeUpRefunds(tx: Tx, scope: OfficeScope, payment: PaymentRow): Promise<void> {
  const parts = await recordingsOf(tx, payment.officeId, [payment.id]);
  const whole = { copay: payment.copayCents, claims: payment.claimsCents };
  const at = scope.now();
  let left = notSentCents(payment, parts);
  for (const part of ['copay', 'claims'] as const) {
    const known = parts.filter((row) => row.part === part);
    if (known.length === 0) continue;
    const cents = Math.max(0, Math.min(whole[part] - sentCents(known), left));
    left -= cents;
    const missing = cents - sumOf(known, ['due', 'refused']);
    if (missing <= 0) continue;
    const open = known.find(({ state }) => ['due', 'refused', 'dropped'].includes(state));
    if (open) {
      await setRecordingAmount(tx, open, missing + (open.state === 'dropped' ? 0 : open.amountCents));
      await moveRecording(tx, open, 'takeUp', { checkAt: at });
      continue;
    }
    await insertRecordings(tx, [
      {
        officeId: payment.officeId,
        id: scope.id(),
        paymentId: payment.id,
        part,
        number: known.length + 1,
        amountCents: missing,
        state: 'due',
        createdAt: at,
        checkAt: at,
      },
    ]);
  }
}
