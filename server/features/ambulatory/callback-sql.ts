import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { callbacksPerPage } from '#contract/ambulatory/shapes.ts';
import type { CallbackSort, NurseCallback } from '#contract/ambulatory/callbacks.ts';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

const mostCallbacks = 50;

/** Callbacks with their patients. */
function callbackRows(tx: Tx, officeId: string) {
  return tx
    .selectFrom('nurseCallback as c')
    .innerJoin('episode as e', (join) => join.onRef('e.officeId', '=', 'c.officeId').onRef('e.id', '=', 'c.episodeId'))
    .innerJoin('patient as p', (join) => join.onRef('p.officeId', '=', 'e.officeId').onRef('p.id', '=', 'e.patientId'))
    .selectAll('c')
    .select(['e.name', 'e.phone', 'e.stationaryPain', 'e.movementPain', 'p.userCode'])
    .where('c.officeId', '=', officeId);
}
export type CallbackRow = Awaited<ReturnType<ReturnType<typeof callbackRows>['executeTakeFirstOrThrow']>>;

export function callbackById(tx: Tx, officeId: string, id: string): Promise<CallbackRow | undefined> {
  return callbackRows(tx, officeId).where('c.id', '=', id).executeTakeFirst();
}

/** A patient's callbacks, newest first. */
export function callbacksOf(tx: Tx, officeId: string, episodeId: string): Promise<CallbackRow[]> {
  return callbackRows(tx, officeId)
    .where('c.episodeId', '=', episodeId)
    .orderBy('c.raisedAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(mostCallbacks)
    .execute();
}

/** One page: of those that wait, or of the closed ones. */
export function callbackPage(
  tx: Tx,
  officeId: string,
  { closed, sort, order, page }: { closed: boolean; sort: CallbackSort; order: 'asc' | 'desc'; page: number },
): Promise<CallbackRow[]> {
  const rows = callbackRows(tx, officeId)
    .where('c.state', closed ? '=' : '<>', 'closed')
    .offset((page - 1) * callbacksPerPage)
    .limit(callbacksPerPage);
  const columns = { name: 'e.sortName', stationary: 'e.stationaryPain', movement: 'e.movementPain' } as const;
  const sorted =
    sort === 'waiting'
      ? rows.orderBy(closed ? 'c.closedAt' : 'c.raisedAt', order)
      : sort === 'news'
        ? rows.orderBy('c.newsAt', order)
        : rows.orderBy(columns[sort], (by) => (order === 'asc' ? by.asc() : by.desc()).nullsLast());
  return sorted.orderBy('c.id').execute();
}

/** How many callbacks wait, how many of them nobody has taken, since when the newest of those has its newest reason, and how many are closed. */
export function countCallbacks(tx: Tx, officeId: string) {
  return tx
    .selectFrom('nurseCallback')
    .select((q) => [
      q.fn.countAll<number>().filterWhere('state', '<>', 'closed').as('waiting'),
      q.fn.countAll<number>().filterWhere('state', '=', 'open').as('open'),
      q.fn.countAll<number>().filterWhere('state', '=', 'closed').as('closed'),
      q.fn.max('newsAt').filterWhere('state', '=', 'open').as('newsAt'),
    ])
    .where('officeId', '=', officeId)
    .executeTakeFirstOrThrow();
}

export type LockedCallback = Selectable<DB['nurseCallback']>;

/** One callback, locked: of two nurses who take it, the second sees the first one's name. */
export function lockCallback(tx: Tx, officeId: string, id: string): Promise<LockedCallback | undefined> {
  return tx
    .selectFrom('nurseCallback')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The open callback of an episode, locked. */
export function lockOpenCallback(tx: Tx, officeId: string, episodeId: string): Promise<LockedCallback | undefined> {
  return tx
    .selectFrom('nurseCallback')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('episodeId', '=', episodeId)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst();
}

/** Since when the patient waits for the call they asked for; null if they do not. */
export async function callRequestedAt(tx: Tx, officeId: string, episodeId: string): Promise<Date | null> {
  const { at } = await tx
    .selectFrom('nurseCallback')
    .select((q) => q.fn.min('askedAt').as('at'))
    .where('officeId', '=', officeId)
    .where('episodeId', '=', episodeId)
    .where('state', '<>', 'closed')
    .executeTakeFirstOrThrow();
  return at;
}

export async function insertCallback(tx: Tx, callback: Insertable<DB['nurseCallback']>): Promise<void> {
  await tx.insertInto('nurseCallback').values(callback).execute();
}

export async function setCallback(
  tx: Tx,
  officeId: string,
  id: string,
  columns: Updateable<DB['nurseCallback']>,
): Promise<void> {
  await tx
    .updateTable('nurseCallback')
    .set({ ...columns, version: sql<number>`version + 1` })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}

export async function deleteCallback(tx: Tx, officeId: string, id: string): Promise<void> {
  await tx.deleteFrom('nurseCallback').where('officeId', '=', officeId).where('id', '=', id).execute();
}

export function toCallback(row: CallbackRow): NurseCallback {
  const staff = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });
  return {
    id: row.id,
    version: row.version,
    state: row.state,
    reasons: [...row.reasons],
    raisedAt: row.raisedAt.toISOString(),
    newsAt: row.newsAt.toISOString(),
    day: row.day,
    userCode: row.userCode,
    userId: row.episodeId,
    patientName: row.name,
    phoneNumber: row.phone,
    stationaryPainScore: row.stationaryPain,
    movementPainScore: row.movementPain,
    takenBy: staff(row.takenBy, row.takenByName),
    takenAt: row.takenAt?.toISOString() ?? null,
    closedBy: staff(row.closedBy, row.closedByName),
    closedAt: row.closedAt?.toISOString() ?? null,
    note: row.note,
  };
}
