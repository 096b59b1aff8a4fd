import type { OfficeCtx } from '#server/ctx.ts';
import { changing, lockVisit, textingLink, todayOf } from '#server/features/queue/index.ts';
import { isHistory } from '#contract/queue.ts';
import { write } from '#server/kit/live.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { formsOfVisit, membersOf, wantedForms } from './sql.ts';

/** Texts the patient a link that opens at the form that is missing. What it is called is not in the text: a text is not secure. */
export async function askForForm(ctx: OfficeCtx, visitId: string, formType: string): Promise<{ sent: boolean }> {
  return ctx.transaction(async (tx) => {
    const { officeId } = ctx;
    const visit = await lockVisit(tx, officeId, visitId);
    if (!visit) throw new Refusal('visit_not_found');
    if (isHistory(visit.status) || visit.day !== (await todayOf(tx, ctx))) throw new Refusal('visit_moved_on');
    const wanted = await wantedForms(tx, officeId);
    if (!wanted.some(({ type }) => type === formType)) throw new Refusal('form_not_found');
    const filed = (await formsOfVisit(tx, officeId, visitId)).filter(
      (row) => row.formType === formType && row.state !== 'draft',
    );
    if (filed.length >= (await membersOf(tx, officeId, visitId)).length) throw new Refusal('form_submitted');

    const texted = await textingLink(tx, ctx, visit, 'form', { askedForm: formType });
    const told = changing(tx, ctx, visit, { action: 'form.ask', hint: 'message', details: { form: formType } });
    await write(tx, texted, told);
    return { sent: true };
  });
}
