import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Plan, Subscription } from '#contract/membership.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** The office's own price ids by plan; null where none is set. */
export type OwnPrices = Record<Plan, string | null>;

/** The office's id at the card provider; null before it is a customer. */
export async function customerOf(tx: Tx, officeId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('office')
    .select('stripeCustomerId')
    .where('id', '=', officeId)
    .executeTakeFirstOrThrow();
  return row.stripeCustomerId;
}

/** Whether this is the office's customer. An office without a row has no customer. */
export async function isCustomerOf(tx: Tx, officeId: string, customerId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('office')
    .select('id')
    .where('id', '=', officeId)
    .where('stripeCustomerId', '=', customerId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setCustomer(tx: Tx, officeId: string, customerId: string): Promise<void> {
  await tx.updateTable('office').set({ stripeCustomerId: customerId }).where('id', '=', officeId).execute();
}

/** Sets the office's own price ids; null takes one away. */
export async function setPrices(tx: Tx, officeId: string, prices: Partial<OwnPrices>): Promise<void> {
  const named = Object.fromEntries(Object.entries(prices).map(([plan, id]) => [`${plan}Price`, id]));
  await tx
    .updateTable('office')
    .set({ settings: sql`jsonb_strip_nulls(settings || ${JSON.stringify(named)}::jsonb)` })
    .where('id', '=', officeId)
    .execute();
}

/** The membership as last seen; undefined before the first look. */
export function membershipOf(tx: Tx, officeId: string) {
  return tx
    .selectFrom('membershipPlan')
    .select(['subscription', 'seenAt'])
    .where('officeId', '=', officeId)
    .executeTakeFirst();
}

/** Takes the next turn of looking at the provider. */
export async function takeTurn(tx: Tx, scope: Pick<OfficeScope, 'officeId' | 'id'>): Promise<number> {
  const { turn } = await tx
    .insertInto('membershipPlan')
    .values({ officeId: scope.officeId, id: scope.id(), turn: 1 })
    .onConflict((known) =>
      known.column('officeId').doUpdateSet((old) => ({ turn: old('membershipPlan.turn', '+', 1) })),
    )
    .returning('turn')
    .executeTakeFirstOrThrow();
  return turn;
}

/** Saves what was seen, unless a later look was saved already; true if it differs from what was seen before. */
export async function saveSubscription(
  tx: Tx,
  officeId: string,
  { turn, subscription, seenAt }: { turn: number; subscription: Subscription; seenAt: Date },
): Promise<boolean> {
  const before = await tx
    .selectFrom('membershipPlan')
    .select(['subscription', 'savedTurn'])
    .where('officeId', '=', officeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (before.savedTurn > turn) return false;
  await tx
    .updateTable('membershipPlan')
    .set({ subscription: JSON.stringify(subscription), savedTurn: turn, seenAt })
    .where('officeId', '=', officeId)
    .execute();
  // jsonb returns its keys in another order.
  return !isDeepStrictEqual(before.subscription, subscription);
}

export async function isEventKnown(tx: Tx, officeId: string, key: string): Promise<boolean> {
  const row = await tx
    .selectFrom('membershipEvent')
    .select('id')
    .where('officeId', '=', officeId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertEvent(
  tx: Tx,
  scope: Pick<OfficeScope, 'officeId' | 'id' | 'now'>,
  event: { key: string; type: string },
): Promise<void> {
  await tx
    .insertInto('membershipEvent')
    .values({ officeId: scope.officeId, id: scope.id(), at: scope.now(), ...event })
    .onConflict((known) => known.columns(['officeId', 'key']).doNothing())
    .execute();
}
