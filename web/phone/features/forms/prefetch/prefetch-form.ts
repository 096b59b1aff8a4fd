import { readVisitForm, type VisitForms } from '#contract/forms/filling.ts';
import { formOf } from '#questionnaire/form.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { call } from '#web/kit/call.ts';
import { keep, takeKept } from '#web/phone/features/forms/filling/prefetched-form.ts';
import { fetchEnding } from '#web/phone/features/forms/filling/use-ending.ts';
import { fetchPart, fetchPartsFor } from '#web/questionnaire/lazy-parts.ts';

/** By which it is seen that a form is as it was. */
const marks = ['version', 'state', 'definitionId', 'formName'] as const;
let isFetching = false;

/** Fetches what fills forms, and the first form that is missing, so that it opens at once, also where there is no network any more. */
export async function keepReady(token: string, { members }: VisitForms): Promise<void> {
  const listed = members.flatMap(({ memberId, forms }) => forms.map((form) => ({ token, memberId, ...form })));
  const next = listed.find(({ state }) => state !== 'submitted');
  if (!next || isFetching) return;
  const known = takeKept(next);
  // What has changed since is not good any more.
  if (known && marks.every((mark) => known[mark] === next[mark])) return keep(next, known);
  isFetching = true;
  try {
    await import('#web/phone/features/forms/filling/form-page.tsx');
    await Promise.all([fetchPart('rest'), fetchEnding()]);
    const form = await call(readVisitForm, { params: next });
    keep(next, form);
    const questionnaire = form.questionnaire as Questionnaire;
    const { all, usesExpressions } = formOf(questionnaire);
    await fetchPartsFor(questionnaire);
    if (members.length > 1 && all.some(({ household }) => household))
      await import('#web/phone/features/forms/extras/household.ts');
    if (usesExpressions)
      await (await import('#web/questionnaire/expressions/calculations.ts')).loadCalculations(questionnaire, '');
  } catch {
    // It is fetched when it is opened.
  } finally {
    isFetching = false;
  }
}
