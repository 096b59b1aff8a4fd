import { mayMovePayment, type PatientPayment } from '#contract/copay.ts';
import type { OfficeScope, VisitCtx } from '#server/context.ts';
import { lockVisit, type VisitRow } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { takeInTransaction } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { ChargeRefused, ChargesUnavailable } from '#server/providers/charges/port.ts';
import { isChargedBefore } from './charged-twice.ts';
import { chargingMerchant } from './payment-identity.ts';
import { movePayment } from './payment-change.ts';
import { toPatientPayment } from './payment-shown.ts';
import { later, leaseMs, sendCharge } from './send-charge.ts';
import { insertPayment, lockPayment, newestPayment, paymentById, type PaymentRow } from './sql.ts';

/** Against people who try out stolen cards: tries for each visit, each network and each office. */
const triesPerVisit = { name: 'pay-visit', points: 6, seconds: 3600 };
/** In one office: its patients share its Wi-Fi. */
const triesPerNetwork = { name: 'pay-network', points: 60, seconds: 3600 };
const triesPerOffice = { name: 'pay-office', points: 300, seconds: 3600 };
const formsPerVisit = { name: 'card-form', points: 30, seconds: 3600 };

/** The payment provider's card form for the visit's payment. */
export async function openCardForm(ctx: VisitCtx): Promise<{ url: string }> {
  requireProved(ctx);
  await ctx.limits.take(formsPerVisit, ctx.visitId);
  const payment = await ctx.transaction(async (tx) => {
    const newest = await newestPayment(tx, ctx.officeId, ctx.visitId);
    if (!newest || !mayPay(newest)) throw new Refusal('payment_not_found');
    await requirePayable(tx, ctx, await lockVisit(tx, ctx.officeId, ctx.visitId), newest);
    await writeAuditEntry(tx, ctx, { action: 'payment.form', subject: ctx.visitId, details: { payment: newest.id } });
    return newest;
  });
  const { merchant, amountCents } = payment;
  try {
    return await ctx.providers.charges.openCardForm({ merchant, amountCents, language: ctx.language });
  } catch (error) {
    if (error instanceof ChargeRefused || error instanceof ChargesUnavailable)
      throw new Refusal('merchant_away', undefined, 5);
    throw error;
  }
}

/**
 * Charges the card. The claim is committed before the provider is called, so a second press, another tab or another process finds the
 * payment claimed and only reports it. The provider is called outside of every transaction, with the payment's id as its idempotency id.
 */
export async function payCopay(ctx: VisitCtx, input: { paymentId: string; card: string }): Promise<PatientPayment> {
  requireProved(ctx);
  const { claimed, payment } = await claimPayment(ctx, input);
  if (claimed) await sendCharge(ctx, payment.id);
  const row = await ctx.transaction((tx) => paymentById(tx, ctx.officeId, payment.id));
  if (!row) throw new Refusal('payment_not_found');
  return toPatientPayment(row);
}

async function claimPayment(
  ctx: VisitCtx,
  { paymentId, card }: { paymentId: string; card: string },
): Promise<{ claimed: boolean; payment: PaymentRow }> {
  const before = await ctx.transaction((tx) => payableFor(tx, ctx, paymentId));
  if (!before.payable) return { claimed: false, payment: before.row };
  return ctx.transaction(async (tx) => {
    // Orders two tabs, and a payment and its withdrawal.
    const visit = await lockVisit(tx, ctx.officeId, ctx.visitId);
    await lockPayment(tx, ctx.officeId, before.row.id);
    const { row, payable } = await payableFor(tx, ctx, paymentId);
    if (!payable || (await isChargedBefore(tx, row))) return { claimed: false, payment: row };
    const merchant = await requirePayable(tx, ctx, visit, row);
    await takeTry(tx, ctx);
    const request = row.state === 'FAILED' ? await requestAgain(tx, ctx, row, merchant) : row;
    return { claimed: true, payment: await claimCharge(tx, ctx, request, card) };
  });
}

/** Claims a requested payment for one charge of this card. */
export async function claimCharge(tx: Tx, scope: OfficeScope, request: PaymentRow, card: string): Promise<PaymentRow> {
  const changes = { source: card, claimedAt: scope.now(), checkAt: later(scope, leaseMs), checks: 0 };
  const claimed = await movePayment(tx, scope, request, 'pay', changes, 'payment.pay');
  if (!claimed) throw new Error('a requested payment cannot be paid');
  return claimed;
}

/** Counts a try. In the transaction of the claim, so that a second press of the same button does not count. */
async function takeTry(tx: Tx, ctx: VisitCtx): Promise<void> {
  const [usedUp] = await takeInTransaction(tx, ctx.now(), [
    [triesPerVisit, ctx.visitId],
    [triesPerNetwork, `${ctx.officeId} ${networkOfAddress(ctx.http.address)}`],
    [triesPerOffice, ctx.officeId],
  ]);
  if (usedUp) throw new Refusal('too_many_tries', undefined, usedUp.seconds);
}

/** The visit's newest payment. Only a page that shows it may pay it: a second press after a failed try charges nothing. */
async function payableFor(tx: Tx, ctx: VisitCtx, paymentId: string): Promise<{ row: PaymentRow; payable: boolean }> {
  const shown = await paymentById(tx, ctx.officeId, paymentId);
  const row = await newestPayment(tx, ctx.officeId, ctx.visitId);
  if (!shown || !row || shown.visitId !== ctx.visitId) throw new Refusal('payment_not_found');
  return { row, payable: shown.id === row.id && mayPay(row) };
}

/** After a failed payment the next try is a payment of its own, so that the provider sees a new operation. */
function requestAgain(tx: Tx, ctx: VisitCtx, failed: PaymentRow, merchant: string): Promise<PaymentRow> {
  return insertPayment(tx, {
    officeId: ctx.officeId,
    id: ctx.id(),
    visitId: failed.visitId,
    firstTryId: failed.firstTryId ?? failed.id,
    patientName: failed.patientName,
    copayCents: failed.copayCents,
    claimsCents: failed.claimsCents,
    amountCents: failed.amountCents,
    state: 'REQUESTED',
    provider: ctx.providers.charges.name,
    merchant,
    requestedBy: failed.requestedBy,
    textId: failed.textId,
    createdAt: ctx.now(),
  });
}

/** The merchant that can charge the payment now; refused before the patient types a card in vain. */
async function requirePayable(
  tx: Tx,
  ctx: VisitCtx,
  visit: VisitRow | undefined,
  { state, provider, merchant }: PaymentRow,
): Promise<string> {
  const charging = await chargingMerchant(tx, ctx.officeId);
  // Requested with another provider or merchant, it could not be found again. Another try is a request of its own.
  const isCurrent = state === 'FAILED' || (merchant === charging && provider === ctx.providers.charges.name);
  if (charging === null || !isCurrent || isCanceled(visit)) throw new Refusal('payment_not_now');
  return charging;
}

/** A requested payment, or a failed one that the patient may try again. */
const mayPay = ({ state }: PaymentRow) => mayMovePayment(state, 'pay') || state === 'FAILED';

/** Over before anybody was called in: the patient owes nothing. A visit that was finished can be paid afterwards. */
function isCanceled(visit: VisitRow | undefined): boolean {
  if (visit === undefined || visit.status === 'PATIENT_CANCELLED') return true;
  return visit.status === 'DOCTOR_CANCELLED' && visit.invitedAt === null;
}

function requireProved(ctx: VisitCtx): void {
  if (!ctx.proved) throw new Refusal('link_not_proved');
}
