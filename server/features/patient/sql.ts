import { sql } from 'kysely';
import type { Language } from '#contract/shapes.ts';
import type { VisitRow } from '#server/features/queue/index.ts';
import type { Tx } from '#server/kit/db/db.ts';

export function findVisit(tx: Tx, officeId: string, visitId: string): Promise<VisitRow | undefined> {
  return tx
    .selectFrom('visit')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .executeTakeFirst();
}

/** The visit's family members in the order they were entered. */
export function membersOf(tx: Tx, officeId: string, visitId: string) {
  return tx
    .selectFrom('visitMember')
    .select(['firstName', 'lastName'])
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .orderBy('position')
    .execute();
}

/** Saves that a phone had the visit's page open, and whether that page was of an older build. */
export async function setPhone(
  tx: Tx,
  officeId: string,
  visitId: string,
  phone: { phoneSeenAt: Date; phoneOutdated: boolean },
): Promise<void> {
  await tx.updateTable('visit').set(phone).where('officeId', '=', officeId).where('id', '=', visitId).execute();
}

export async function setVisitLanguage(tx: Tx, officeId: string, visitId: string, language: Language): Promise<void> {
  await tx.updateTable('visit').set({ language }).where('officeId', '=', officeId).where('id', '=', visitId).execute();
}

export async function setPatientLanguage(
  tx: Tx,
  officeId: string,
  patientId: string,
  language: Language,
): Promise<void> {
  await tx
    .updateTable('patient')
    .set({ language })
    .where('officeId', '=', officeId)
    .where('id', '=', patientId)
    .execute();
}

/** The conversation with the number of a visit. */
export async function conversationOfPhone(tx: Tx, officeId: string, visitId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('conversation as c')
    .innerJoin('visit as v', (join) => join.onRef('v.officeId', '=', 'c.officeId').onRef('v.phone', '=', 'c.phone'))
    .select('c.id')
    .where('c.officeId', '=', officeId)
    .where('c.channel', '=', sql.lit('text'))
    .where('v.id', '=', visitId)
    .executeTakeFirst();
  return row?.id;
}

/** Whether the patient's message with this id is there. */
export async function messageOfPatient(
  tx: Tx,
  officeId: string,
  { visitId, clientId }: { visitId: string; clientId: string },
): Promise<boolean> {
  const found = await tx
    .selectFrom('message')
    .select('id')
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('clientId', '=', clientId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The newest message of either side between the practice and a number, without texts of Send SMS, which nobody answers with HERE. */
export function newestMessageOf(tx: Tx, officeId: string, phone: string) {
  return tx
    .selectFrom('message as m')
    .innerJoin('conversation as c', (on) =>
      on.onRef('c.officeId', '=', 'm.officeId').onRef('c.id', '=', 'm.conversationId'),
    )
    .leftJoin('text as t', (on) => on.onRef('t.officeId', '=', 'm.officeId').onRef('t.id', '=', 'm.textId'))
    .select(['m.sender', 'm.kind', 'm.body', 'm.at'])
    .where('m.officeId', '=', officeId)
    .where('c.officeId', '=', officeId)
    .where('c.channel', '=', sql.lit('text'))
    .where('c.phone', '=', phone)
    .where('m.sender', '!=', 'system')
    .where('t.sendBy', 'is', null)
    .orderBy('m.sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Marks where the transaction stands before an answer, which may be refused without undoing what happened before it. */
export async function setAnswerSavepoint(tx: Tx): Promise<void> {
  await sql`savepoint answer`.execute(tx);
}

export async function rollBackToAnswerSavepoint(tx: Tx): Promise<void> {
  await sql`rollback to savepoint answer`.execute(tx);
}
