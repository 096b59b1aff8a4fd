import { mayMoveRefund, refundMoves, type Payment, type RefundMove } from '#contract/copay.ts';
import { systemActor, type OfficeScope } from '#server/context.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { ChargeRefused, ChargesUnavailable, type Transfer } from '#server/providers/charges/port.ts';
import { bookRefund, isNeverCharged } from './book-refund.ts';
import { checkRefundAtProvider, paidTwiceAlert } from './provider-news.ts';
import { announcePayment, movePayment } from './payment-change.ts';
import { mayVoid, mayWithdraw, notSent, paymentShown } from './payment-shown.ts';
import { callMs, findTransfer, hourLater, later, leaseMs, referenceOf, withTransfer } from './send-charge.ts';
import {
  changeRefund,
  insertRefund,
  lockPayment,
  moveRefund,
  paymentById,
  refundById,
  refundsOf,
  type PaymentRow,
  type RefundRow,
} from './sql.ts';

const refundsPerOffice = { name: 'refund-office', points: 120, seconds: 3600 };
const mostChecks = 6;

/** Refunds all or part of a payment. The refund's row, under the caller's own id, is the operation: a repeated call refunds once. */
export async function refundPayment(
  ctx: OfficeScope,
  chargeId: string,
  { id, amount, reason }: { id: string; amount: number; reason: string },
): Promise<Payment> {
  await ctx.limits.take(refundsPerOffice, ctx.officeId);
  const added = await ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx, ctx.officeId, chargeId);
    if (!payment) throw new Refusal('payment_not_found');
    const known = await refundById(tx, ctx.officeId, id);
    if (known) {
      if (known.paymentId !== chargeId || known.amountCents !== amount) throw new Refusal('payment_changed');
      return null;
    }
    // Payments and refunds have one kind of name at the provider, which would answer with the payment as if it were the refund.
    if (await paymentById(tx, ctx.officeId, id)) throw new Refusal('payment_changed');
    if (payment.state !== 'SUCCEEDED') throw new Refusal('payment_changed');
    if (amount > (await refundableCents(tx, payment))) throw new Refusal('refund_too_large');
    return addRefund(tx, ctx, payment, { id, kind: 'refund', amountCents: amount, reason });
  });
  if (added) await sendRefund(ctx, added.id);
  return ctx.transaction((tx) => paymentShown(tx, ctx, chargeId));
}

/**
 * Withdraws a payment that nobody has paid, or reverses the whole payment on the day it was made. Only what was asked for: a request that
 * was paid while somebody withdrew it is not given back.
 */
export async function voidPayment(
  ctx: OfficeScope,
  chargeId: string,
  { move, reason }: { move: 'withdraw' | 'void'; reason: string },
): Promise<Payment> {
  await ctx.limits.take(refundsPerOffice, ctx.officeId);
  const added = await ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx, ctx.officeId, chargeId);
    if (!payment) throw new Refusal('payment_not_found');
    if (move === 'withdraw') {
      if (!(await mayWithdraw(tx, payment))) throw new Refusal('payment_changed');
      const ended = { endedBy: ctx.actor.name, endReason: reason };
      await movePayment(tx, ctx, payment, 'withdraw', ended, 'payment.void');
      return null;
    }
    if (payment.state !== 'SUCCEEDED') throw new Refusal('payment_changed');
    const { timeZone } = await officeRow(tx, ctx.officeId);
    const refunds = await refundsOf(tx, ctx.officeId, chargeId);
    if (!mayVoid(payment, refunds, dayOf(ctx.now(), timeZone), timeZone)) throw new Refusal('void_too_late');
    return addRefund(tx, ctx, payment, {
      id: ctx.id(),
      kind: 'void',
      amountCents: payment.amountCents,
      reason,
    });
  });
  if (added) await sendRefund(ctx, added.id);
  return ctx.transaction((tx) => paymentShown(tx, ctx, chargeId));
}

/** What can still be refunded: refunds that are under way or unknown count as if they had happened. */
async function refundableCents(tx: Tx, payment: PaymentRow): Promise<number> {
  const refunds = await refundsOf(tx, payment.officeId, payment.id);
  const refundedCents = refunds
    .filter(({ state }) => state !== 'FAILED')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  return payment.amountCents - refundedCents;
}

async function addRefund(
  tx: Tx,
  ctx: OfficeScope,
  payment: PaymentRow,
  refund: Pick<RefundRow, 'id' | 'kind' | 'amountCents' | 'reason'>,
): Promise<RefundRow | undefined> {
  const action = refund.kind === 'void' ? 'payment.void' : 'payment.refund';
  await announcePayment(tx, ctx, payment, { action, details: { refund: refund.id, cents: refund.amountCents } });
  return insertRefund(tx, {
    ...refund,
    officeId: ctx.officeId,
    paymentId: payment.id,
    requestedBy: ctx.actor.name,
    state: 'PENDING',
    createdAt: ctx.now(),
    checkAt: later(ctx, leaseMs),
  });
}

