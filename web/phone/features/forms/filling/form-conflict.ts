import type { FormDraft } from '#contract/forms/filling.ts';
import { changedAnswers } from '#questionnaire/visible-items.ts';
import type { Answers } from '#questionnaire/values.ts';
import { calculate, type SessionContext } from './session-context.ts';

const answersOf = (draft: FormDraft) => (draft.answers ?? {}) as Answers;

/**
 * Another phone saved this form first. Asks the patient only if that phone has other answers. Returns true if this phone's answers can
 * be saved over the draft.
 */
export function handleNewerDraft(context: SessionContext, draft: FormDraft): boolean {
  const form = context.store.form();
  if (!form) return false;
  const theirs = answersOf(draft);
  const isSame = changedAnswers(theirs, form.answers).length === 0;
  if (!isSame && Object.keys(theirs).length > 0) {
    context.store.update({ conflict: draft });
    return false;
  }
  context.saved = { version: draft.version, page: draft.page, answers: theirs };
  return !isSame;
}

/** Goes on with the other phone's answers or with this one's. Returns false if there is no conflict. */
export async function resolveConflict(context: SessionContext, which: 'theirs' | 'mine'): Promise<boolean> {
  const draft = context.store.form()?.conflict;
  if (!draft) return false;
  const theirs = answersOf(draft);
  const chosen = which === 'theirs' ? await calculate(context, theirs) : {};
  if (context.store.form()?.conflict !== draft) return false;
  context.saved = { version: draft.version, page: draft.page, answers: theirs };
  context.store.update({ conflict: null, ...chosen });
  return true;
}
