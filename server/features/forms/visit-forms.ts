import type { OpenForm, VisitForm, VisitForms } from '#contract/forms/filling.ts';
import type { Language } from '#contract/shapes.ts';
import type { VisitCtx } from '#server/context.ts';
import { entryOwnerFor, type EntryOwner } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { formLengths, requestedForms, type RequestedForm } from './definition-sql.ts';
import { answersToConfirm, earlierFormOf } from './earlier-form.ts';
import { readFiledAnswers } from './form-work.ts';
import { launchContextOf } from './launch-context.ts';
import { definitionFor, findMemberForm, visitOf, type MemberFormKey, type VisitScope } from './member-form.ts';
import { isPaused, withoutPausedDrafts } from './paused-forms.ts';
import { showPrivacyNotice } from './privacy-notice.ts';
import {
  currentSubmission,
  draftAnswers,
  filedAnswers,
  formAskedByLink,
  formsOfVisit,
  lockDraft,
  membersOf,
  type SubmissionRow,
} from './sql.ts';

/**
 * The forms this visit's family members need, and their progress. A form once begun stays, even if the office stops requesting it. A phone
 * that has this list already learns nothing, so nothing is written to the audit log.
 */
export async function listVisitForms(
  ctx: VisitScope & Pick<VisitCtx, 'token'>,
  known: ConditionalRequest | null = null,
): Promise<VersionedReply<VisitForms>> {
  return ctx.transaction(async (tx) => {
    const own = await entryOwnerFor(tx, ctx);
    const [requestedType, forms] = await Promise.all([
      formAskedByLink(tx, ctx.officeId, hashToken(ctx.token)),
      visitForms(tx, ctx, own),
    ]);
    const unfinished = forms.members.flatMap((member) => member.forms.filter(({ state }) => state !== 'submitted'));
    const minutesLeft = await minutesFor(tx, ctx.officeId, unfinished);
    const body = { asked: requestedType, minutesLeft, ...forms };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'form.list-by-patient', subject: ctx.visitId });
    return versionedReply(body, known, { onSend });
  });
}

const secondsPerPage = 20;

/** About how long these forms take, from how long their questionnaires are. */
async function minutesFor(tx: Tx, officeId: string, forms: readonly VisitForm[]): Promise<number> {
  if (forms.length === 0) return 0;
  const lengths = await formLengths(tx, officeId, [...new Set(forms.map(({ definitionId }) => definitionId))]);
  const pages = forms.reduce((sum, { definitionId }) => sum + (lengths.get(definitionId) ?? 0), 0);
  return Math.max(1, Math.round((pages * secondsPerPage) / 60));
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
export async function readVisitForm(ctx: VisitScope, key: MemberFormKey): Promise<OpenForm> {
  const { form, draft, valid, definition, known, launch, lastTime, shown } = await ctx.transaction(async (tx) => {
    const memberForm = await findMemberForm(tx, ctx, key);
    const [stored, valid] = [await lockDraft(tx, memberForm), await currentSubmission(tx, memberForm)];
    const isOnHold = stored !== undefined && (await isPaused(tx, memberForm.officeId, stored.definitionId));
    if (isOnHold && !valid) throw new Refusal('form_not_found');
    const draft = isOnHold ? undefined : stored;
    const rows = [draft, valid].filter((row) => row !== undefined);
    const definition = await definitionFor(tx, memberForm, draft, valid);
    await writeAuditEntry(tx, ctx, {
      action: 'form.read-by-patient',
      subject: draft?.id ?? valid?.id ?? memberForm.memberId,
    });
    const { member, filledBy, phone } = memberForm;
    const known = { ...member, filledBy, phone: ctx.proved ? phone : null };
    const launch = launchContextOf(definition.questionnaire, memberForm, ctx.proved);
    const form = toVisitForm(key.formType, memberForm.wanted, rows, memberForm.language);
    const lastTime = valid ? null : await earlierFormOf(tx, ctx, memberForm, definition.id);
    const shown = await showPrivacyNotice(tx, ctx, key, definition.questionnaire);
    return { form, draft, valid, definition, known, launch, lastTime, shown };
  });
  const { questionnaire } = definition;
  const filed = draft || !valid ? null : await readFiledAnswers(questionnaire, filedAnswers(valid), ctx.officeId);
  const earlier = await answersToConfirm(questionnaire, lastTime, ctx.officeId);
  return {
    ...form,
    definitionId: definition.id,
    formVersion: definition.version,
    questionnaire: shown,
    answers: (draft ? draftAnswers(draft) : filed) as OpenForm['answers'],
    page: draft?.page ?? 0,
    known,
    ...(launch && { launch }),
    ...(earlier && { earlier }),
  };
}