/** Sends a refund that was committed, with its id as idempotency id, and saves the provider's answer. */
async function sendRefund(callerScope: OfficeScope, id: string): Promise<void> {
  const scope: OfficeScope = { ...callerScope, actor: systemActor };
  const { refund, payment } = await scope.transaction((tx) => refundWithPayment(tx, scope, id));
  if (refund?.state !== 'PENDING' || !payment) return;
  const { transferId, merchant, provider } = await withTransfer(scope, payment);
  // Without a transfer at the provider in use we cannot refund it. A person has to, in the provider's dashboard.
  if (transferId === null || provider !== scope.providers.charges.name) return loseTrack(scope, id);
  try {
    const transfer = await scope.providers.charges.reverse({
      reference: referenceOf(refund),
      merchant,
      transferId,
      amountCents: refund.amountCents,
      signal: AbortSignal.timeout(callMs),
    });
    await applyRefund(scope, id, transfer);
  } catch (error) {
    if (error instanceof ChargeRefused) return endRefund(scope, id, 'fail', { failure: error.reason });
    if (!(error instanceof ChargesUnavailable)) throw error;
    await checkRefund(scope, id, { resend: false });
  }
}

/**
 * Finds out what became of a refund. One that the provider surely does not have is sent again under its id, because staff asked for it;
 * after several times a person has to find out why it takes none.
 */
export async function checkRefund(
  callerScope: OfficeScope,
  id: string,
  { resend }: { resend: boolean },
): Promise<void> {
  const scope: OfficeScope = { ...callerScope, actor: systemActor };
  const { refund, payment } = await scope.transaction((tx) => refundWithPayment(tx, scope, id));
  // Also if it has ended: a person may have reported its end wrongly.
  if (refund?.atProvider && payment) return checkRefundAtProvider(scope, refund, payment);
  if (!refund || !payment || isNeverCharged(refund) || (refund.state === 'SUCCEEDED' && refund.transferId !== null))
    return;
  const transfer = await findTransfer(scope, 'reversal', refund, payment);
  if (refund.state === 'SUCCEEDED') return noteContradiction(scope, id, transfer);
  if (transfer === 'unknown') return countFailedCheck(scope, id);
  if (transfer !== null) return applyRefund(scope, id, transfer);
  if (refund.state === 'PENDING') return resend ? sendRefund(scope, id) : countFailedCheck(scope, id);
  if (refund.state === 'FAILED') return;
  // The provider does not have the refund. If it cannot name the charge, staff may have made one there by hand.
  if (payment.transferId !== null) return endRefund(scope, id, 'fail', { failure: notSent, checkAt: hourLater(scope) });
  await scope.transaction((tx) => changeRefund(tx, refund, { checkAt: hourLater(scope) }));
}

/** What the provider says by now about a refund that a person confirmed and it called failed; its answer is saved. */
export async function checkContradiction(
  callerScope: OfficeScope,
  id: string,
): Promise<'made' | 'not made' | 'unknown'> {
  const scope: OfficeScope = { ...callerScope, actor: systemActor };
  const { refund, payment } = await scope.transaction((tx) => refundWithPayment(tx, scope, id));
  if (!refund || !payment) return 'unknown';
  const transfer = await findTransfer(scope, 'reversal', refund, payment);
  await noteContradiction(scope, id, transfer);
  if (transfer === null || (transfer !== 'unknown' && isNeverMade(transfer))) return 'not made';
  return transfer !== 'unknown' && transfer.state === 'SUCCEEDED' ? 'made' : 'unknown';
}

const isNeverMade = ({ state }: Transfer) => state === 'FAILED' || state === 'CANCELLED';

/**
 * The patient does not get the money that a person calls refunded. Only a person can sort that out: it goes on the to-do list, once. If the
 * provider made the refund after all, there is nothing to sort out, unless a person has said that the patient got the money in another way: then
 * they may have it twice.
 */
async function noteContradiction(scope: OfficeScope, id: string, transfer: Transfer | null | 'unknown'): Promise<void> {
  if (transfer === 'unknown') return;
  const isMade = transfer?.state === 'SUCCEEDED';
  if (transfer !== null && !isMade && !isNeverMade(transfer)) return;
  const changed = await scope.transaction(async (tx) => {
    const { refund: found } = await refundWithPayment(tx, scope, id);
    const payment = found && (await lockPayment(tx, scope.officeId, found.paymentId));
    const refund = payment && (await refundById(tx, scope.officeId, id));
    if (!payment || refund?.state !== 'SUCCEEDED') return undefined;
    // Of a charge that the provider cannot name only people make refunds, which it does not know by our name.
    if (transfer === null && payment.transferId === null) return undefined;
    if (isMade) await changeRefund(tx, refund, { transferId: transfer.transferId, checkAt: null });
    const contradiction = contradictionAfter(refund.contradiction, isMade);
    if (contradiction === undefined) return undefined;
    await changeRefund(tx, refund, { contradiction });
    await announcePayment(tx, scope, payment, {
      action: 'payment.settle',
      details: { refund: id, contradicted: !isMade, ...(contradiction === 'paid-twice' && { paidTwice: true }) },
    });
    return contradiction;
  });
  if (changed === 'open')
    scope.log.error({ alert: 'charges', operation: id }, 'a refund that a person confirmed was never made');
  if (changed === 'paid-twice') scope.log.error({ alert: 'charges', operation: id }, paidTwiceAlert);
}

