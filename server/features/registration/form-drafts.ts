import type { Draft } from '#contract/practice/registration.ts';
import type { PersonCtx } from '#server/context.ts';
import { forgetOlderForms, saveOpenForm, lockByName, findOpenForm } from './sql.ts';

/** Number of open forms kept per person; older ones are deleted. */
const maxOpenForms = 5;

/** The caller's newest open form, from any device. */
export async function readDraft(ctx: PersonCtx): Promise<{ formId: string; draft: Draft; savedAt: string } | null> {
  const form = await findOpenForm(ctx.db, ctx.caller.personId);
  return form ? { formId: form.formId, draft: form.draft as Draft, savedAt: form.savedAt.toISOString() } : null;
}

/** Saves the form without validation. */
export async function saveDraft(ctx: PersonCtx, formId: string, draft: Draft): Promise<{ savedAt: string }> {
  const at = ctx.now();
  const { personId } = ctx.caller;
  await ctx.db.transaction().execute(async (tx) => {
    await lockByName(tx, `drafts ${personId}`);
    await saveOpenForm(tx, { personId, formId, draft, at });
    await forgetOlderForms(tx, personId, maxOpenForms);
  });
  return { savedAt: at.toISOString() };
}
