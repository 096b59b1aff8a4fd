import { failedLater, mayMovePayment, neverCharged } from '#contract/copay.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officeRow } from '#server/office-row.ts';
import { noteChargedTwice, stopAskingAgain } from './charged-twice.ts';
import { centsToCorrect } from './in-practice-software.ts';
import { leaveOutRefunds, takeUpRefunds, wasLeftOut } from './leave-out-refunds.ts';
import { movePayment } from './payment-change.ts';
import { notSent } from './payment-shown.ts';
import { recordingsOf } from './recording-sql.ts';
import {
  changePayment,
  entriesOfRefund,
  insertMoneyEntry,
  insertRefund,
  moveRefund,
  refundsOf,
  type PaymentRow,
  type RefundRow,
} from './sql.ts';

/** Writes a refund that was made into the ledger, and takes it out of what the practice software has to record. A void ends the payment too. */
export async function bookRefund(tx: Tx, scope: OfficeScope, payment: PaymentRow, refund: RefundRow): Promise<void> {
  const { timeZone } = await officeRow(tx, scope.officeId);
  const at = scope.now();
  await insertMoneyEntry(tx, {
    officeId: scope.officeId,
    id: scope.id(),
    paymentId: payment.id,
    refundId: refund.id,
    number: (await entriesOfRefund(tx, refund)) + 1,
    amountCents: -refund.amountCents,
    cardBrand: payment.cardBrand,
    at,
    day: dayOf(at, timeZone),
  });
  const refunded = refundedInAll(payment, refund.amountCents);
  const ended = { ...refunded, endedBy: refund.requestedBy, endReason: refund.reason };
  // A void of a payment that another void ended changes nothing but the money.
  const left =
    refund.kind === 'void' && mayMovePayment(payment.state, 'void')
      ? await movePayment(tx, scope, payment, 'void', ended)
      : await changePayment(tx, payment, refunded);
  if (!left) return;
  await noteChargedTwice(tx, scope, left);
  await leaveOutRefunds(tx, left);
  if (left.excessRefundedCents > payment.excessRefundedCents)
    scope.log.error({ alert: 'charges', operation: payment.id }, 'more was refunded than a patient paid');
}

/**
 * What was refunded of a payment after this much more, or less. Each refund is booked, also one that the provider made after all when the rest
 * had been given back otherwise: what is beyond the payment is counted for itself, and is on the to-do list.
 */
function refundedInAll(payment: PaymentRow, moreCents: number) {
  const { amountCents, refundedCents, excessRefundedCents, excessSettledCents } = payment;
  const cents = refundedCents + excessRefundedCents + moreCents;
  const excess = Math.max(0, cents - amountCents);
  return {
    refundedCents: cents - excess,
    excessRefundedCents: excess,
    excessSettledCents: Math.min(excessSettledCents, excess),
  };
}

/**
 * Takes back a charge that a person confirmed and the provider says it never made: as a void, so that nothing of it stays in the ledger and in
 * the practice software; or one that went through and failed later. Of a charge that was not made no refund can be made either; what a person has called refunded stays, and counts.
 */
export async function takeBackCharge(
  tx: Tx,
  scope: OfficeScope,
  payment: PaymentRow,
  reason: typeof neverCharged | typeof failedLater = neverCharged,
): Promise<void> {
  const what = {
    [neverCharged]: 'a charge that a person confirmed was never made',
    [failedLater]: 'a charge failed later',
  };
  scope.log.error({ alert: 'charges', operation: payment.id }, what[reason]);
  const refunds = await refundsOf(tx, scope.officeId, payment.id);
  const at = scope.now();
  for (const refund of refunds)
    await moveRefund(tx, refund, 'fail', { failure: notSent, settledAt: at, checkAt: null });
  const amountCents = payment.amountCents - payment.refundedCents;
  if (amountCents === 0) return;
  const refund = await insertRefund(tx, {
    officeId: scope.officeId,
    id: scope.id(),
    paymentId: payment.id,
    kind: 'void',
    amountCents,
    reason,
    state: 'SUCCEEDED',
    createdAt: at,
    settledAt: at,
  });
  if (refund) await bookRefund(tx, scope, payment, refund);
}

/** The void of a charge that was never made, or failed later: nobody asked for it, and the provider never hears of it. */
export const isNeverCharged = ({ reason, requestedBy }: Pick<RefundRow, 'reason' | 'requestedBy'>) =>
  (reason === neverCharged || reason === failedLater) && requestedBy === null;

/** A charge that was taken back has been made after all: it is booked again. */
export async function chargeAfterAll(tx: Tx, scope: OfficeScope, payment: PaymentRow): Promise<void> {
  const refunds = await refundsOf(tx, scope.officeId, payment.id);
  const reversal = refunds.find((refund) => isNeverCharged(refund) && refund.state === 'SUCCEEDED');
  if (!reversal) return;
  await stopAskingAgain(tx, scope, payment);
  await takeBackRefund(tx, scope, payment, reversal);
}

/**
 * Takes back a refund that a person confirmed and the provider never made, of a locked payment: the money is the practice's again and can be
 * refunded again, and what was left out of the practice software is recorded after all.
 */
export async function takeBackRefund(
  tx: Tx,
  scope: OfficeScope,
  payment: PaymentRow,
  refund: RefundRow,
): Promise<void> {
  const { timeZone } = await officeRow(tx, scope.officeId);
  const at = scope.now();
  // The provider may make it after all.
  const checkAt = isNeverCharged(refund) ? null : new Date(at.getTime() + 3_600_000);
  const changes = { contradiction: null, failure: notSent, settledAt: at, checkAt };
  if (!(await moveRefund(tx, refund, 'takeBack', changes))) return;
  await insertMoneyEntry(tx, {
    officeId: scope.officeId,
    id: scope.id(),
    paymentId: payment.id,
    refundId: refund.id,
    number: (await entriesOfRefund(tx, refund)) + 1,
    amountCents: refund.amountCents,
    cardBrand: payment.cardBrand,
    at,
    day: dayOf(at, timeZone),
  });
  const refunded = refundedInAll(payment, -refund.amountCents);
  const parts = await recordingsOf(tx, scope.officeId, [payment.id]);
  // What staff took out there because of this refund they enter again by hand: only what was refunded otherwise stays corrected.
  const stillRefunded = centsToCorrect({ ...payment, ...refunded, correctedCents: 0 }, parts);
  const corrected = Math.min(payment.correctedCents, stillRefunded);
  const isLeftOut = wasLeftOut(payment, refund, parts);
  const changed = { ...refunded, correctedCents: isLeftOut ? payment.correctedCents : corrected };
  const isEnded = (await refundsOf(tx, scope.officeId, payment.id)).some(
    ({ id, kind, state }) => kind === 'void' && state === 'SUCCEEDED' && id !== refund.id,
  );
  const paymentAfter =
    refund.kind === 'refund' || isEnded
      ? await changePayment(tx, payment, changed)
      : await movePayment(tx, scope, payment, 'succeed', { ...changed, endedBy: null, endReason: null });
  if (!paymentAfter) return;
  await noteChargedTwice(tx, scope, paymentAfter);
  await takeUpRefunds(tx, scope, paymentAfter);
}
