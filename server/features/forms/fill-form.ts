import type { FormDraft, OpenForm, VisitForm, VisitForms } from '#contract/forms/filling.ts';
import { linkIdOf } from '#questionnaire/checking/problems.ts';
import { isBlank, filledValues, type Answers } from '#questionnaire/values.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeScope, VisitCtx } from '#server/context.ts';
import { bumpQueue, entryOwnerFor, type EntryOwner, type LinkScope } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { requestedForms, type Definition, type RequestedForm } from './definition-sql.ts';
import { linkIdsOf, readDefinition } from './definitions.ts';
import { isPaused, withoutPausedDrafts } from './paused-forms.ts';
import { readFiledAnswers } from './form-work.ts';
import { limitSave } from './save-limits.ts';
import {
  currentSubmission,
  draftAnswers,
  filedAnswers,
  findVisit,
  formAskedByLink,
  formsOfVisit,
  insertDraft,
  lockDraft,
  membersOf,
  normalizeForSearch,
  saveDraft,
  type SubmissionRow,
  type VisitOfForms,
} from './sql.ts';

export type VisitScope = OfficeScope & LinkScope;

interface MemberFormKey {
  memberId: string;
  formType: string;
}

interface SavedStep {
  definitionId: string;
  version: number;
  page: number;
  answers: Record<string, unknown[]>;
  amend?: boolean | undefined;
}

/** A form of one family member: its key, and what the office requests now. */
export interface MemberForm {
  officeId: string;
  visitId: string;
  memberId: string;
  formType: string;
  language: Language;
  member: { name: string; birthDate: string | null };
  wanted: RequestedForm | undefined;
  day: string;
  /** The person who checked in, and so filled in the form. */
  filledBy: string;
  /** The token whose drafts and submissions may be read; null for all. */
  own: EntryOwner;
}

/** The forms this visit's family members need, and their progress. A form once begun stays, even if the office stops requesting it. */
export async function listVisitForms(ctx: VisitScope & Pick<VisitCtx, 'token'>): Promise<VisitForms> {
  return ctx.transaction(async (tx) => {
    const own = await entryOwnerFor(tx, ctx);
    const [asked, forms] = await Promise.all([
      formAskedByLink(tx, ctx.officeId, hashToken(ctx.token)),
      visitForms(tx, ctx, own),
    ]);
    await writeAuditEntry(tx, ctx, { action: 'form.list-by-patient', subject: ctx.visitId });
    return { asked, ...forms };
  });
}

/** The forms of a visit's members, for code that already works in the visit. */
export async function visitForms(
  tx: Tx,
  scope: Pick<VisitScope, 'officeId' | 'visitId'>,
  own: EntryOwner = null,
): Promise<Pick<VisitForms, 'members'>> {
  const { officeId, visitId } = scope;
  const [visit, members, wanted, stored] = await Promise.all([
    visitOf(tx, scope),
    membersOf(tx, officeId, visitId),
    requestedForms(tx, officeId),
    formsOfVisit(tx, officeId, visitId, own),
  ]);
  const rows = await withoutPausedDrafts(tx, officeId, stored);
  return {
    members: members.map((member) => {
      const filled = rows.filter(({ memberId }) => memberId === member.id);
      const types = new Set([...wanted.map(({ type }) => type), ...filled.map(({ formType }) => formType)]);
      return {
        memberId: member.id,
        name: `${member.firstName} ${member.lastName}`,
        forms: [...types].map((type) =>
          toVisitForm(
            type,
            wanted.find((form) => form.type === type),
            filled.filter(({ formType }) => formType === type),
            visit.language,
          ),
        ),
      };
    }),
  };
}

function toVisitForm(
  formType: string,
  wanted: RequestedForm | undefined,
  rows: readonly SubmissionRow[],
  language: Language,
): VisitForm {
  const draft = rows.find(({ state }) => state === 'draft');
  const valid = rows.find(({ state }) => state !== 'draft');
  const begun = draft ?? valid;
  return {
    formType,
    formName: wanted?.name[language] ?? begun?.formName ?? formType,
    definitionId: begun?.definitionId ?? wanted?.definitionId ?? '',
    formVersion: begun?.formVersion ?? wanted?.version ?? 0,
    state: valid ? 'submitted' : draft ? 'draft' : 'missing',
    version: draft?.version ?? 0,
    savedAt: draft?.savedAt.toISOString() ?? null,
    submissionId: valid?.id ?? null,
    completedAt: valid?.completedAt?.toISOString() ?? null,
  };
}

