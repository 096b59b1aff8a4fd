import type { FormOutcome } from '#contract/forms.ts';
import { settled } from '#contract/forms/fhirpath.ts';
import { askedAnswers } from '#contract/forms/filling.ts';
import { formOf } from '#contract/forms/form.ts';
import { outcomeOf } from '#contract/forms/outcome.ts';
import { problemsOf, type Problem } from '#contract/forms/problems.ts';
import type { Attachment } from '#contract/forms/questionnaire.ts';
import { toResponse } from '#contract/forms/response.ts';
import type { Answers, Value } from '#contract/forms/values.ts';
import type * as z from 'zod/mini';
import { bumpQueue } from '#server/features/queue/index.ts';
import { record } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db.ts';
import { tell } from '#server/kit/live.ts';
import { officeRow } from '#server/kit/office-row.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { readDefinition, type Definition } from './definitions.ts';
import { fileIdOf, fileUrl } from './file-url.ts';
import { forgetFile, keepFile, readFile, type KeptFile } from './files.ts';
import { draftOf, findPlace, type Place, type VisitScope } from './filling.ts';
import type { FormPaper } from './form-paper.ts';
import { countFiled, draftAnswers, lockDraft, validForm, type SubmissionRow } from './sql.ts';

/** Wide enough for a large family; each one costs a PDF. */
const perVisit = { name: 'form-submissions', points: 120, seconds: 3600 };

export interface Submitted {
  submissionId: string;
  formName: string;
  completedAt: string;
  outcome: z.output<typeof FormOutcome>;
}

interface Checked {
  place: Place;
  draft: SubmissionRow;
  definition: Definition;
  answers: Answers;
  files: Map<string, VisitFile>;
  paper: FormPaper;
}

interface VisitFile {
  id: string;
  objectKey: string;
  contentType: string;
  bytes: number;
  kind: string;
}

/**
 * Files a form: found complete, made into a PDF that is in the store, and only then written down as submitted, all at once. Refused on the
 * way, it is the draft it was. Submitted twice, it is filed once.
 */
export async function submitVisitForm(
  ctx: VisitScope,
  given: { memberId: string; formType: string },
  version: number,
): Promise<Submitted> {
  await ctx.limits.take(perVisit, ctx.visitId);
  const checked = await ctx.transaction((tx) => check(tx, ctx, given, version));
  if ('submissionId' in checked) return checked;

  const pictures = new Map<string, { content: Buffer; contentType: string }>();
  for (const { id, objectKey, contentType } of checked.files.values())
    pictures.set(id, { content: await readFile(ctx, objectKey), contentType });
  const { formPaper } = await import('./form-paper.ts');
  const content = await formPaper(checked.paper, pictures);
  const file = await keepFile(ctx, { visitId: ctx.visitId, kind: 'pdf', content, contentType: 'application/pdf' });
  const filed = await ctx
    .transaction((tx) => write(tx, ctx, checked, file))
    .catch(async (error: unknown) => {
      await forgetFile(ctx, file);
      throw error;
    });
  if (filed.objectKey !== file.objectKey) await forgetFile(ctx, file);
  return submittedAs(filed);
}

/** What is to be filed, found complete; or what was filed already. */
async function check(
  tx: Tx,
  ctx: VisitScope,
  given: { memberId: string; formType: string },
  version: number,
): Promise<Checked | Submitted> {
  const place = await findPlace(tx, ctx, given);
  const draft = await lockDraft(tx, place);
  const valid = await validForm(tx, place);
  if (!draft) {
    if (!valid) throw new Refusal('form_incomplete', { problems: [{ code: 'blank', linkId: '', path: '' }] });
    return submittedAs(valid);
  }
  if (draft.version !== version) throw new Refusal('form_changed', draftOf(draft));
  const definition = await readDefinition(tx, ctx.officeId, draft.definitionId);
  if (!definition) throw new Error('a draft whose definition is gone');

  const office = await officeRow(tx, ctx.officeId);
  const today = dayOf(ctx.now(), office.timeZone);
  const { answers: calculated, setting } = await settled(definition.questionnaire, draftAnswers(draft), { today });
  const asked = askedAnswers(definition.questionnaire, calculated, setting);
  const files = await filesOf(tx, ctx);
  const { answers, strange } = withFiles(definition, asked, files);
  const missing = problemsOf(definition.questionnaire, answers, setting);
  const problems = [...missing, ...strange.filter(({ path }) => !missing.some((problem) => problem.path === path))];
  if (problems.length > 0) throw new Refusal('form_incomplete', { id: draft.id, problems: problems.slice(0, 200) });

  const visit = await tx
    .selectFrom('visit')
    .select(['firstName', 'lastName'])
    .where('officeId', '=', ctx.officeId)
    .where('id', '=', ctx.visitId)
    .executeTakeFirstOrThrow();
  const used = usedFiles(answers);
  return {
    place,
    draft,
    definition,
    answers,
    files: new Map([...files].filter(([id]) => used.has(id))),
    paper: {
      language: place.language,
      questionnaire: definition.questionnaire,
      answers,
      setting,
      formName: (place.wanted?.name ?? definition.name)[place.language],
      formType: definition.type,
      formVersion: definition.version,
      officeName: office.name,
      officeAddress: [office.addressLine1, office.city, `${office.state} ${office.zip}`.trim()]
        .filter(Boolean)
        .join(', '),
      timeZone: office.timeZone,
      patientName: place.member.name,
      birthDate: place.member.birthDate,
      filledBy: `${visit.firstName} ${visit.lastName}`,
      completedAt: ctx.now(),
      submissionId: draft.id,
      amends: valid?.id ?? null,
      product: ctx.env.productName,
    },
  };
}

