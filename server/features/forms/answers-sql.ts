import { sql } from 'kysely';
import type { Language } from '#contract/shapes.ts';
import type { QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** A filed form of that key, including a superseded one, with the names of the patient and of the person who filled it in. */
export function filedFormByKey(tx: Tx, officeId: string, key: string) {
  return tx
    .selectFrom('formSubmission as s')
    .innerJoin('visit as v', (join) => join.onRef('v.officeId', '=', 's.officeId').onRef('v.id', '=', 's.visitId'))
    .innerJoin('visitMember as m', (join) =>
      join.onRef('m.officeId', '=', 's.officeId').onRef('m.id', '=', 's.memberId'),
    )
    .select([
      's.id',
      's.definitionId',
      's.formType',
      's.formName',
      's.patientName',
      's.completedAt',
      's.outcome',
      's.state',
      's.supersededAt',
      's.visitId',
      'm.birthDate',
      sql<QuestionnaireResponse>`s.answers`.as('response'),
      // Whoever holds the phone: the contact, else the first patient.
      sql<string>`coalesce(v.contact_first_name, v.first_name) || ' ' || coalesce(v.contact_last_name, v.last_name)`.as(
        'filledBy',
      ),
    ])
    .where('s.officeId', '=', officeId)
    .where('s.objectKey', '=', key)
    .executeTakeFirst();
}

/** A submitted survey of that key. */
export function surveyByKey(tx: Tx, officeId: string, key: string, language: Language) {
  return tx
    .selectFrom('survey as s')
    .innerJoin('episode as e', (join) => join.onRef('e.officeId', '=', 's.officeId').onRef('e.id', '=', 's.episodeId'))
    .select([
      's.id',
      's.definitionId',
      's.submittedAt as completedAt',
      's.episodeId',
      'e.name as patientName',
      sql<string>`s.form_name ->> ${language}::text || ' ' || s.day`.as('formName'),
      sql<QuestionnaireResponse>`s.answers`.as('response'),
    ])
    .where('s.officeId', '=', officeId)
    .where('s.objectKey', '=', key)
    .executeTakeFirst();
}

/** The episode's uploaded pictures that are in the store. */
export function picturesOfEpisode(tx: Tx, officeId: string, episodeId: string) {
  return tx
    .selectFrom('episodeFile')
    .select(['id', 'objectKey', 'contentType'])
    .where('officeId', '=', officeId)
    .where('episodeId', '=', episodeId)
    .where('kind', '<>', 'pdf')
    .where('storedAt', 'is not', null)
    .execute();
}
