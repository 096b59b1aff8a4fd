import type * as z from 'zod/mini';
import type { FormOutcome } from '#contract/forms/shapes.ts';
import { addressLine } from '#contract/practice/address-line.ts';
import { entryOwnerFor, type EntryOwner } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { officeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { bumpQueue } from '#server/queue-version.ts';
import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import type { Definition } from './definition-sql.ts';
import { readDefinition } from './definitions.ts';
import { picturesOfVisit, setFilesUsed } from './file-sql.ts';
import { deleteFormFile, storeFormFile, readFormFile, type StoredFormFile } from './files.ts';
import { launchContextOf } from './launch-context.ts';
import { findMemberForm, type MemberForm, type VisitScope } from './member-form.ts';
import { toFormDraft } from './save-form.ts';
import type { FormPdf } from './form-pdf.ts';
import { createFormPdfInWorker, prepareFormInWorker } from './form-work.ts';
import { isPaused } from './paused-forms.ts';
import type { PreparedSubmission } from './prepare-submission.ts';
import { shownNotice, withPrivacyNotice } from './privacy-notice.ts';
import {
  bumpFormDays,
  currentSubmission,
  draftAnswers,
  fileDraft,
  firstStart,
  lockDraft,
  supersede,
  type SubmissionRow,
} from './sql.ts';

/** Enough for a large family; each submission costs a PDF. */
const perVisit = { name: 'form-submissions', points: 120, seconds: 3600 };

export interface SubmittedForm {
  submissionId: string;
  formName: string;
  completedAt: string;
  outcome: z.output<typeof FormOutcome>;
}

/** What the first transaction reads. The second one refuses if it changed in the meantime. */
interface LoadedDraft {
  place: MemberForm;
  draft: SubmissionRow;
  valid: SubmissionRow | undefined;
  /** When the patient began the form. An amendment keeps the beginning of the form that it amends. */
  startedAt: Date;
  definition: Definition;
  office: Awaited<ReturnType<typeof officeRow>>;
  files: Map<string, VisitFile>;
  launch: LaunchContext | undefined;
  /** The address of the practice's own privacy notice that the form showed. */
  noticeUrl: string | null;
}

interface VisitFile {
  id: string;
  objectKey: string;
  contentType: string;
  bytes: number;
  kind: string;
}

/**
 * Files a form: checks it, stores its PDF, then marks it submitted in one transaction. If any step refuses, the draft stays as it was. Filing
 * is idempotent: a form submitted twice is filed once. The slow work happens between two transactions, not inside one.
 */
export async function submitVisitForm(
  ctx: VisitScope,
  memberForm: { memberId: string; formType: string },
  version: number,
): Promise<SubmittedForm> {
  await ctx.limits.take(perVisit, ctx.visitId);
  const loaded = await ctx.transaction((tx) => loadDraft(tx, ctx, memberForm, version));
  if ('submissionId' in loaded) return loaded;

  const completedAt = ctx.now();
  const prepared = await prepareDraft(ctx, loaded, completedAt);
  const formPdf = formPdfOf(ctx, loaded, prepared, completedAt);
  const content = await createFormPdfInWorker(formPdf, () => readPictures(ctx, loaded, prepared), ctx.officeId);
  const { visitId, tokenId } = ctx;
  const file = await storeFormFile(ctx, { visitId, tokenId, kind: 'pdf', content, contentType: 'application/pdf' });
  const filed = await ctx
    .transaction((tx) => fileForm(tx, ctx, { ...loaded, prepared, formPdf, file }))
    .catch(async (error: unknown) => {
      await deleteFormFile(ctx, file);
      throw error;
    });
  if (filed.objectKey !== file.objectKey) await deleteFormFile(ctx, file);
  return toSubmittedForm(filed);
}

/** The draft with everything that filing it needs, or the form if it was already filed. */
async function loadDraft(
  tx: Tx,
  ctx: VisitScope,
  memberForm: { memberId: string; formType: string },
  version: number,
): Promise<LoadedDraft | SubmittedForm> {
  const place = await findMemberForm(tx, ctx, memberForm);
  const draft = await lockDraft(tx, place);
  const valid = await currentSubmission(tx, place);
  if (!draft) {
    if (!valid) throw new Refusal('form_incomplete', { problems: [{ code: 'blank', linkId: '', path: '' }] });
    return toSubmittedForm(valid);
  }
  if (await isPaused(tx, ctx.officeId, draft.definitionId)) throw new Refusal('form_not_found');
  if (draft.version !== version) throw new Refusal('form_changed', toFormDraft(draft));
  const definition = await readDefinition(tx, ctx.officeId, draft.definitionId);
  if (!definition) throw new Error('the definition of a draft is missing');
  return {
    place,
    draft,
    valid,
    startedAt: await firstStart(tx, place),
    definition,
    office: await officeRow(tx, ctx.officeId),
    noticeUrl: await shownNotice(tx, ctx, memberForm),
    files: await filesOf(tx, ctx, place.own),
    launch: launchContextOf(definition.questionnaire, place, ctx.proved),
  };
}

async function prepareDraft(ctx: VisitScope, loaded: LoadedDraft, completedAt: Date): Promise<PreparedSubmission> {
  const { place, draft, valid, startedAt, definition, office, files, launch } = loaded;
  const prepared = await prepareFormInWorker(
    {
      questionnaire: definition.questionnaire,
      answers: draftAnswers(draft),
      files,
      today: dayOf(completedAt, office.timeZone),
      timeZone: office.timeZone,
      startedAt: startedAt.toISOString(),
      launch,
      known: { ...place.member, filledBy: place.filledBy, phone: ctx.proved ? place.phone : null },
      about: {
        status: valid ? 'amended' : 'completed',
        authored: completedAt.toISOString(),
        language: place.language,
      },
    },
    ctx.officeId,
  );
  if ('problems' in prepared)
    throw new Refusal('form_incomplete', { id: draft.id, problems: prepared.problems.slice(0, 200) });
  return prepared;
}

async function readPictures(ctx: VisitScope, { files }: LoadedDraft, { fileIds }: PreparedSubmission) {
  const pictures = new Map<string, { content: Buffer; contentType: string }>();
  for (const id of fileIds) {
    const { objectKey, contentType } = files.get(id) as VisitFile;
    pictures.set(id, { content: await readFormFile(ctx, objectKey), contentType });
  }
  return pictures;
}

function formPdfOf(
  ctx: VisitScope,
  loaded: LoadedDraft,
  { answers, setting }: PreparedSubmission,
  completedAt: Date,
): FormPdf {
  const { place, draft, valid, definition, office, noticeUrl } = loaded;
  return {
    language: place.language,
    questionnaire: withPrivacyNotice(definition.questionnaire, noticeUrl),
    answers,
    setting,
    formName: (place.wanted?.name ?? definition.name)[place.language],
    formType: definition.type,
    formVersion: definition.version,
    officeName: office.name,
    officeAddress: addressLine(office),
    timeZone: office.timeZone,
    patientName: place.member.name,
    birthDate: place.member.birthDate,
    filledBy: place.filledBy,
    completedAt,
    submissionId: draft.id,
    amends: valid?.id ?? null,
    product: ctx.env.productName,
  };
}

async function filesOf(tx: Tx, { officeId, visitId }: VisitScope, own: EntryOwner): Promise<Map<string, VisitFile>> {
  const rows = await picturesOfVisit(tx, officeId, visitId, own);
  return new Map(rows.map((row) => [row.id, { ...row, bytes: row.bytes ?? 0 }]));
}

/** Writes everything that filing changes, or returns what another phone filed in the meantime. */
async function fileForm(
  tx: Tx,
  ctx: VisitScope,
  filing: LoadedDraft & { prepared: PreparedSubmission; formPdf: FormPdf; file: StoredFormFile },
): Promise<SubmissionRow> {
  const { place, draft, definition, prepared, formPdf, file, launch } = filing;
  const { officeId } = ctx;
  await entryOwnerFor(tx, ctx); // a proved link may have been used while the PDF was made
  if (await isPaused(tx, officeId, definition.id)) throw new Refusal('form_not_found'); // or the practice been limited
  const now = await lockDraft(tx, place);
  const valid = await currentSubmission(tx, place);
  if (now?.id !== draft.id) {
    if (valid) return valid;
    throw new Refusal('form_changed', now ? toFormDraft(now) : undefined);
  }
  if (now.version !== draft.version || valid?.id !== filing.valid?.id)
    throw new Refusal('form_changed', toFormDraft(now));

  const { completedAt } = formPdf;
  const day = dayOf(completedAt, formPdf.timeZone);
  const state = valid ? 'amended' : 'submitted';
  const { response, outcome, signedBy, fileIds } = prepared;
  if (valid) await supersede(tx, officeId, valid.id, completedAt);
  const submitted = await fileDraft(tx, officeId, draft.id, {
    state,
    answers: JSON.stringify(response),
    launchContext: launch ? JSON.stringify(launch) : null,
    formName: formPdf.formName,
    language: place.language,
    savedAt: completedAt,
    completedAt,
    day,
    outcome: outcome === 'clear' || outcome === 'review' ? outcome : null,
    signedBy,
    objectKey: file.objectKey,
    sha256: file.sha256,
    bytes: file.bytes,
    amends: valid?.id ?? null,
  });
  await setFilesUsed(tx, officeId, [file.id, ...fileIds], completedAt);
  await bumpFormDays(tx, officeId, valid?.day ? [day, valid.day] : [day]);
  await writeAuditEntry(tx, ctx, {
    action: 'form.submit',
    subject: draft.id,
    details: {
      form: definition.type,
      version: definition.version,
      visit: ctx.visitId,
      sha256: file.sha256,
      amends: valid?.id ?? null,
    },
  });
  await announceForm(tx, ctx, place.day);
  return submitted;
}

async function announceForm(tx: Tx, scope: VisitScope, visitDay: string): Promise<void> {
  await bumpQueue(tx, scope.officeId, visitDay, [scope.visitId]);
  await sendHint(tx, { office: scope.officeId, visit: scope.visitId, type: 'checkin' });
  await sendHint(tx, { office: scope.officeId, type: 'forms' });
}

function toSubmittedForm(row: SubmissionRow): SubmittedForm {
  return {
    submissionId: row.id,
    formName: row.formName,
    completedAt: (row.completedAt ?? row.savedAt).toISOString(),
    outcome: row.outcome,
  };
}
