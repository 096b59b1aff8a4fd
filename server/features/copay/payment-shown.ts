import { mayMovePayment, shownState, type PatientPayment, type Payment } from '#contract/copay.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { inPracticeSoftware } from './in-practice-software.ts';
import { recordingsOf } from './recording-sql.ts';
import { newestPayment, paymentById, refundsOf, type PaymentRow } from './sql.ts';

/** One payment as the desk sees it. */
export async function paymentShown(tx: Tx, scope: OfficeScope, id: string): Promise<Payment> {
  const row = await paymentById(tx, scope.officeId, id);
  if (!row) throw new Refusal('payment_not_found');
  const refunds = await refundsOf(tx, scope.officeId, id);
  const recordings = await recordingsOf(tx, scope.officeId, [id]);
  const { timeZone } = await officeRow(tx, scope.officeId);
  return {
    chargeId: row.id,
    visitId: row.visitId,
    patientName: row.patientName,
    copay: row.copayCents,
    claims: row.claimsCents,
    amount: row.amountCents,
    state: shownState(row.state),
    requested: row.state === 'REQUESTED',
    createdAt: row.createdAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
    transferId: row.transferId,
    cardBrand: row.cardBrand,
    cardLast4: row.cardLast4,
    failure: row.failure,
    endedBy: row.endedBy,
    endReason: row.endReason,
    requestedBy: row.requestedBy,
    refunded: row.refundedCents,
    refunds: refunds.map((refund) => ({
      id: refund.id,
      kind: refund.kind,
      amount: refund.amountCents,
      reason: refund.reason,
      state: refund.state,
      by: refund.requestedBy,
      createdAt: refund.createdAt.toISOString(),
    })),
    ...inPracticeSoftware(row, recordings),
    mayWithdraw: await mayWithdraw(tx, row),
    mayVoid: mayVoid(row, refunds, dayOf(scope.now(), timeZone), timeZone),
  };
}

/** A payment that nobody has paid can be withdrawn; of several tries only the last one, because the others are over. */
export async function mayWithdraw(tx: Tx, { officeId, id, visitId, state }: PaymentRow): Promise<boolean> {
  return mayMovePayment(state, 'withdraw') && (await newestPayment(tx, officeId, visitId))?.id === id;
}

/** A charged payment can be voided on its own day, unless part of it was or is being refunded. */
export function mayVoid(
  { state, settledAt }: PaymentRow,
  refunds: readonly { state: string }[],
  today: string,
  timeZone: string,
): boolean {
  const isOfToday = settledAt !== null && dayOf(settledAt, timeZone) === today;
  return state === 'SUCCEEDED' && isOfToday && refunds.every((refund) => refund.state === 'FAILED');
}

/** What the patient's page shows: the newest payment, or only that there is one if this link was not texted. */
export async function patientPayment(
  tx: Tx,
  { officeId, visitId, proved }: { officeId: string; visitId: string; proved: boolean },
): Promise<{ payment: PatientPayment | null; hasHiddenPayment: boolean }> {
  const row = await newestPayment(tx, officeId, visitId);
  if (!row) return { payment: null, hasHiddenPayment: false };
  if (!proved) return { payment: null, hasHiddenPayment: row.state === 'REQUESTED' || row.state === 'FAILED' };
  return { payment: toPatientPayment(row), hasHiddenPayment: false };
}

export function toPatientPayment(row: PaymentRow): PatientPayment {
  return {
    id: row.id,
    patientName: row.patientName,
    copay: row.copayCents,
    claims: row.claimsCents,
    amount: row.amountCents,
    state: row.state,
    failure: row.state === 'FAILED' ? (row.failure === notSent ? notSent : 'declined') : null,
    paidAt: row.state === 'SUCCEEDED' || row.refundedCents > 0 ? (row.settledAt?.toISOString() ?? null) : null,
    cardBrand: row.cardBrand,
    cardLast4: row.cardLast4,
    transferId: row.transferId,
    refunded: row.refundedCents,
  };
}

/** The `failure` of a payment that never reached the provider. */
export const notSent = 'not-sent';
