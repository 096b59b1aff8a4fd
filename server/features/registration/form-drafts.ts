import type { Draft } from '#contract/practice/registration.ts';
import type { PersonCtx } from '#server/context.ts';
import { forgetOlderForms, saveOpenForm, lockByName, findOpenForm } from './sql.ts';

/** So many open forms of a person are kept. */
const maxOpenForms = 5;

/** The form the caller left open last, on whatever machine. */
export async function readDraft(ctx: PersonCtx): Promise<{ formId: string; draft: Draft; savedAt: string } | null> {
  const form = await findOpenForm(ctx.db, ctx.caller.personId);
  return form ? { formId: form.formId, draft: form.draft as Draft, savedAt: form.savedAt.toISOString() } : null;
}

/** Keeps the form as it stands, unchecked. */
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