/** Pictures this visit handed in, and that are in the store. */
async function filesOf(tx: Tx, { officeId, visitId }: VisitScope): Promise<Map<string, VisitFile>> {
  const rows = await tx
    .selectFrom('formFile')
    .select(['id', 'objectKey', 'contentType', 'bytes', 'kind'])
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('kind', '<>', 'pdf')
    .where('storedAt', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, bytes: row.bytes ?? 0 }]));
}

/** Files are what the house kept, never what the answers say of them; a signature may be a typed name instead. */
function withFiles(definition: Definition, answers: Answers, files: ReadonlyMap<string, VisitFile>) {
  const { byLinkId, all } = formOf(definition.questionnaire);
  const strange: Problem[] = [];
  const known: Record<string, readonly Value[]> = { ...answers };
  const attachments = all.filter(({ type }) => type === 'attachment');
  for (const [key, values] of Object.entries(answers)) {
    const linkId = attachments.find((item) => key === item.linkId || key.startsWith(`${item.linkId}#`))?.linkId;
    const item = linkId === undefined ? undefined : byLinkId.get(linkId);
    if (!item) continue;
    known[key] = values.flatMap((value): Value[] => {
      const { url, title } = (typeof value === 'object' ? value : {}) as Attachment;
      const file = files.get(fileIdOf(url) ?? '');
      const said = typeof title === 'string' ? title.slice(0, 200) : '';
      if (file && (!item.signature || file.kind === 'signature'))
        return [
          { contentType: file.contentType, url: fileUrl(file.id), size: file.bytes, ...(said && { title: said }) },
        ];
      if (item.signature && url === undefined && said.trim() !== '')
        return [{ contentType: 'text/plain', title: said }];
      strange.push({ code: item.signature ? 'not_signed' : 'wrong_kind', linkId: item.linkId, path: key });
      return [];
    });
  }
  return { answers: known, strange };
}

function usedFiles(answers: Answers): Set<string> {
  const named = Object.values(answers)
    .flat()
    .map((value) => (typeof value === 'object' && 'url' in value ? fileIdOf(value.url) : null));
  return new Set(named.filter((id) => id !== null));
}

/** Everything a filed form changes, in one transaction; or what another phone filed in the meantime. */
async function write(tx: Tx, ctx: VisitScope, checked: Checked, file: KeptFile): Promise<SubmissionRow> {
  const { place, draft, definition, answers, paper } = checked;
  const { officeId } = ctx;
  const now = await lockDraft(tx, place);
  const valid = await validForm(tx, place);
  if (now?.id !== draft.id) {
    if (valid) return valid;
    throw new Refusal('form_changed', now ? draftOf(now) : undefined);
  }
  if (now.version !== draft.version) throw new Refusal('form_changed', draftOf(now));

  const { completedAt } = paper;
  const day = dayOf(completedAt, paper.timeZone);
  const state = valid ? 'amended' : 'submitted';
  const { setting } = paper;
  const about = {
    status: valid ? ('amended' as const) : ('completed' as const),
    authored: completedAt.toISOString(),
    language: place.language,
  };
  const response = toResponse(definition.questionnaire, answers, about, setting);
  if (valid)
    await tx
      .updateTable('formSubmission')
      .set({ supersededAt: completedAt })
      .where('officeId', '=', officeId)
      .where('id', '=', valid.id)
      .execute();
  const outcome = outcomeOf(definition.questionnaire, answers, setting);
  const submitted = await tx
    .updateTable('formSubmission')
    .set({
      state,
      answers: JSON.stringify(response),
      formName: paper.formName,
      language: place.language,
      savedAt: completedAt,
      completedAt,
      day,
      outcome: outcome === 'clear' || outcome === 'review' ? outcome : null,
      signedBy: signerOf(definition, answers),
      objectKey: file.objectKey,
      sha256: file.sha256,
      bytes: file.bytes,
      amends: valid?.id ?? null,
    })
    .where('officeId', '=', officeId)
    .where('id', '=', draft.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('formFile')
    .set({ usedAt: completedAt })
    .where('officeId', '=', officeId)
    .where('id', 'in', [file.id, ...checked.files.keys()])
    .where('usedAt', 'is', null)
    .execute();
  await countFiled(tx, officeId, valid?.day ? [day, valid.day] : [day]);
  await record(tx, ctx, {
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
  await tellOfForms(tx, ctx, place.day);
  return submitted;
}

async function tellOfForms(tx: Tx, scope: VisitScope, visitDay: string): Promise<void> {
  await bumpQueue(tx, scope.officeId, visitDay);
  await tell(tx, { office: scope.officeId, visit: scope.visitId, type: 'checkin' });
  await tell(tx, { office: scope.officeId, type: 'forms' });
}

function signerOf(definition: Definition, answers: Answers): string | null {
  for (const item of formOf(definition.questionnaire).all) {
    const title = item.signature ? (answers[item.linkId]?.[0] as Attachment | undefined)?.title : undefined;
    if (title) return title;
  }
  return null;
}

function submittedAs(row: SubmissionRow): Submitted {
  return {
    submissionId: row.id,
    formName: row.formName,
    completedAt: (row.completedAt ?? row.savedAt).toISOString(),
    outcome: row.outcome as Submitted['outcome'],
  };
}