/** What the provider's answer makes of a refund that a person confirmed; undefined if it changes nothing. */
function contradictionAfter(
  before: RefundRow['contradiction'],
  isMade: boolean,
): RefundRow['contradiction'] | undefined {
  if (!isMade) return before === null ? 'open' : undefined;
  if (before === 'open') return null;
  return before === 'kept' ? 'paid-twice' : undefined;
}

export async function applyRefund(scope: OfficeScope, id: string, transfer: Transfer): Promise<void> {
  const { transferId, failure } = transfer;
  if (transfer.state === 'UNKNOWN') return countFailedCheck(scope, id);
  if (transfer.state === 'SUCCEEDED') return endRefund(scope, id, 'succeed', { transferId });
  if (transfer.state === 'FAILED' || transfer.state === 'CANCELLED')
    return endRefund(scope, id, 'fail', { transferId, failure });
  await scope.transaction(async (tx) => {
    await moveRefund(tx, { officeId: scope.officeId, id }, 'find', {
      transferId,
      checks: 0,
      checkAt: hourLater(scope),
    });
  });
}

/** Ends a refund once, with its entry in the ledger; a void ends the payment too. */
export function endRefund(
  scope: OfficeScope,
  id: string,
  move: Exclude<RefundMove, 'find' | 'loseTrack' | 'takeBack'>,
  changes: { transferId?: string; failure?: string | null; checkAt?: Date } = {},
): Promise<void> {
  const { by, to } = refundMoves[move];
  return scope.transaction(async (tx) => {
    const { refund: found } = await refundWithPayment(tx, scope, id);
    if (!found) return;
    const payment = await lockPayment(tx, scope.officeId, found.paymentId);
    const refund = await refundById(tx, scope.officeId, id);
    // By now the provider may have said what a person is still answering.
    if (!payment || !refund || !mayMoveRefund(refund.state, move)) return;
    // A refund that a person decided about is looked up again: the provider may say otherwise later. Its transfer from before does not count.
    const looking = by === 'staff' ? { checkAt: hourLater(scope), transferId: null } : { checkAt: null };
    await moveRefund(tx, refund, move, { ...looking, ...changes, settledAt: scope.now() });
    await announcePayment(tx, scope, payment, {
      action: by === 'staff' ? 'payment.resolve' : 'payment.settle',
      details: { refund: id, from: refund.state, to, cents: refund.amountCents },
    });
    if (to !== 'FAILED') await bookRefund(tx, scope, payment, refund);
  });
}

async function countFailedCheck(scope: OfficeScope, id: string): Promise<void> {
  const isLost = await scope.transaction(async (tx) => {
    // Locked: callbacks can come at once, and each look-up counts.
    const known = await refundById(tx, scope.officeId, id);
    const payment = known && (await lockPayment(tx, scope.officeId, known.paymentId));
    const refund = payment && (await refundById(tx, scope.officeId, id));
    if (refund?.state !== 'PENDING') return refund?.state === 'UNKNOWN';
    const checks = refund.checks + 1;
    await changeRefund(tx, refund, { checks, checkAt: later(scope, 10_000 * 2 ** Math.min(refund.checks, 5)) });
    return checks >= mostChecks;
  });
  if (isLost) await loseTrack(scope, id);
}

/** Puts a refund on the to-do list. The provider is asked again every hour. */
async function loseTrack(scope: OfficeScope, id: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const { refund, payment } = await refundWithPayment(tx, scope, id);
    if (!refund || !payment) return;
    const isLost = await moveRefund(tx, refund, 'loseTrack', { checkAt: hourLater(scope) });
    if (isLost && refund.state === 'PENDING')
      await announcePayment(tx, scope, payment, {
        action: 'payment.settle',
        details: { refund: id, from: 'PENDING', to: 'UNKNOWN' },
      });
  });
}

async function refundWithPayment(
  tx: Tx,
  { officeId }: Pick<OfficeScope, 'officeId'>,
  id: string,
): Promise<{ refund: RefundRow | undefined; payment: PaymentRow | undefined }> {
  const refund = await refundById(tx, officeId, id);
  return { refund, payment: refund && (await paymentById(tx, officeId, refund.paymentId)) };
}
