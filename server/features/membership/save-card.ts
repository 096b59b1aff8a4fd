import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import type { OperationKind } from '#server/kit/provider-operations/operations.ts';
import { cardRefusalOf } from './card-refusal.ts';
import { change } from './change-plan.ts';
import { ownCustomer, refuseWhenAway, syncMembership, toPaymentDisplay } from './read-membership.ts';

/** Few, because thieves try out stolen cards this way. */
const cardsPerHour = { name: 'membership-card', points: 10, seconds: 3600 };

/** Makes the tokenized card the one that is charged. A token works once and contains no card data. */
export const saveCardOperation: OperationKind<
  { customerId: string; token: string; name: string },
  Record<string, never>
> = {
  kind: 'card.save',
  repeatable: true,
  async call({ providers: { card } }, { id: operationId, input }) {
    await card.saveCard({ operationId, ...input });
    return {};
  },
  async settle(tx, scope, { input }) {
    await writeAuditEntry(tx, scope, { action: 'membership.card', subject: input.customerId });
  },
  reasonOf: cardRefusalOf,
};

export async function savePaymentMethod(
  ctx: OfficeCtx,
  { card, customerId }: { card: string; customerId: string },
  { token, name }: { token: string; name: string },
) {
  const own = await ownCustomer(ctx, card, customerId);
  await ctx.limits.take(cardsPerHour, ctx.officeId);
  const before = await refuseWhenAway(() => syncMembership(ctx));
  if (!before.customer) throw new Refusal('customer_missing');
  const { customer } = await change(ctx, saveCardOperation, { customerId: own, token, name });
  return toPaymentDisplay(customer?.card ?? null);
}
