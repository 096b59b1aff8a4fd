import type * as z from 'zod/mini';
import type { askForForm as AskCall } from '#contract/forms/desk.ts';
import { allMissingForms, isHistory, isInside, type VisitMessage } from '#contract/queue.ts';
import type { OfficeCtx } from '#server/context.ts';
import {
  formRequestSince,
  visitChangeStatements,
  lockVisit,
  linkTextStatements,
  requestedFormsPhrase,
  todayOf,
  type VisitRow,
} from '#server/features/queue/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { requestedForms } from './definition-sql.ts';
import { formsOfVisit, membersOf } from './sql.ts';

type FormRequestReply = z.output<typeof AskCall.reply>;

/** Two requests within this time count as one. */
const sameTextMs = 60_000;

/** A patient who is inside can still finish forms at the desk for ten minutes. */
function isOver({ status, endedAt }: VisitRow, now: Date): boolean {
  const visit = { statusCode: status, endedAt: endedAt?.toISOString() ?? null };
  return isHistory(status) && !isInside(visit, now.getTime());
}

/** Texts the patient a link that opens the missing form, or the list of all. The text names built-in forms only (decision 0077). */
export async function askForForm(ctx: OfficeCtx, visitId: string, formType?: string): Promise<FormRequestReply> {
  return ctx.transaction(async (tx) => {
    const { officeId } = ctx;
    const visit = await lockVisit(tx, officeId, visitId);
    if (!visit) throw new Refusal('visit_not_found');
    if (isOver(visit, ctx.now()) || visit.day !== (await todayOf(tx, ctx))) throw new Refusal('visit_moved_on');
    const wanted = await requestedForms(tx, officeId);
    const types = wanted.map(({ type }) => type).filter((type) => formType === undefined || type === formType);
    if (types.length === 0) throw new Refusal('form_not_found');
    const members = (await membersOf(tx, officeId, visitId)).length;
    const filed = (await formsOfVisit(tx, officeId, visitId)).filter(({ state }) => state !== 'draft');
    const isMissing = (type: string) => filed.filter((row) => row.formType === type).length < members;
    const missing = types.filter(isMissing);
    if (missing.length === 0) throw new Refusal('form_submitted');
    const askedForm = formType ?? allMissingForms;
    const earlierRequest = await recentRequest(tx, ctx, visitId, askedForm);
    if (earlierRequest) return earlierRequest;

    const detail = await requestedFormsPhrase(tx, ctx, visit.language, missing);
    const texted = await linkTextStatements(tx, ctx, visit, 'form', { askedForm, detail });
    const visitChange = visitChangeStatements(tx, ctx, visit, {
      action: 'form.ask',
      hint: 'message',
      details: { form: askedForm },
    });
    await runTogether(tx, texted, visitChange);
    return toReply(texted.message);
  });
}

/** The text that requested the same form a moment ago, unless it failed or was canceled. */
async function recentRequest(
  tx: Tx,
  ctx: OfficeCtx,
  visitId: string,
  formType: string,
): Promise<FormRequestReply | undefined> {
  const since = new Date(ctx.now().getTime() - sameTextMs);
  const last = await formRequestSince(tx, ctx.officeId, visitId, formType, since);
  if (!last || last.state === 'failed' || last.state === 'cancelled') return undefined;
  return toReply({ at: last.at.toISOString(), state: last.state, problem: last.errorClass });
}

function toReply({ at, state, problem }: Pick<VisitMessage, 'at' | 'state' | 'problem'>): FormRequestReply {
  return { sent: state !== 'failed', at, state: state ?? 'queued', problem };
}
