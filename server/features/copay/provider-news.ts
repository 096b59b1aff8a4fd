import { madeAtProvider } from '#contract/copay.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { ChargesUnavailable, type Dispute, type Transfer } from '#server/providers/charges/port.ts';
import { bookRefund, isNeverCharged, takeBackRefund } from './book-refund.ts';
import { announcePayment } from './payment-change.ts';
import { findTransfer, hourLater, later } from './send-charge.ts';
import {
  changeRefund,
  insertRefund,
  lockPayment,
  moveRefund,
  refundsOf,
  type PaymentRow,
  type RefundRow,
} from './sql.ts';
import { noticeById, openNotice, settleNotice } from './notice-sql.ts';

/** What happens at the payment provider without us: refunds made in its own dashboard, and disputes. */

/** The alert of a refund that gave the patient the money twice. */
export const paidTwiceAlert = 'a refund was made after a person said it was paid otherwise';

/** Books a refund that somebody made in the provider's dashboard, once, in whatever order and however often it is reported. */
export async function applyRefundAtProvider(scope: OfficeScope, paymentId: string, transfer: Transfer): Promise<void> {
  await scope.transaction(async (tx) => {
    const payment = await lockPayment(tx, scope.officeId, paymentId);
    if (!payment) return;
    const refunds = await refundsOf(tx, scope.officeId, paymentId);
    const known = refunds.find(({ transferId }) => transferId === transfer.transferId);
    if (known && !known.atProvider) return;
    const ours = known === undefined || known.state === 'PENDING' ? adoptable(refunds, transfer) : undefined;
    // What was first reported as pending turns out to be that refund of the desk: it is one refund, with one entry.
    if (ours && known) await moveRefund(tx, known, 'fail', { ...sameAsOurs, settledAt: scope.now() });
    const refund = ours ?? known ?? (await addRefundAtProvider(tx, scope, payment, transfer));
    if (refund) await settleRefund(tx, scope, payment, refund, transfer);
  });
}

const sameAsOurs = { failure: 'the same as a refund of the practice', transferId: null, checkAt: null };

/** The callback tells when a pending refund is made; a bank takes days. */
const dayLater = (scope: OfficeScope) => later(scope, 24 * 3_600_000);

/** A refund of the desk that somebody made in the dashboard. */
export const isAdopted = ({ atProvider, reason }: RefundRow) => atProvider && reason !== madeAtProvider;

/** A refund of the desk that we could not send, and that somebody made in the dashboard instead: it is this one. */
const adoptable = (refunds: readonly RefundRow[], { amountCents, state }: Transfer) =>
  state !== 'SUCCEEDED'
    ? undefined
    : refunds.find(
        (refund) =>
          refund.transferId === null &&
          refund.amountCents === amountCents &&
          (refund.state === 'UNKNOWN' || refund.state === 'SUCCEEDED') &&
          !isNeverCharged(refund),
      );

async function addRefundAtProvider(
  tx: Tx,
  scope: OfficeScope,
  payment: PaymentRow,
  { transferId, amountCents, state }: Transfer,
): Promise<RefundRow | undefined> {
  if (state === 'FAILED' || state === 'CANCELLED') return undefined;
  return insertRefund(tx, {
    officeId: scope.officeId,
    id: scope.id(),
    paymentId: payment.id,
    kind: 'refund',
    amountCents,
    reason: madeAtProvider,
    state: 'PENDING',
    transferId,
    atProvider: true,
    createdAt: scope.now(),
    // Not sooner: during an upgrade a process of the version before takes a row that is due for one that was never sent, and sends it.
    checkAt: dayLater(scope),
  });
}

