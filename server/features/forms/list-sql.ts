import { sql } from 'kysely';
import { formsPageSize, type FormItem, type ListedForm } from '#contract/forms/desk.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { SubmissionRow } from './sql.ts';

const submissionColumns = [
  'id',
  'objectKey',
  'patientName',
  'completedAt',
  'formType',
  'formName',
  'outcome',
  'state',
  'bytes',
  'visitId',
  'memberId',
] as const;

/** A submission as the desk's lists show it. */
export function toFormItem(
  row: {
    id: string;
    objectKey: string | null;
    patientName: string;
    completedAt: Date | string | null;
    formType: string;
    formName: string;
    outcome: FormItem['outcome'];
    state: SubmissionRow['state'];
    bytes: number | null;
    visitId: string;
  },
  /** The name to show; by default the name it was filed under. */
  name?: string,
): FormItem {
  const completedAt = new Date(row.completedAt ?? 0).toISOString();
  return {
    id: row.id,
    objectKey: row.objectKey ?? '',
    patientName: row.patientName,
    sk: `FORM#${completedAt}`,
    completedAt,
    formType: row.formType,
    formName: name ?? row.formName,
    outcome: row.outcome,
    amended: row.state === 'amended',
    bytes: row.bytes ?? 0,
    visitId: row.visitId,
  };
}

interface FormMatches {
  officeId: string;
  /** Names the filter: its matches are cached under it. */
  filter: string;
  type: string | null;
  from: string | null;
  to: string | null;
  words: readonly string[];
  page: number;
  now: Date;
}

interface MatchesPage {
  total: number;
  /** `birthDate` as typed at check-in. */
  items: (Parameters<typeof toFormItem>[0] & Pick<ListedForm, 'birthDate'>)[];
}

/** One page of the forms that match a filter, newest first, and the number of all matches. */
export async function pageOfMatches(
  tx: Tx,
  { officeId, filter, type, from, to, words, page, now }: FormMatches,
): Promise<MatchesPage> {
  const { rows } = await sql<MatchesPage>`
    select p.total, p.items from form_page(${officeId}, ${filter}, ${type}, ${from}::date, ${to}::date, ${words}::text[], ${page}::int,
      ${formsPageSize}::int, ${now}::timestamptz) p`.execute(tx);
  return rows[0] ?? { items: [], total: 0 };
}

/** How many valid forms of each type were filed on these days under such a name; read from the list's index alone. */
export async function countByType(
  tx: Tx,
  { officeId, from, to, words }: Pick<FormMatches, 'officeId' | 'from' | 'to' | 'words'>,
): Promise<{ formType: string; count: number }[]> {
  const { rows } = await sql<{ formType: string; count: number }>`
    select s.form_type, count(*)::int as count
    from form_submission s
    where s.office_id = ${officeId} and s.state <> 'draft' and s.superseded_at is null
      and (${from}::date is null or s.day >= ${from}::date)
      and (${to}::date is null or s.day <= ${to}::date)
      and not exists (select from unnest(${words}::text[]) w where strpos(' ' || s.search_name, ' ' || w) = 0)
    group by s.form_type
    order by s.form_type`.execute(tx);
  return rows;
}

/** The valid submissions of a visit. */
const selectFiled = (tx: Tx, officeId: string, visitId: string) =>
  tx
    .selectFrom('formSubmission')
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('state', '<>', 'draft')
    .where('supersededAt', 'is', null);

/** The valid submissions of a visit, oldest first. */
export function filedForms(tx: Tx, officeId: string, visitId: string) {
  return selectFiled(tx, officeId, visitId).select(submissionColumns).orderBy('completedAt').orderBy('id').execute();
}

/** One page of the valid submissions of a visit, newest first. */
export function pageOfFiledForms(tx: Tx, officeId: string, visitId: string, page: number) {
  return selectFiled(tx, officeId, visitId)
    .select(submissionColumns)
    .select(({ selectFrom }) =>
      selectFrom('visitMember as m')
        .select('m.birthDate')
        .where('m.officeId', '=', officeId)
        .whereRef('m.id', '=', 'formSubmission.memberId')
        .as('birthDate'),
    )
    .orderBy('completedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(formsPageSize)
    .offset((page - 1) * formsPageSize)
    .execute();
}

export async function countFiledForms(tx: Tx, officeId: string, visitId: string): Promise<number> {
  const { total } = await selectFiled(tx, officeId, visitId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** The valid submissions of all of a patient's visits, newest first. */
export function filedFormsOfPatient(tx: Tx, officeId: string, patientId: string, limit: number) {
  return tx
    .selectFrom('visit as v')
    .innerJoin('formSubmission as s', (join) =>
      join.onRef('s.officeId', '=', 'v.officeId').onRef('s.visitId', '=', 'v.id'),
    )
    .select(submissionColumns.map((column) => `s.${column}` as const))
    .where('v.officeId', '=', officeId)
    .where('v.patientId', '=', patientId)
    .where('s.state', '<>', 'draft')
    .where('s.supersededAt', 'is', null)
    .orderBy('s.completedAt', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute();
}

export async function findPatientId(tx: Tx, officeId: string, userCode: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('patient')
    .select('id')
    .where('officeId', '=', officeId)
    .where('userCode', '=', userCode)
    .executeTakeFirst();
  return row?.id;
}

/** A patient's newest visit that is today's or has submitted forms. */
export async function newestVisitWithForms(
  tx: Tx,
  officeId: string,
  patientId: string,
  today: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('visit as v')
    .select('v.id')
    .where('v.officeId', '=', officeId)
    .where('v.patientId', '=', patientId)
    .where((q) =>
      q.or([
        q('v.day', '=', today),
        q.exists(
          q
            .selectFrom('formSubmission as s')
            .select('s.id')
            .where('s.officeId', '=', officeId)
            .whereRef('s.visitId', '=', 'v.id')
            .where('s.state', '<>', 'draft'),
        ),
      ]),
    )
    .orderBy('v.day', 'desc')
    .orderBy('v.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** The keys of the office's valid PDFs that start with `prefix`, newest first. */
export function pdfKeysBelow(tx: Tx, officeId: string, prefix: string, most: number) {
  return tx
    .selectFrom('formSubmission')
    .select(['objectKey', 'completedAt'])
    .where('officeId', '=', officeId)
    .where('state', '<>', 'draft')
    .where('supersededAt', 'is', null)
    .where(sql<boolean>`starts_with(object_key, ${prefix})`)
    .orderBy('completedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
