import { sql, type Selectable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';

export type RequestRow = Selectable<DB['demoRequest']>;

/** Whether this address requested a demo for this practice since then. The lock serializes concurrent submits. */
export async function hasRecentRequest(tx: Tx, email: string, practice: string, since: Date): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`demo ${email}`}, 0))`.execute(tx);
  const row = await tx
    .selectFrom('demoRequest')
    .select('id')
    .where('email', '=', email)
    .where('practice', '=', practice)
    .where('createdAt', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

export async function addRequest(
  tx: Tx,
  request: {
    id: string;
    name: string;
    practice: string;
    email: string;
    phone: string | null;
    wish: string | null;
    createdAt: Date;
  },
): Promise<void> {
  await tx.insertInto('demoRequest').values(request).execute();
}

/** Leases the oldest unsent requests until `until`, skipping leased ones. */
export async function takeUnmailed(db: Db, now: Date, until: Date, atMost: number): Promise<RequestRow[]> {
  return db
    .updateTable('demoRequest')
    .set((row) => ({ takenUntil: until, tries: row('tries', '+', 1) }))
    .where('id', 'in', (of) =>
      of
        .selectFrom('demoRequest')
        .select('id')
        .where('mailedAt', 'is', null)
        .where((row) => row.or([row('takenUntil', 'is', null), row('takenUntil', '<=', now)]))
        .orderBy('createdAt')
        .limit(atMost)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

export async function setMailed(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('demoRequest').set({ mailedAt: at }).where('id', '=', id).execute();
}

export async function setNextTry(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('demoRequest').set({ takenUntil: at }).where('id', '=', id).execute();
}

/** Every request, newest first. */
export function allRequests(db: Db): Promise<RequestRow[]> {
  return db.selectFrom('demoRequest').selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').execute();
}
