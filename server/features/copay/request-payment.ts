import { leastCents, mostCents, type Payment } from '#contract/copay.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { lockVisit, todayOf } from '#server/features/queue/index.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { announcePayment } from './payment-change.ts';
import { chargingMerchant } from './payment-identity.ts';
import { paymentShown } from './payment-shown.ts';
import { insertPayment } from './sql.ts';

interface Request {
  visitId: string;
  copay: number;
  claims?: number | undefined;
}

/** Requests an amount on a visit of today. A double press requests once: a visit has one open payment at most. */
export async function requestPayment(ctx: OfficeCtx, request: Request): Promise<Payment> {
  return ctx
    .transaction(async (tx) => paymentShown(tx, ctx, await addRequest(tx, ctx, request)))
    .catch((error: unknown) => {
      if (isViolationOf(error, 'payment_open')) throw new Refusal('payment_open');
      throw error;
    });
}

export async function addRequest(tx: Tx, scope: OfficeScope, { visitId, copay, claims = 0 }: Request): Promise<string> {
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
  await announcePayment(tx, scope, payment, { action: 'payment.request', details: { cents: amount } });
  return payment.id;
}
