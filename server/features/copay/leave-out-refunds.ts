import type { Tx } from '#server/kit/db/db.ts';
import { leftToRecord } from './in-practice-software.ts';
import { moveRecording, recordingsOf, setRecordingAmount } from './recording-sql.ts';
import type { PaymentRow } from './sql.ts';

/** Takes what was refunded out of the parts of a locked payment that were not sent yet. The practice software never hears of it. */
export async function leaveOutRefunds(tx: Tx, payment: PaymentRow): Promise<void> {
  if (payment.refundedCents === 0) return;
  const parts = await recordingsOf(tx, payment.officeId, [payment.id]);
  for (const { part, cents } of leftToRecord(payment, parts)) {
    if (cents === 0) await moveRecording(tx, part, 'drop', { problem: null, checkAt: null });
    else if (cents !== part.amountCents) await setRecordingAmount(tx, part, cents);
  }
}

/**
 * Undoes that after a refund was taken back: the parts that were not sent are due again, with what is kept and not there. What staff took out of
 * the practice software by hand only they can put back.
 */
export async function takeUpRefunds(tx: Tx, payment: PaymentRow, now: Date): Promise<void> {
  const parts = await recordingsOf(tx, payment.officeId, [payment.id]);
  const whole = { copay: payment.copayCents, claims: payment.claimsCents };
  const open = parts.map((row) => ({
    ...row,
    ...(row.state === 'dropped' && { state: 'due' as const }),
    amountCents: ['due', 'refused', 'dropped'].includes(row.state) ? whole[row.part] : row.amountCents,
  }));
  for (const { part, cents } of leftToRecord(payment, open)) {
    const known = parts.find(({ id }) => id === part.id);
    if (cents === 0 || !known) continue;
    if (cents !== known.amountCents) await setRecordingAmount(tx, part, cents);
    await moveRecording(tx, part, 'takeUp', { checkAt: now });
  }
}
