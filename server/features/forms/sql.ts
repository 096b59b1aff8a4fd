import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Language } from '#contract/shapes.ts';
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

export interface VisitOfForms {
  language: Language;
  day: string;
  firstName: string;
  lastName: string;
  phone: string;
}

/** A visit, with the name of who holds the phone: the contact, else the first patient. */
export function findVisit(tx: Tx, officeId: string, visitId: string): Promise<VisitOfForms | undefined> {
  return tx
    .selectFrom('visit')
    .select((q) => [
      'language',
      'day',
      'phone',
      q.fn.coalesce('contactFirstName', 'firstName').as('firstName'),
      q.fn.coalesce('contactLastName', 'lastName').as('lastName'),
    ])
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .executeTakeFirst();
}

/** The form that a link's text asked for. */
export async function formAskedByLink(tx: Tx, officeId: string, tokenHash: Buffer): Promise<string | null> {
  const link = await tx
    .selectFrom('visitToken')
    .select('askedForm')
    .where('officeId', '=', officeId)
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  return link?.askedForm ?? null;
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

/** When this form was first begun at this visit, whatever was amended since. There has to be a draft. */
export async function firstStart(tx: Tx, place: MemberFormKey): Promise<Date> {
  const { startedAt } = await submissionsOf(tx, place)
    .clearSelect()
    .select('startedAt')
    .orderBy('startedAt')
    .executeTakeFirstOrThrow();
  return startedAt;
}

export async function insertDraft(tx: Tx, draft: Insertable<DB['formSubmission']>): Promise<void> {
  await tx.insertInto('formSubmission').values(draft).execute();
}

type SubmissionColumns = Updateable<DB['formSubmission']>;

const updateSubmission = (tx: Tx, officeId: string, id: string, columns: SubmissionColumns) =>
  tx.updateTable('formSubmission').set(columns).where('officeId', '=', officeId).where('id', '=', id);

export async function saveDraft(tx: Tx, officeId: string, id: string, columns: SubmissionColumns): Promise<void> {
  await updateSubmission(tx, officeId, id, columns).execute();
}

/** Marks a filed form as replaced by an amendment. */
export async function supersede(tx: Tx, officeId: string, id: string, supersededAt: Date): Promise<void> {
  await updateSubmission(tx, officeId, id, { supersededAt }).execute();
}

/** Makes a filed form of a draft. */
export function fileDraft(tx: Tx, officeId: string, id: string, columns: SubmissionColumns): Promise<SubmissionRow> {
  return updateSubmission(tx, officeId, id, columns).returningAll().executeTakeFirstOrThrow();
}

/** Deletes the drafts that were last saved before `savedBefore`. */
export async function deleteDrafts(tx: Tx, officeId: string, savedBefore: Date): Promise<void> {
  await tx
    .deleteFrom('formSubmission')
    .where('officeId', '=', officeId)
    .where('state', '=', 'draft')
    .where('savedAt', '<', savedBefore)
    .execute();
}

/** The columns for delivering a PDF: its key and its file name. The answers are not loaded. */
const fileColumns = ['id', 'objectKey', 'patientName', 'formName', 'completedAt', 'bytes'] as const;
export type FiledPdf = Pick<SubmissionRow, (typeof fileColumns)[number]>;

/** The office's submissions by the keys of their PDFs, including superseded ones, and its submitted surveys. */
export async function formsByKey(tx: Tx, officeId: string, keys: readonly string[]): Promise<FiledPdf[]> {
  const isOneOf = sql<string>`any(${keys}::text[])`;
  return tx
    .selectFrom('formSubmission')
    .select(fileColumns)
    .where('officeId', '=', officeId)
    .where('objectKey', '=', isOneOf)
    .unionAll(
      tx
        .selectFrom('survey as s')
        .innerJoin('episode as e', (join) =>
          join.onRef('e.officeId', '=', 's.officeId').onRef('e.id', '=', 's.episodeId'),
        )
        .select([
          's.id',
          's.objectKey',
          'e.name as patientName',
          sql<string>`s.form_name ->> s.language || ' ' || s.day`.as('formName'),
          's.submittedAt as completedAt',
          's.bytes',
        ])
        .where('s.officeId', '=', officeId)
        .where('s.objectKey', '=', isOneOf),
    )
    .execute();
}

/** The valid PDF of one member's form, and the office's time zone. */
export function findMemberPdf(
  tx: Tx,
  { officeId, visitId, memberId, formType, own }: MemberFormKey,
): Promise<(FiledPdf & { timeZone: string }) | undefined> {
  return tx
    .selectFrom('formSubmission as s')
    .innerJoin('office as o', 'o.id', 's.officeId')
    .select(fileColumns.map((column) => `s.${column}` as const))
    .select('o.timeZone')
    .$if(own !== null, (q) => q.where('s.tokenId', '=', own))
    .where('s.officeId', '=', officeId)
    .where('s.visitId', '=', visitId)
    .where('s.memberId', '=', memberId)
    .where('s.formType', '=', formType)
    .where('s.state', '<>', 'draft')
    .where('s.supersededAt', 'is', null)
    .executeTakeFirst();
}

interface EarlierForm {
  officeId: string;
  visitId: string;
  formType: string;
  phone: string;
  /** The patient, as `normalizeForSearch` writes the name. */
  searchName: string;
  birthDate: string;
  /** The version of the form: in another one a question may have another meaning. */
  definitionId: string;
  /** The oldest day that counts. */
  since: string;
}

/**
 * The form as the same patient last submitted it at another visit with the same phone number, by the link that was texted to it. Name and
 * birth date alone are no proof; anybody may know them, and a stranger may have typed the number.
 */
export function findEarlierForm(tx: Tx, earlier: EarlierForm) {
  return tx
    .selectFrom('visit as v')
    .innerJoin('visitMember as m', (join) =>
      join.onRef('m.officeId', '=', 'v.officeId').onRef('m.visitId', '=', 'v.id'),
    )
    .innerJoin('formSubmission as s', (join) =>
      join.onRef('s.officeId', '=', 'm.officeId').onRef('s.visitId', '=', 'm.visitId').onRef('s.memberId', '=', 'm.id'),
    )
    .innerJoin('visitToken as t', (join) => join.onRef('t.officeId', '=', 's.officeId').onRef('t.id', '=', 's.tokenId'))
    .select(['s.id', 's.answers', 'v.day'])
    .where('v.officeId', '=', earlier.officeId)
    .where('t.proved', '=', true)
    .where('s.definitionId', '=', earlier.definitionId)
    .where('v.phone', '=', earlier.phone)
    .where('v.day', '>=', earlier.since)
    .where('v.id', '<>', earlier.visitId)
    .where('m.birthDate', '=', earlier.birthDate)
    .where('s.searchName', '=', earlier.searchName)
    .where('s.formType', '=', earlier.formType)
    .where('s.state', '<>', 'draft')
    .where('s.supersededAt', 'is', null)
    .orderBy('s.completedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The patients who checked in with this number since a day, each name with each birth date once. */
export function patientsOfNumber(tx: Tx, search: { officeId: string; phone: string; since: string }) {
  return tx
    .selectFrom('visit as v')
    .innerJoin('visitMember as m', (join) =>
      join.onRef('m.officeId', '=', 'v.officeId').onRef('m.visitId', '=', 'v.id'),
    )
    .select(['m.firstName', 'm.lastName', 'm.birthDate'])
    .distinct()
    .where('v.officeId', '=', search.officeId)
    .where('v.phone', '=', search.phone)
    .where('v.day', '>=', search.since)
    .execute();
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