async function settleRefund(
  tx: Tx,
  scope: OfficeScope,
  payment: PaymentRow,
  refund: RefundRow,
  { transferId, state, failure }: Transfer,
): Promise<void> {
  const details = { refund: refund.id, from: refund.state, atProvider: true, cents: refund.amountCents };
  const announce = (more = {}) =>
    announcePayment(tx, scope, payment, { action: 'payment.settle', details: { ...details, ...more } });
  if (state === 'SUCCEEDED') {
    // Ours may have been made too, and is asked for by its reference.
    const checkAt = refund.reason === madeAtProvider ? null : hourLater(scope);
    const adopted = { transferId, atProvider: true, checkAt };
    if (refund.state === 'SUCCEEDED') {
      if (refund.transferId === transferId) return;
      // Somebody has said that the patient got this money in another way.
      const isOneTooMany = refund.contradiction === 'kept';
      await changeRefund(tx, refund, { ...adopted, contradiction: isOneTooMany ? 'paid-twice' : null });
      if (!isOneTooMany) return;
      await announce({ paidTwice: true });
      return scope.log.error({ alert: 'charges', operation: refund.id }, paidTwiceAlert);
    }
    const ended = { ...adopted, settledAt: scope.now() };
    if (!(await moveRefund(tx, refund, 'succeed', ended))) return;
    await announce();
    return bookRefund(tx, scope, payment, refund);
  }
  if (state !== 'FAILED' && state !== 'CANCELLED') {
    if (refund.state === 'PENDING') await changeRefund(tx, refund, { checkAt: dayLater(scope) });
    return;
  }
  if (refund.state === 'SUCCEEDED') {
    await announce();
    return takeBackRefund(tx, scope, payment, refund);
  }
  if (await moveRefund(tx, refund, 'fail', { failure, settledAt: scope.now(), checkAt: null })) await announce();
}

/**
 * Looks at a refund of the dashboard again, by its transfer. If it is one of the desk that somebody made there, ours may turn out to be made too: then
 * the patient got the money twice.
 */
export async function checkRefundAtProvider(scope: OfficeScope, refund: RefundRow, payment: PaymentRow): Promise<void> {
  if (refund.transferId === null) return;
  if (isAdopted(refund)) {
    const ours = await findTransfer(scope, 'reversal', refund, payment);
    if (ours !== null && ours !== 'unknown') await applyRefundAtProvider(scope, payment.id, ours);
  }
  try {
    const transfer = await scope.providers.charges.read(refund.transferId);
    if (transfer) await applyRefundAtProvider(scope, refund.paymentId, transfer);
  } catch (error) {
    if (!(error instanceof ChargesUnavailable)) throw error;
    if (refund.state !== 'PENDING') return;
    await scope.transaction((tx) => changeRefund(tx, refund, { checkAt: hourLater(scope) }));
  }
}

/** A dispute that the provider reports. It moves no money here; a person answers it at the provider. */
export async function noteDispute(
  scope: OfficeScope,
  paymentId: string,
  { id: key, amountCents, state }: Dispute,
): Promise<void> {
  await scope.transaction(async (tx) => {
    const payment = await lockPayment(tx, scope.officeId, paymentId);
    if (!payment) return;
    const notice = { kind: 'dispute' as const, key, amountCents, state };
    if (!(await openNotice(tx, scope, payment, notice))) return;
    await announcePayment(tx, scope, payment, { action: 'payment.settle', details: { dispute: state } });
    scope.log.error({ alert: 'charges', operation: payment.id }, 'a charge is disputed');
  });
}

/** Somebody has seen to what the provider reported. */
export async function noteSeenTo(ctx: OfficeCtx, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const known = await noticeById(tx, ctx.officeId, id);
    const payment = known && (await lockPayment(tx, ctx.officeId, known.paymentId));
    if (!payment) throw new Refusal('payment_not_found');
    if (!(await settleNotice(tx, { officeId: ctx.officeId, id }, ctx.now()))) throw new Refusal('payment_changed');
    const details = { [known.kind]: 'settled', cents: known.amountCents };
    await announcePayment(tx, ctx, payment, { action: 'payment.resolve', details });
  });
}
