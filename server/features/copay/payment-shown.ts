import { failedLater, mayMovePayment, shownState, type PatientPayment, type Payment } from '#contract/copay.ts';
import type { PatientVisit } from '#contract/patient/visit.ts';
import type { OfficeScope } from '#server/context.ts';
import { practicePhone } from '#server/features/merchant/index.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { isAskedAboutTwice } from './charged-twice.ts';
import { inPracticeSoftware } from './in-practice-software.ts';
import { hasOpenNotice } from './notice-sql.ts';
import { recordingsOf } from './recording-sql.ts';
import { chargedPaymentsOf, newestPayment, paymentById, paymentsOfVisit, refundsOf, type PaymentRow } from './sql.ts';

/** More than a visit ever has: each try with another card is a payment. */
const mostOfVisit = 20;

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
    refunded: row.refundedCents + row.excessRefundedCents,
    refunds: refunds.map((refund) => ({
      id: refund.id,
      kind: refund.kind,
      amount: refund.amountCents,
      reason: refund.reason,
      state: refund.state,
      contradicted: refund.contradiction === 'open' || refund.contradiction === 'paid-twice',
      by: refund.requestedBy,
      createdAt: refund.createdAt.toISOString(),
    })),
    ...inPracticeSoftware(row, recordings),
    chargedTwice: await isAskedAboutTwice(tx, row),
    hasNotice: await hasOpenNotice(tx, row),
    mayWithdraw: await mayWithdraw(tx, row),
    mayVoid: mayVoid(row, refunds, dayOf(scope.now(), timeZone), timeZone),
    practicePhone: await practicePhone(tx, scope.officeId),
    otherPayments: await otherPayments(tx, row),
  };
}

async function otherPayments(tx: Tx, { officeId, id, visitId }: PaymentRow): Promise<Payment['otherPayments']> {
  const rows = await paymentsOfVisit(tx, officeId, visitId, mostOfVisit);
  return rows
    .filter((row) => row.id !== id)
    .map((row) => ({
      chargeId: row.id,
      amount: row.amountCents,
      state: shownState(row.state),
      requested: row.state === 'REQUESTED',
      refunded: row.refundedCents,
      transferId: row.transferId,
      createdAt: row.createdAt.toISOString(),
    }));
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

type PaymentsOfPatient = Pick<PatientVisit, 'payment' | 'earlierPayments' | 'practicePhone' | 'hasHiddenPayment'>;

/** What the patient's page shows: the newest payment and the receipts of others, or only that there is one if this link was not texted. */
export async function patientPayments(
  tx: Tx,
  { officeId, visitId, proved }: { officeId: string; visitId: string; proved: boolean },
): Promise<PaymentsOfPatient> {
  const row = await newestPayment(tx, officeId, visitId);
  const nothing = { payment: null, earlierPayments: [], practicePhone: null };
  if (!row) return { ...nothing, hasHiddenPayment: false };
  if (!proved) return { ...nothing, hasHiddenPayment: row.state === 'REQUESTED' || row.state === 'FAILED' };
  const charged = await chargedPaymentsOf(tx, officeId, visitId, mostOfVisit);
  return {
    payment: toPatientPayment(row),
    earlierPayments: charged.filter(({ id }) => id !== row.id).map(toPatientPayment),
    practicePhone: charged.length > 0 ? await practicePhone(tx, officeId) : null,
    hasHiddenPayment: false,
  };
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
    isBounced: row.endReason === failedLater && row.refundedCents === row.amountCents,
  };
}

/** The `failure` of a payment that never reached the provider. */
export const notSent = 'not-sent';
