import type * as z from 'zod/mini';
import { leastCents, mostCents, type requestPayment as RequestCall } from '#contract/copay.ts';
import type { VisitMessage } from '#contract/queue.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { linkTextStatements, lockVisit, todayOf, type VisitRow } from '#server/features/queue/index.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { firstTryOf } from './charged-twice.ts';
import { announcePayment } from './payment-change.ts';
import { chargingMerchant } from './payment-identity.ts';
import { paymentShown } from './payment-shown.ts';
import { changePayment, insertPayment, type PaymentRow } from './sql.ts';

interface Request {
  visitId: string;
  copay: number;
  claims?: number | undefined;
}

/**
 * Requests an amount on a visit of today and texts the patient the link to its page. A double press requests and texts once: a visit has one
 * open payment at most. The request stands whatever becomes of the text.
 */
export async function requestPayment(ctx: OfficeCtx, request: Request): Promise<z.output<typeof RequestCall.reply>> {
  return ctx
    .transaction(async (tx) => {
      const { payment, visit } = await insertRequest(tx, ctx, request);
      // The limits of texts are locked before the queue's version, and a conversation after it, as by every other text.
      const sentence = payment.claimsCents === 0 ? 'payment' : 'balance';
      const amount = dollars.format(payment.amountCents / 100);
      const { message, ...text } = await linkTextStatements(tx, ctx, visit, sentence, {
        heldAtLimit: true,
        detail: amount,
      });
      await changePayment(tx, payment, { textId: message.textId });
      await announceRequest(tx, ctx, payment);
      const visitHint = {
        statements: [],
        hints: [{ office: ctx.officeId, visit: visit.id, type: 'message' as const }],
      };
      await runTogether(tx, text, visitHint);
      return { ...(await paymentShown(tx, ctx, payment.id)), text: toTextOutcome(message) };
    })
    .catch((error: unknown) => {
      if (isViolationOf(error, 'payment_open')) throw new Refusal('payment_open');
      throw error;
    });
}

/** As in both languages in the United States: $1,025.00. */
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Requests an amount without texting the patient; for the demo's morning. */
export async function addRequest(tx: Tx, scope: OfficeScope, request: Request): Promise<string> {
  const { payment } = await insertRequest(tx, scope, request);
  await announceRequest(tx, scope, payment);
  return payment.id;
}

const announceRequest = (tx: Tx, scope: OfficeScope, payment: PaymentRow) =>
  announcePayment(tx, scope, payment, { action: 'payment.request', details: { cents: payment.amountCents } });

function toTextOutcome({ textId, state, problem, limitedUntil }: VisitMessage) {
  if (textId === null || state === null) throw new Error('a message to a patient has no text');
  return { id: textId, state, problem, limitedUntil };
}

async function insertRequest(
  tx: Tx,
  scope: OfficeScope,
  { visitId, copay, claims = 0 }: Request,
): Promise<{ payment: PaymentRow; visit: VisitRow }> {
  const amount = copay + claims;
  if (amount < leastCents || amount > mostCents) throw new Refusal('amount_out_of_range');
  const merchant = await chargingMerchant(tx, scope.officeId);
  if (merchant === null) throw new Refusal('no_payments');
  const visit = await lockVisit(tx, scope.officeId, visitId);
  if (!visit || visit.status === 'EXPECTED') throw new Refusal('visit_not_found');
  if (visit.day !== (await todayOf(tx, scope))) throw new Refusal('visit_not_today');
  const payment = await insertPayment(tx, {
    officeId: scope.officeId,
    id: scope.id(),
    visitId,
    firstTryId: await firstTryOf(tx, scope.officeId, visitId),
    patientName: `${visit.firstName} ${visit.lastName}`,
    copayCents: copay,
    claimsCents: claims,
    amountCents: amount,
    state: 'REQUESTED',
    provider: scope.providers.charges.name,
    merchant,
    requestedBy: scope.actor.name,
    createdAt: scope.now(),
  });
  return { payment, visit };
}
