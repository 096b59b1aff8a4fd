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
      's.launchContext',
      'm.birthDate',
      'm.firstName',
      'm.lastName',
      'v.patientId',
      sql<QuestionnaireResponse>`s.answers`.as('response'),
      // The person who holds the phone: the contact, else the first patient.
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
      's.launchContext',
      'e.patientId',
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

/** A filed form with its answers. */
export interface FiledAnswersRow {
  id: string;
  definitionId: string;
  completedAt: Date;
  patientName: string;
  birthDate: string | null;
  outcome: string | null;
  response: QuestionnaireResponse;
}

/** Where a page of answers begins: after this form. */
export interface AnswersCursor {
  completedAt: Date;
  id: string;
}

/** Valid forms of one type with their answers, newest first, for these days and this name. */
export async function pageOfAnswers(
  tx: Tx,
  filter: { officeId: string; formType: string; from: string | null; to: string | null; words: readonly string[] },
  cursor: AnswersCursor | null,
  limit: number,
): Promise<FiledAnswersRow[]> {
  const { officeId, formType, from, to, words } = filter;
  const { rows } = await sql<FiledAnswersRow>`
    select s.id, s.definition_id, s.completed_at, s.patient_name, m.birth_date, s.outcome, s.answers as response
    from form_submission s
    join visit_member m on m.office_id = s.office_id and m.id = s.member_id
    where s.office_id = ${officeId} and s.form_type = ${formType} and s.state <> 'draft' and s.superseded_at is null
      and (${from}::date is null or s.day >= ${from}::date)
      and (${to}::date is null or s.day <= ${to}::date)
      and not exists (select from unnest(${words}::text[]) w where strpos(' ' || s.search_name, ' ' || w) = 0)
      and (${cursor?.id ?? null}::uuid is null
        or (s.completed_at, s.id) < (${cursor?.completedAt ?? null}::timestamptz, ${cursor?.id ?? null}::uuid))
    order by s.completed_at desc, s.id desc
    limit ${limit}`.execute(tx);
  return rows;
}
