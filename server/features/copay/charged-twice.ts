import { chargedBefore, failedLater, mayMovePayment, neverCharged } from '#contract/copay.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { announcePayment, movePayment } from './payment-change.ts';
import { changePayment, lockPayment, newestPayment, triesOf, type PaymentRow } from './sql.ts';

/**
 * A request that is paid twice: somebody called a payment not charged, or it seemed lost, the patient paid once more, and then the provider
 * reported the first one. The payments of one request know its first one (`firstTryId`), which is locked before any of them.
 */

/** What the practice keeps of a payment. */
const keptCents = ({ state, amountCents, refundedCents }: PaymentRow) =>
  state === 'SUCCEEDED' || refundedCents > 0 ? amountCents - refundedCents : 0;

/** Charged at some time, and not only as a person has said, or until it failed. */
const wasCharged = ({ state, refundedCents, endReason, endedBy }: PaymentRow) =>
  state === 'SUCCEEDED' ||
  (refundedCents > 0 && !((endReason === neverCharged || endReason === failedLater) && endedBy === null));

/** The first payment of the request that a new payment of a locked visit goes on with; null if it is a request of its own. */
export async function firstTryOf(tx: Tx, officeId: string, visitId: string): Promise<string | null> {
  const newest = await newestPayment(tx, officeId, visitId);
  const before = newest && (await lockPayment(tx, officeId, newest.id));
  if (!before || (await triesOf(tx, before)).some(wasCharged)) return null;
  return before.firstTryId ?? before.id;
}

/** Whether another payment of the request of a locked payment was charged, and not given back. */
export async function isChargedBefore(tx: Tx, payment: PaymentRow): Promise<boolean> {
  return (await triesOf(tx, payment)).some((row) => row.id !== payment.id && keptCents(row) > 0);
}

/** Ends a locked payment as failed. If its request was charged before, it is withdrawn too: nobody must try again. */
export async function failPaymentRow(
  tx: Tx,
  scope: OfficeScope,
  row: PaymentRow,
  move: 'fail' | 'confirmNotCharged',
  ...[changes, action]: [Parameters<typeof movePayment>[4], Parameters<typeof movePayment>[5]?]
): Promise<void> {
  const failed = await movePayment(tx, scope, row, move, changes, action);
  if (failed && (await isChargedBefore(tx, failed)))
    await movePayment(tx, scope, failed, 'withdraw', { endReason: chargedBefore });
}

/** Before a charge of a locked payment is booked: the patient must not be asked for it again, nor try again with another card. */
export async function stopAskingAgain(tx: Tx, scope: OfficeScope, payment: PaymentRow): Promise<void> {
  const newest = (await triesOf(tx, payment)).at(-1);
  if (!newest || newest.id === payment.id || !mayMovePayment(newest.state, 'withdraw')) return;
  await movePayment(tx, scope, newest, 'withdraw', { endReason: chargedBefore });
}

/**
 * After each entry in the ledger of a locked payment: counts what was charged beyond the largest payment of its request. That is on the to-do
 * list until one of them is given back, or somebody calls both right.
 */
export async function noteChargedTwice(tx: Tx, scope: OfficeScope, payment: PaymentRow): Promise<void> {
  const tries = await triesOf(tx, payment);
  const first = tries.find(({ id }) => id === (payment.firstTryId ?? payment.id));
  if (!first || tries.length === 1) return;
  const charges = tries.filter((row) => keptCents(row) > 0);
  const once = Math.max(0, ...charges.map(({ amountCents }) => amountCents));
  const cents = Math.max(0, charges.reduce((sum, row) => sum + keptCents(row), 0) - once);
  if (cents === first.chargedTwiceCents) return;
  const settled = Math.min(first.chargedTwiceSettledCents, cents);
  await changePayment(tx, first, { chargedTwiceCents: cents, chargedTwiceSettledCents: settled });
  if (cents < first.chargedTwiceCents) return;
  await announcePayment(tx, scope, payment, { action: 'payment.settle', details: { chargedTwice: true, cents } });
  scope.log.error({ alert: 'charges', operation: payment.id }, 'a patient paid one request twice');
}

/** Somebody says that each of the payments is right. If more was charged after they looked, they are asked again. */
export async function noteBothRight(ctx: OfficeCtx, firstTryId: string, seenCents?: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const first = await lockPayment(tx, ctx.officeId, firstTryId);
    if (!first) throw new Refusal('payment_not_found');
    const cents = first.chargedTwiceCents - first.chargedTwiceSettledCents;
    if (cents === 0 || cents !== (seenCents ?? cents)) throw new Refusal('payment_changed');
    await changePayment(tx, first, { chargedTwiceSettledCents: first.chargedTwiceCents });
    await announcePayment(tx, ctx, first, { action: 'payment.resolve', details: { chargedTwice: false, cents } });
  });
}

/** Whether it is on the to-do list that the request of this payment was paid twice, and this one is charged. */
export async function isAskedAboutTwice(tx: Tx, payment: PaymentRow): Promise<boolean> {
  if (keptCents(payment) === 0) return false;
  return (await triesOf(tx, payment)).some((row) => row.chargedTwiceCents > row.chargedTwiceSettledCents);
}
