import type { Insertable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';

/** The local practice software's own tables. */

export async function behaviorOf(db: Db, practice: string): Promise<'refuse' | 'no-answer' | null> {
  const row = await db
    .selectFrom('practiceSoftware.behavior')
    .select('mode')
    .where('practice', '=', practice)
    .executeTakeFirst();
  return row?.mode ?? null;
}

/** Switches "charged but not recorded" on or off for a practice: tests and the demo use it. */
export async function setBehavior(db: Db, practice: string, mode: 'refuse' | 'no-answer' | null): Promise<void> {
  if (mode === null) await db.deleteFrom('practiceSoftware.behavior').where('practice', '=', practice).execute();
  else
    await db
      .insertInto('practiceSoftware.behavior')
      .values({ practice, mode })
      .onConflict((known) => known.column('practice').doUpdateSet({ mode }))
      .execute();
}

/** The patient's id in this software; a patient it does not know is added, with a claim that is open. */
export async function findPatient(
  tx: Tx,
  newId: () => string,
  patient: { practice: string; userCode: string; name: string; department: string; openCents: number },
): Promise<string> {
  const { openCents, ...row } = patient;
  const added = await tx
    .insertInto('practiceSoftware.patient')
    .values({ id: newId(), ...row })
    .onConflict((known) => known.columns(['practice', 'userCode']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) {
    await tx.insertInto('practiceSoftware.claim').values({ id: newId(), patientId: added.id, openCents }).execute();
    return added.id;
  }
  const known = await tx
    .selectFrom('practiceSoftware.patient')
    .select('id')
    .where('practice', '=', row.practice)
    .where('userCode', '=', row.userCode)
    .executeTakeFirstOrThrow();
  return known.id;
}

export async function findAppointment(
  tx: Tx,
  newId: () => string,
  appointment: { patientId: string; reference: string; day: string },
): Promise<string> {
  const row = await tx
    .insertInto('practiceSoftware.appointment')
    .values({ id: newId(), ...appointment })
    .onConflict((known) => known.columns(['patientId', 'reference']).doUpdateSet({ day: appointment.day }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Takes an amount off the patient's oldest claim; undefined if there is none with as much open. */
export async function payClaim(tx: Tx, patientId: string, cents: number): Promise<string | undefined> {
  const claim = await tx
    .selectFrom('practiceSoftware.claim')
    .select(['id', 'openCents'])
    .where('patientId', '=', patientId)
    .where('openCents', '>=', cents)
    .orderBy('id')
    .forUpdate()
    .executeTakeFirst();
  if (!claim) return undefined;
  await tx
    .updateTable('practiceSoftware.claim')
    .set({ openCents: claim.openCents - cents })
    .where('id', '=', claim.id)
    .execute();
  return claim.id;
}

export async function insertPayment(tx: Tx, payment: Insertable<DB['practiceSoftware.payment']>): Promise<void> {
  await tx.insertInto('practiceSoftware.payment').values(payment).execute();
}
