import { sql, type Selectable } from 'kysely';
import type { FormItem } from '#contract/forms/desk.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import type { DB } from '#db/tables.ts';
import type { EntryOwner } from '#server/features/queue/index.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type SubmissionRow = Omit<Selectable<DB['formSubmission']>, 'answers'> & {
  /** A draft's are flat; a filed form's are a QuestionnaireResponse. */
  answers: unknown;
};
export const draftAnswers = (row: SubmissionRow) => row.answers as Answers;
export const filedAnswers = (row: SubmissionRow) => row.answers as QuestionnaireResponse;

export interface RequestedForm {
  type: string;
  definitionId: string;
  version: number;
  name: { en: string; es: string };
}

/** The forms the office requests at check-in, in its order. A limited practice requests built-in forms only. */
export async function requestedForms(tx: Tx, officeId: string): Promise<RequestedForm[]> {
  const { rows } = await sql<{
    type: string;
    definitionId: string;
    version: number;
    name: RequestedForm['name'];
    visibleName: unknown;
  }>`
    select k.type, k.id as definition_id, k.version, k.name, w.visible_name
    from office o
    cross join lateral forms_wanted(o.settings) w
    join known_form k on k.office_id = o.id and k.type = w.type
    where o.id = ${officeId} and (o.confirmed_at is not null or not k.own)
    order by w.place`.execute(tx);
  return rows.map(({ visibleName, name, ...form }) => ({ ...form, name: withVisibleNames(visibleName, name) }));
}

/** The office's names for its forms, by type: its own name for a form, else the name in the newest version. */
export async function namesByType(tx: Tx, officeId: string): Promise<Map<string, RequestedForm['name']>> {
  const { rows } = await sql<{ type: string; name: RequestedForm['name']; visibleName: unknown }>`
    select k.type, k.name, w.visible_name
    from known_form k
    join office o on o.id = k.office_id
    left join lateral forms_wanted(o.settings) w on w.type = k.type
    where k.office_id = ${officeId}`.execute(tx);
  return new Map(rows.map(({ type, name, visibleName }) => [type, withVisibleNames(visibleName, name)]));
}

function withVisibleNames(visible: unknown, name: RequestedForm['name']): RequestedForm['name'] {
  const given = (typeof visible === 'object' && visible !== null ? visible : {}) as Record<string, unknown>;
  const word = (language: 'en' | 'es') =>
    typeof given[language] === 'string' && given[language] !== '' ? given[language] : name[language];
  return { en: word('en'), es: word('es') };
}

export async function membersOf(tx: Tx, officeId: string, visitId: string) {
  return tx
    .selectFrom('visitMember')
    .select(['id', 'firstName', 'lastName', 'birthDate'])
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .orderBy('position')
    .execute();
}

/** Drafts and valid submissions of a visit. */
export async function formsOfVisit(
  tx: Tx,
  officeId: string,
  visitId: string,
  enteredWith: EntryOwner = null,
): Promise<SubmissionRow[]> {
  return tx
    .selectFrom('formSubmission')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('supersededAt', 'is', null)
    .$if(enteredWith !== null, (q) => q.where('tokenId', '=', enteredWith))
    .orderBy('startedAt')
    .execute();
}

interface MemberFormKey {
  officeId: string;
  visitId: string;
  memberId: string;
  formType: string;
  own: EntryOwner;
}

const submissionsOf = (tx: Tx, { officeId, visitId, memberId, formType, own }: MemberFormKey) =>
  tx
    .selectFrom('formSubmission')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('memberId', '=', memberId)
    .where('formType', '=', formType)
    .$if(own !== null, (q) => q.where('tokenId', '=', own));

/** Locks the draft, so that the second of two phones sees what the first saved. */
export async function lockDraft(tx: Tx, place: MemberFormKey): Promise<SubmissionRow | undefined> {
  return submissionsOf(tx, place).where('state', '=', 'draft').forUpdate().executeTakeFirst();
}

/** The filed form that is valid: not superseded by an amendment. */
export async function currentSubmission(tx: Tx, place: MemberFormKey): Promise<SubmissionRow | undefined> {
  return submissionsOf(tx, place).where('state', '<>', 'draft').where('supersededAt', 'is', null).executeTakeFirst();
}

/** The columns for delivering a PDF: its key and its file name. The answers are not loaded. */
export const fileColumns = ['id', 'objectKey', 'patientName', 'formName', 'completedAt', 'bytes'] as const;
export type FiledPdf = Pick<SubmissionRow, (typeof fileColumns)[number]>;

/** The office's submissions by the keys of their PDFs, including superseded ones. */
export async function formsByKey(tx: Tx, officeId: string, keys: readonly string[]): Promise<FiledPdf[]> {
  return tx
    .selectFrom('formSubmission')
    .select(fileColumns)
    .where('officeId', '=', officeId)
    .where('objectKey', '=', sql<string>`any(${keys}::text[])`)
    .execute();
}

export const submissionColumns = [
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

/** Bumps the version of each day on which something was filed, so that cached lists of that day are made again. */
export async function bumpFormDays(tx: Tx, officeId: string, days: Iterable<string>): Promise<void> {
  for (const day of [...new Set(days)].sort())
    await tx
      .insertInto('formDay')
      .values({ officeId, id: day, version: 1 })
      .onConflict((conflict) =>
        conflict.columns(['officeId', 'id']).doUpdateSet({ version: sql`form_day.version + 1` }),
      )
      .execute();
}

/** Names as the search compares them: lower case, without accents, one space between words. */
export function normalizeForSearch(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
