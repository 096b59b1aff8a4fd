import { sql } from 'kysely';
import type { Tx } from '#server/kit/db/db.ts';

/** The patient's name, empty without one; undefined if the office has no such patient. */
export async function nameOfPatient(tx: Tx, officeId: string, patientId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('patient')
    .select(sql<string>`trim(first_name || ' ' || last_name)`.as('name'))
    .where('officeId', '=', officeId)
    .where('id', '=', patientId)
    .executeTakeFirst();
  return row?.name;
}

/** Whether the visit is this office's. */
export async function hasVisit(tx: Tx, officeId: string, visitId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('visit')
    .select('id')
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids that entries about a patient can name: the patient, their visits with all that belongs to them, messages and surveys. */
export async function subjectsOfPatient(tx: Tx, officeId: string, patientId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with
      visits as (select id from visit where office_id = ${officeId} and patient_id = ${patientId}),
      threads as (
        select c.id from patient p
        join conversation c on c.office_id = p.office_id and (c.patient_id = p.id or (c.phone = p.phone and c.channel = 'text'))
        where p.office_id = ${officeId} and p.id = ${patientId}
      ),
      written as (
        select id, text_id from message where office_id = ${officeId} and conversation_id in (select id from threads)
      ),
      episodes as (select id from episode where office_id = ${officeId} and patient_id = ${patientId})
    select ${patientId}::text as id
    union select id::text from visits
    union select id::text from visit_member where office_id = ${officeId} and visit_id in (select id from visits)
    union select id::text from form_submission where office_id = ${officeId} and visit_id in (select id from visits)
    union select id::text from form_file where office_id = ${officeId} and visit_id in (select id from visits)
    union select id::text from threads
    union select id::text from written
    union select text_id::text from written where text_id is not null
    union select id::text from episodes
    union select id::text from survey where office_id = ${officeId} and episode_id in (select id from episodes)
    union select id::text from nurse_callback where office_id = ${officeId} and episode_id in (select id from episodes)
    union select id::text from episode_file where office_id = ${officeId} and episode_id in (select id from episodes)`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}