/** One form with its questionnaire and its answers: the draft's, else the submitted ones, which can be amended. */
export async function readVisitForm(ctx: VisitScope, given: { memberId: string; formType: string }): Promise<OpenForm> {
  const { form, draft, valid, definition } = await ctx.transaction(async (tx) => {
    const place = await findMemberForm(tx, ctx, given);
    const [stored, valid] = [await lockDraft(tx, place), await currentSubmission(tx, place)];
    const isOnHold = stored !== undefined && (await isPaused(tx, place.officeId, stored.definitionId));
    if (isOnHold && !valid) throw new Refusal('form_not_found');
    const draft = isOnHold ? undefined : stored;
    const rows = [draft, valid].filter((row) => row !== undefined);
    const definition = await definitionFor(tx, place, draft, valid);
    await writeAuditEntry(tx, ctx, {
      action: 'form.read-by-patient',
      subject: draft?.id ?? valid?.id ?? place.memberId,
    });
    return { form: toVisitForm(given.formType, place.wanted, rows, place.language), draft, valid, definition };
  });
  const { questionnaire } = definition;
  const filed = draft || !valid ? null : await readFiledAnswers(questionnaire, filedAnswers(valid), ctx.officeId);
  return {
    ...form,
    definitionId: definition.id,
    formVersion: definition.version,
    questionnaire,
    answers: mutable(draft ? draftAnswers(draft) : filed),
    page: draft?.page ?? 0,
  };
}

const mutable = (answers: Answers | null) => answers as Record<string, unknown[]> | null;

/** Saves a phone's step, within the phone's limits. */
export async function saveFromPhone(ctx: VisitCtx, given: MemberFormKey, step: SavedStep): Promise<FormDraft> {
  await limitSave(ctx, step.answers);
  return saveVisitForm(ctx, given, step);
}

/** Saves a step. Repeating the same step changes nothing; if another phone saved in between, the answer is 409 with the current draft. */
export async function saveVisitForm(ctx: VisitScope, given: MemberFormKey, step: SavedStep): Promise<FormDraft> {
  const attempt = () => ctx.transaction((tx) => saveStep(tx, ctx, given, step));
  const isTaken = (error: unknown) => isViolationOf(error, 'form_draft');
  return attempt()
    .catch((error: unknown) => {
      // Two phones began at the same moment: the other one made the draft, so compare with that one.
      if (isTaken(error)) return attempt();
      throw error;
    })
    .catch((error: unknown) => {
      // The existing draft was begun with another link, whose entries this link may not see.
      throw isTaken(error) ? new Refusal('link_not_proved') : error;
    });
}

async function saveStep(tx: Tx, ctx: VisitScope, given: MemberFormKey, step: SavedStep): Promise<FormDraft> {
  const place = await findMemberForm(tx, ctx, given);
  const draft = await lockDraft(tx, place);
  const valid = await currentSubmission(tx, place);
  if (!draft && valid && !step.amend) throw new Refusal('form_submitted', { id: valid.id });
  const definition = await definitionFor(tx, place, draft, valid);
  if (await isPaused(tx, ctx.officeId, definition.id)) throw new Refusal('form_not_found');
  if (step.definitionId !== definition.id) throw new Refusal('form_outdated', { definitionId: definition.id });
  const answers = step.answers as unknown as Answers;
  const linkIds = linkIdsOf(definition);
  const foreign = Object.keys(answers).find(
    (key) => !linkIds.has(linkIdOf(key)) && !filledValues(answers[key]).every(isBlank),
  );
  if (foreign !== undefined) throw new Refusal('answers_unreadable', { linkId: linkIdOf(foreign) });

  if (draft && step.version !== draft.version) {
    const isSameStep = step.version === draft.version - 1 && sameAnswers(draftAnswers(draft), answers);
    if (!isSameStep) throw new Refusal('form_changed', toFormDraft(draft));
    return toFormDraft(draft);
  }
  if (!draft && step.version !== 0) throw new Refusal('form_changed', emptyDraft(definition.id));

  const at = ctx.now();
  const saved = {
    page: step.page,
    answers: JSON.stringify(answers),
    savedAt: at,
    version: step.version + 1,
    tokenId: ctx.tokenId,
  };
  if (draft) await saveDraft(tx, ctx.officeId, draft.id, saved);
  else await beginDraft(tx, ctx, place, definition, saved, valid);
  return {
    definitionId: definition.id,
    version: saved.version,
    page: step.page,
    savedAt: at.toISOString(),
    answers: step.answers,
  };
}

