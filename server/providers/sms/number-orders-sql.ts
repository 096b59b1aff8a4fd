import { sql, type UpdateResult } from 'kysely';
import type { Db } from '#server/kit/db/db.ts';
import { takeInTransaction } from '#server/kit/http/rate-limits.ts';
import { NumbersUsedUp, type NumberOrder } from './port.ts';

/** A number that is being rented, or was. */
export interface Order {
  id: string;
  phone: string | null;
  serviceSid: string | null;
  readyAt: Date | null;
  /** How long ago its number was chosen, by the database's clock. */
  chosenMsAgo: number | null;
}

const now = sql<Date>`clock_timestamp()`;
const columns = ['id', 'phone', 'serviceSid', 'readyAt'] as const;
const chosenMsAgo = sql<number | null>`(extract(epoch from clock_timestamp() - chosen_at) * 1000)::float8`.as(
  'chosenMsAgo',
);

export async function findOrder(db: Db, key: string): Promise<Order | undefined> {
  return db
    .selectFrom('auth.numberOrder')
    .select([...columns, chosenMsAgo])
    .where('key', '=', key)
    .executeTakeFirst();
}

/**
 * Adds an order unless the practice has one. Only a new order counts against the budgets; if one is used up, nothing is written and no
 * budget is charged, so that a refused network takes nothing from everybody's.
 */
export async function insertOrder(
  db: Db,
  order: { id: string; key: string },
  { budgets, at }: Pick<NumberOrder, 'budgets'> & { at: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('auth.numberOrder')
      .values({ ...order, orderedAt: now })
      .onConflict((known) => known.column('key').doNothing())
      .returning('id')
      .executeTakeFirst();
    const [usedUp] = added && budgets.length > 0 ? await takeInTransaction(tx, at, budgets) : [];
    if (usedUp) throw new NumbersUsedUp(usedUp.limit.name);
  });
}

/** Takes the order for this process; undefined while another one works on it. */
export async function claimOrder(db: Db, id: string, leaseMs: number): Promise<Order | undefined> {
  return db
    .updateTable('auth.numberOrder')
    .set({ leaseUntil: sql<Date>`clock_timestamp() + ${`${leaseMs} milliseconds`}::interval` })
    .where('id', '=', id)
    .where('readyAt', 'is', null)
    .where((q) => q.or([q('leaseUntil', 'is', null), q('leaseUntil', '<', now)]))
    .returning([...columns, chosenMsAgo])
    .executeTakeFirst();
}

export async function releaseOrder(db: Db, id: string): Promise<void> {
  await db.updateTable('auth.numberOrder').set({ leaseUntil: null }).where('id', '=', id).execute();
}

/** Saves what is known of an order; false if another order has the same number. */
export async function saveOrder(
  db: Db,
  id: string,
  { ready, ...changes }: { key?: null; phone?: string | null; phoneSid?: string; serviceSid?: string; ready?: true },
): Promise<boolean> {
  return isRowChanged(
    db
      .updateTable('auth.numberOrder')
      .set({ ...changes, ...(changes.phone !== undefined && { chosenAt: now }), ...(ready && { readyAt: now }) })
      .where('id', '=', id)
      .executeTakeFirst(),
  );
}

/** Orders whose number no practice came for, oldest first. */
export async function unusedOrders(db: Db, olderThanMs: number): Promise<(Order & { key: string })[]> {
  const rows = await db
    .selectFrom('auth.numberOrder')
    .select([...columns, chosenMsAgo, 'key'])
    .where('key', 'is not', null)
    .where('phone', 'is not', null)
    .where('orderedAt', '<', sql<Date>`clock_timestamp() - ${`${olderThanMs} milliseconds`}::interval`)
    .where((q) => q.or([q('leaseUntil', 'is', null), q('leaseUntil', '<', now)]))
    .orderBy('orderedAt')
    .limit(20)
    .execute();
  return rows as (Order & { key: string })[];
}

/** Gives an unused order to a practice that has none; false if somebody was faster. */
export async function takeOverUnusedOrder(
  db: Db,
  { id, key }: { id: string; key: string },
  to: string,
): Promise<boolean> {
  return isRowChanged(
    db
      .updateTable('auth.numberOrder')
      .set({ key: to, orderedAt: now })
      .where('id', '=', id)
      .where('key', '=', key)
      .executeTakeFirst(),
  );
}

/** True if a row was changed; false if there was none, or if another row has the same key or number. */
async function isRowChanged(update: Promise<UpdateResult>): Promise<boolean> {
  try {
    return (await update).numUpdatedRows > 0n;
  } catch (error) {
    if ((error as { code?: string }).code === '23505') return false;
    throw error;
  }
}

/** The Messaging Service of a number that was rented here. */
export async function serviceOfNumber(db: Db, phone: string): Promise<string | null> {
  const row = await db
    .selectFrom('auth.numberOrder')
    .select('serviceSid')
    .where('phone', '=', phone)
    .executeTakeFirst();
  return row?.serviceSid ?? null;
}
