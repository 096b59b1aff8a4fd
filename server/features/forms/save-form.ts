import type { FormDraft } from '#contract/forms/filling.ts';
import { linkIdOf } from '#questionnaire/checking/problems.ts';
import { isBlank, filledValues, type Answers } from '#questionnaire/values.ts';
import type { VisitCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { bumpQueue } from '#server/queue-version.ts';
import type { Definition } from './definition-sql.ts';
import { linkIdsOf } from './definitions.ts';
import { definitionFor, findMemberForm, type MemberForm, type MemberFormKey, type VisitScope } from './member-form.ts';
import { isPaused } from './paused-forms.ts';
import { limitSave } from './save-limits.ts';
import {
  currentSubmission,
  draftAnswers,
  insertDraft,
  lockDraft,
  normalizeForSearch,
  saveDraft,
  type SubmissionRow,
} from './sql.ts';

interface SavedStep {
  definitionId: string;
  version: number;
  page: number;
  answers: Record<string, unknown[]>;
  amend?: boolean | undefined;
}

/** Saves a phone's step, within the phone's limits. */
export async function saveFromPhone(ctx: VisitCtx, key: MemberFormKey, step: SavedStep): Promise<FormDraft> {
  await limitSave(ctx, step.answers);
  return saveVisitForm(ctx, key, step);
}

/** Saves a step. Repeating the same step changes nothing; if another phone saved in between, the answer is 409 with the current draft. */
export async function saveVisitForm(ctx: VisitScope, key: MemberFormKey, step: SavedStep): Promise<FormDraft> {
  const attempt = () => ctx.transaction((tx) => saveStep(tx, ctx, key, step));
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

async function saveStep(tx: Tx, ctx: VisitScope, key: MemberFormKey, step: SavedStep): Promise<FormDraft> {
  const memberForm = await findMemberForm(tx, ctx, key);
  const draft = await lockDraft(tx, memberForm);
  const valid = await currentSubmission(tx, memberForm);
  if (!draft && valid && !step.amend) throw new Refusal('form_submitted', { id: valid.id });
  const definition = await definitionFor(tx, memberForm, draft, valid);
  if (await isPaused(tx, ctx.officeId, definition.id)) throw new Refusal('form_not_found');
  if (step.definitionId !== definition.id) throw new Refusal('form_outdated', { definitionId: definition.id });
  const answers = step.answers as unknown as Answers;
  const linkIds = linkIdsOf(definition);
  const foreign = Object.keys(answers).find(
    (answered) => !linkIds.has(linkIdOf(answered)) && !filledValues(answers[answered]).every(isBlank),
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
  else await beginDraft(tx, ctx, memberForm, definition, saved, valid);
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
  memberForm: MemberForm,
  definition: Definition,
  saved: { page: number; answers: string; savedAt: Date; version: number; tokenId: string },
  valid: SubmissionRow | undefined,
): Promise<void> {
  const id = ctx.id();
  const { officeId, visitId, memberId, formType, language } = memberForm;
  await insertDraft(tx, {
    ...saved,
    officeId,
    id,
    visitId,
    memberId,
    definitionId: definition.id,
    formType,
    formVersion: definition.version,
    formName: (memberForm.wanted?.name ?? definition.name)[language],
    language,
    state: 'draft',
    patientName: memberForm.member.name,
    searchName: normalizeForSearch(memberForm.member.name),
    startedAt: saved.savedAt,
    amends: valid?.id ?? null,
  });
  await writeAuditEntry(tx, ctx, { action: 'form.begin', subject: id, details: { form: formType, visit: visitId } });
  await bumpQueue(tx, officeId, memberForm.day, [visitId]);
  await sendHint(tx, { office: officeId, visit: visitId, type: 'checkin' });
}

export function toFormDraft(row: SubmissionRow): FormDraft {
  const { definitionId, version, page, savedAt } = row;
  return {
    definitionId,
    version,
    page,
    savedAt: savedAt.toISOString(),
    answers: draftAnswers(row) as FormDraft['answers'],
  };
}
const emptyDraft = (definitionId: string): FormDraft => ({
  definitionId,
  version: 0,
  page: 0,
  savedAt: null,
  answers: null,
});

/** Compares answers regardless of the order of fields, because jsonb does not keep it. */
export function sameAnswers(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const keys = Object.keys(one);
  const theirs = other as Record<string, unknown>;
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameAnswers((one as Record<string, unknown>)[key], theirs[key]))
  );
}