/** Saves a form's first step and shows the desk that it was begun. */
async function beginDraft(
  tx: Tx,
  ctx: VisitScope,
  place: MemberForm,
  definition: Definition,
  saved: { page: number; answers: string; savedAt: Date; version: number; tokenId: string },
  valid: SubmissionRow | undefined,
): Promise<void> {
  const id = ctx.id();
  const { officeId, visitId, memberId, formType, language } = place;
  await insertDraft(tx, {
    ...saved,
    officeId,
    id,
    visitId,
    memberId,
    definitionId: definition.id,
    formType,
    formVersion: definition.version,
    formName: (place.wanted?.name ?? definition.name)[language],
    language,
    state: 'draft',
    patientName: place.member.name,
    searchName: normalizeForSearch(place.member.name),
    startedAt: saved.savedAt,
    amends: valid?.id ?? null,
  });
  await writeAuditEntry(tx, ctx, { action: 'form.begin', subject: id, details: { form: formType, visit: visitId } });
  await bumpQueue(tx, officeId, place.day);
  await sendHint(tx, { office: officeId, visit: visitId, type: 'checkin' });
}

/** The member's form, if the member belongs to the visit. */
export async function findMemberForm(
  tx: Tx,
  scope: VisitScope,
  { memberId, formType }: { memberId: string; formType: string },
): Promise<MemberForm> {
  const { officeId, visitId } = scope;
  const own = await entryOwnerFor(tx, scope);
  const [visit, members, wanted] = await Promise.all([
    visitOf(tx, scope),
    membersOf(tx, officeId, visitId),
    requestedForms(tx, officeId),
  ]);
  const member = members.find(({ id }) => id === memberId);
  if (!member) throw new Refusal('form_not_found');
  return {
    officeId,
    visitId,
    memberId,
    formType,
    language: visit.language,
    member: { name: `${member.firstName} ${member.lastName}`, birthDate: member.birthDate },
    wanted: wanted.find(({ type }) => type === formType),
    day: visit.day,
    filledBy: `${visit.firstName} ${visit.lastName}`,
    own,
  };
}

/** The draft's version of the form; without a draft the requested one, else the submitted one. */
async function definitionFor(
  tx: Tx,
  place: MemberForm,
  draft: SubmissionRow | undefined,
  valid: SubmissionRow | undefined,
): Promise<Definition> {
  const id = draft?.definitionId ?? place.wanted?.definitionId ?? valid?.definitionId;
  const definition = id === undefined ? undefined : await readDefinition(tx, place.officeId, id);
  if (!definition) throw new Refusal('form_not_found');
  return definition;
}

async function visitOf(tx: Tx, { officeId, visitId }: Pick<VisitScope, 'officeId' | 'visitId'>): Promise<VisitOfForms> {
  const visit = await findVisit(tx, officeId, visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  return visit;
}

export function toFormDraft(row: SubmissionRow): FormDraft {
  const { definitionId, version, page, savedAt } = row;
  return { definitionId, version, page, savedAt: savedAt.toISOString(), answers: mutable(draftAnswers(row)) };
}
const emptyDraft = (definitionId: string): FormDraft => ({
  definitionId,
  version: 0,
  page: 0,
  savedAt: null,
  answers: null,
});

/** Compares answers regardless of the order of fields, because jsonb does not keep it. */
function sameAnswers(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const keys = Object.keys(one);
  const theirs = other as Record<string, unknown>;
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameAnswers((one as Record<string, unknown>)[key], theirs[key]))
  );
}
