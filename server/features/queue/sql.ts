import { sql, type Selectable } from 'kysely';
import type { EndReason, QueueEntry, VisitActor, VisitEvent, VisitStatus } from '#contract/queue.ts';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type VisitRow = Selectable<DB['visit']>;

/** Locks the row until the transaction ends, so that the second of two concurrent moves sees the first. */
export function lockVisit(tx: Tx, officeId: string, visitId: string): Promise<VisitRow | undefined> {
  return tx
    .selectFrom('visit')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .forUpdate()
    .executeTakeFirst();
}

/** The visit's day; undefined for an unknown visit. */
export async function dayOfVisit(tx: Tx, officeId: string, visitId: string): Promise<string | undefined> {
  const visit = await tx
    .selectFrom('visit')
    .select('day')
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .executeTakeFirst();
  return visit?.day;
}

/** Finds a visit by the patient's code and its `createdAt`, as the queue's callers name it. */
export async function findVisitId(
  tx: Tx,
  officeId: string,
  userCode: string,
  createdAt: Date,
): Promise<string | undefined> {
  const found = await tx
    .selectFrom('visit as v')
    .innerJoin('patient as p', (join) => join.onRef('p.officeId', '=', 'v.officeId').onRef('p.id', '=', 'v.patientId'))
    .select('v.id')
    .where('v.officeId', '=', officeId)
    .where('p.userCode', '=', userCode)
    .where(sql`coalesce(v.arrived_at, v.created_at)`, '=', createdAt)
    .executeTakeFirst();
  return found?.id;
}

/**
 * The visit of a message whose sender names only the patient: today's, one whose patient opened a texted link first (a number that was
 * only typed may not be the patient's), then one that is still open; without any today, the newest one.
 */
export async function visitForMessage(
  tx: Tx,
  { officeId, userCode, today }: { officeId: string; userCode: string; today: string },
): Promise<string | undefined> {
  const found = await tx
    .selectFrom('visit as v')
    .innerJoin('patient as p', (join) => join.onRef('p.officeId', '=', 'v.officeId').onRef('p.id', '=', 'v.patientId'))
    .select('v.id')
    .where('v.officeId', '=', officeId)
    .where('p.userCode', '=', userCode)
    .orderBy(sql`v.day <> ${today}::date`)
    .orderBy(sql`v.day = ${today}::date and v.proved_at is null`)
    .orderBy(sql`v.day = ${today}::date and v.ended_at is not null`)
    .orderBy('v.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}

/** The visit, if it is this patient's. */
export async function visitOfPatient(
  tx: Tx,
  { officeId, userCode, visitId }: { officeId: string; userCode: string; visitId: string },
): Promise<string | undefined> {
  const found = await tx
    .selectFrom('visit as v')
    .innerJoin('patient as p', (join) => join.onRef('p.officeId', '=', 'v.officeId').onRef('p.id', '=', 'v.patientId'))
    .select('v.id')
    .where('v.officeId', '=', officeId)
    .where('v.id', '=', visitId)
    .where('p.userCode', '=', userCode)
    .executeTakeFirst();
  return found?.id;
}

export interface Ending {
  reason: EndReason | null;
  note: string | null;
}

/** The statement of a move's result. The caller holds the row's lock and has checked that the move is allowed. */
export function statusStatement(
  tx: Tx,
  visit: VisitRow,
  to: VisitStatus,
  at: Date,
  by: { kind: VisitActor; name: string | null },
  changes: { invited: boolean; arrival: { autoInviteAt: Date | null } | null; ending: Ending | null },
) {
  return tx
    .updateTable('visit')
    .set({
      status: to,
      version: visit.version + 1,
      statusAt: to === visit.status ? visit.statusAt : at,
      actedBy: by.kind,
      actedByName: by.name,
      stillWaitingAt: null,
      ...(changes.invited && { invitedAt: at }),
      ...(changes.arrival && { arrivedAt: at, ...changes.arrival }),
      ...(changes.ending
        ? { statusBefore: visit.status, endedAt: at, endReason: changes.ending.reason, endNote: changes.ending.note }
        : { statusBefore: null, endedAt: null, endReason: null, endNote: null }),
    })
    .where('officeId', '=', visit.officeId)
    .where('id', '=', visit.id);
}

/** Moves the visit's automatic invitation to another time; null cancels it. */
export async function setAutoInvite(
  tx: Tx,
  visit: Pick<VisitRow, 'officeId' | 'id'>,
  autoInviteAt: Date | null,
): Promise<void> {
  await tx
    .updateTable('visit')
    .set({ autoInviteAt })
    .where('officeId', '=', visit.officeId)
    .where('id', '=', visit.id)
    .execute();
}

/** The statement of one entry in the visit's history. */
export function eventStatement(
  tx: Tx,
  event: VisitEvent & { id: string; officeId: string; visitId: string; actorId: string | null; version: number },
) {
  return tx.insertInto('visitEvent').values({
    officeId: event.officeId,
    id: event.id,
    visitId: event.visitId,
    at: new Date(event.at),
    move: event.move,
    fromStatus: event.from,
    toStatus: event.to,
    actor: event.by,
    actorId: event.actorId,
    actorName: event.byName,
    note: event.note,
    version: event.version,
  });
}

/** The visit as the queue shows it. */
export async function entryOf(tx: Tx, officeId: string, visitId: string): Promise<QueueEntry | undefined> {
  const { rows } = await sql<{
    entry: QueueEntry;
  }>`select entry from queue_entries(${officeId}::uuid, null, array[${visitId}::uuid])`.execute(tx);
  return rows[0]?.entry;
}

export async function eventsOf(tx: Tx, officeId: string, visitId: string) {
  return tx
    .selectFrom('visitEvent')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .orderBy('version')
    .orderBy('at')
    .execute();
}

/** The name of whoever holds the phone of a visit without being a patient, such as a parent; null if it is a patient. */
export async function contactNameOf(tx: Tx, officeId: string, visitId: string): Promise<string | null> {
  const { contactFirstName, contactLastName } = await tx
    .selectFrom('visit')
    .select(['contactFirstName', 'contactLastName'])
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .executeTakeFirstOrThrow();
  return contactFirstName === null ? null : `${contactFirstName} ${contactLastName ?? ''}`.trim();
}

/** The visit's position among those who wait: 1 is next. */
export async function queuePositionOf(tx: Tx, visit: VisitRow): Promise<number> {
  const row = await tx
    .selectFrom('visit')
    .select((q) => q.fn.countAll<number>().as('before'))
    .where('officeId', '=', visit.officeId)
    .where('day', '=', visit.day)
    .where('status', '=', 'WAITING')
    .where((q) =>
      q.or([
        q('arrivedAt', '<', visit.arrivedAt),
        q.and([q('arrivedAt', '=', visit.arrivedAt), q('id', '<', visit.id)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return row.before + 1;
}
