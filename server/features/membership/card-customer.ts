import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { runOperation, type OperationKind } from '#server/kit/provider-operations/operations.ts';
import { officeRow } from '#server/office-row.ts';
import { cardRefusalOf } from './card-refusal.ts';
import { refuseWhenAway } from './read-membership.ts';
import { customerOf, setCustomer } from './sql.ts';

/** All operations on an office's membership run one at a time. */
export const membershipSubject = 'membership';

/** The office becomes a customer of the card provider, also in place of one that the provider has deleted. */
export const customerOperation: OperationKind<{ name: string; replaces: string | null }, { customerId: string }> = {
  kind: 'card.customer',
  repeatable: true,
  async call(scope, { id, input }) {
    const { officeId } = scope;
    // Operations on a membership run one at a time, so an earlier one may have made the customer after this one was found necessary.
    const own = await ownId(scope);
    if (own !== null && own !== input.replaces) return { customerId: own };
    return { customerId: await scope.providers.card.createCustomer({ operationId: id, officeId, name: input.name }) };
  },
  async settle(tx, scope, _operation, { customerId }) {
    if ((await customerOf(tx, scope.officeId)) === customerId) return;
    await setCustomer(tx, scope.officeId, customerId);
    await writeAuditEntry(tx, scope, { action: 'membership.customer', subject: customerId });
  },
  reasonOf: cardRefusalOf,
};

/** The office's id at the card provider. Makes the office a customer if it is not one yet, once. */
export async function haveCustomer(scope: OfficeScope): Promise<string> {
  return (await ownId(scope)) ?? becomeCustomer(scope, null);
}

const ownId = (scope: OfficeScope) => scope.transaction((tx) => customerOf(tx, scope.officeId));

async function becomeCustomer(scope: OfficeScope, replaces: string | null): Promise<string> {
  const { name } = await scope.transaction((tx) => officeRow(tx, scope.officeId));
  const input = { name, replaces };
  const outcome = await runOperation(scope, customerOperation, { subject: membershipSubject, input });
  if (outcome.state !== 'done') throw new Refusal('card_away', undefined, 5);
  return outcome.result.customerId;
}

const perHour = { name: 'membership-customer', points: 20, seconds: 3600 };

/** The same by the panel; also if the provider has deleted the customer. */
export async function createCustomer(ctx: OfficeCtx, card: string, officeId: string | undefined) {
  const { providers } = ctx;
  if (card !== providers.card.name) throw new Refusal('not_found');
  if (officeId !== undefined && officeId !== ctx.officeId) throw new Refusal('not_found');
  await ctx.limits.take(perHour, ctx.officeId);
  const before = await ownId(ctx);
  if (before === null) return { customerId: await becomeCustomer(ctx, null) };
  const isKnown = (await refuseWhenAway(() => providers.card.readCustomer(before))) !== null;
  return { customerId: isKnown ? before : await becomeCustomer(ctx, before) };
}
