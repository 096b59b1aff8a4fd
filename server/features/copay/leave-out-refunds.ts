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
