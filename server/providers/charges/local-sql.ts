import type { Selectable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';

/** The local payment provider's own tables: cards, transfers and the callbacks it owes us. */

export type LocalTransfer = Selectable<DB['charges.transfer']>;
export type LocalCard = Selectable<DB['charges.card']>;

export async function insertCard(db: Db, card: LocalCard): Promise<void> {
  await db.insertInto('charges.card').values(card).execute();
}

export function cardById(db: Db | Tx, id: string): Promise<LocalCard | undefined> {
  return db.selectFrom('charges.card').selectAll().where('id', '=', id).executeTakeFirst();
}

export function transferByReference(db: Db | Tx, reference: string): Promise<LocalTransfer | undefined> {
  return db.selectFrom('charges.transfer').selectAll().where('reference', '=', reference).executeTakeFirst();
}

export function transferById(db: Db | Tx, id: string): Promise<LocalTransfer | undefined> {
  return db.selectFrom('charges.transfer').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locked, so that two reversals at once cannot give back more than was charged. */
export function lockTransfer(tx: Tx, id: string): Promise<LocalTransfer | undefined> {
  return tx.selectFrom('charges.transfer').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Adds a transfer; undefined if one with its reference exists. */
export function insertTransfer(tx: Tx, transfer: LocalTransfer): Promise<LocalTransfer | undefined> {
  return tx
    .insertInto('charges.transfer')
    .values(transfer)
    .onConflict((known) => known.column('reference').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** How much of a transfer was given back. */
export async function reversedCents(tx: Tx, id: string): Promise<number> {
  const row = await tx
    .selectFrom('charges.transfer')
    .select((q) => q.fn.coalesce(q.fn.sum<number>('amountCents'), q.lit(0)).as('cents'))
    .where('reverses', '=', id)
    .where('state', '=', 'SUCCEEDED')
    .executeTakeFirstOrThrow();
  return Number(row.cents);
}

/** From now on the provider answers nothing about this transfer, and about what is made from it. */
export async function loseAnswers(db: Db, reference: string): Promise<void> {
  await db.updateTable('charges.transfer').set({ behavior: 'no-answer' }).where('reference', '=', reference).execute();
}

export async function setBehavior(tx: Tx, id: string, behavior: LocalTransfer['behavior']): Promise<void> {
  await tx.updateTable('charges.transfer').set({ behavior }).where('id', '=', id).execute();
}

/** A transfer that fails after all. */
export async function failTransfer(db: Db, reference: string): Promise<void> {
  const failed = { behavior: 'ok', state: 'FAILED' } as const;
  await db.updateTable('charges.transfer').set(failed).where('reference', '=', reference).execute();
}

export async function setTransferState(
  tx: Tx,
  id: string,
  state: LocalTransfer['state'],
  failure: string | null,
  updatedAt: Date,
): Promise<void> {
  await tx.updateTable('charges.transfer').set({ state, failure, updatedAt }).where('id', '=', id).execute();
}

/** The newest transfers of a merchant, for its dashboard. */
export function transfersOf(db: Db, merchant: string, limit: number): Promise<LocalTransfer[]> {
  return db
    .selectFrom('charges.transfer')
    .selectAll()
    .where('merchant', '=', merchant)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
}

/** Queues the callback about a transfer. */
export async function insertEvent(
  tx: Tx,
  event: { id: string; transferId: string; type: string; at: Date },
): Promise<void> {
  await tx
    .insertInto('charges.event')
    .values({ ...event, reportAt: event.at })
    .execute();
}

/** Claims the callbacks that are due; they are due again at `retryAt` unless they are acknowledged. */
export function claimDueEvents(db: Db, { now, retryAt, most }: { now: Date; retryAt: Date; most: number }) {
  return db
    .with('claimed', (q) =>
      q
        .updateTable('charges.event')
        .set({ reportAt: retryAt })
        .where('id', 'in', (s) =>
          s
            .selectFrom('charges.event')
            .select('id')
            .where('reportAt', '<=', now)
            .orderBy('reportAt')
            .limit(most)
            .forUpdate()
            .skipLocked(),
        )
        .returning(['id', 'transferId', 'type', 'at']),
    )
    .selectFrom('claimed as e')
    .innerJoin('charges.transfer as t', 't.id', 'e.transferId')
    .select(['e.id', 'e.type', 'e.at', 't.reference', 'e.transferId'])
    .execute();
}

export async function setReported(db: Db, id: string): Promise<void> {
  await db.updateTable('charges.event').set({ reportAt: null }).where('id', '=', id).execute();
}

/** Deletes unused cards: the patient's page uses them within minutes. */
export async function deleteCardsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('charges.card').where('createdAt', '<', before).execute();
}
