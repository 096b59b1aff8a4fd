import { readVisitForm, type VisitForms } from '#contract/forms/filling.ts';
import { formOf } from '#questionnaire/form.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { call } from '#web/kit/call.ts';
import { loadQuestionMessages } from '#web/phone/features/forms/messages.ts';
import { storePrefetchedForm, takePrefetchedForm } from '#web/phone/features/forms/prefetched-form.ts';
import { fetchEnding } from '#web/phone/features/forms/filling/use-ending.ts';
import { fetchLazyPart, fetchPartsFor } from '#web/questionnaire/lazy-parts.ts';

/** Fields that change whenever a form changes; used to detect a stale prefetch. */
const changeMarkers = ['version', 'state', 'definitionId', 'formName'] as const;
let isFetching = false;

/** Prefetches the code that fills forms and the first missing form, so that it opens at once, also without a network. */
export async function prefetchNextForm(token: string, { members }: VisitForms): Promise<void> {
  const listed = members.flatMap(({ memberId, forms }) => forms.map((form) => ({ token, memberId, ...form })));
  const next = listed.find(({ state }) => state !== 'submitted');
  if (!next || isFetching) return;
  const prefetched = takePrefetchedForm(next);
  if (prefetched && changeMarkers.every((marker) => prefetched[marker] === next[marker]))
    return storePrefetchedForm(next, prefetched);
  isFetching = true;
  try {
    await import('#web/phone/features/forms/filling/form-page.tsx');
    await Promise.all([loadQuestionMessages(), fetchLazyPart('rest'), fetchEnding()]);
    const form = await call(readVisitForm, { params: next });
    storePrefetchedForm(next, form);
    const questionnaire = form.questionnaire as Questionnaire;
    const { all, usesExpressions } = formOf(questionnaire);
    await fetchPartsFor(questionnaire);
    if (members.length > 1 && all.some(({ household }) => household))
      await import('#web/phone/features/forms/extras/household.ts');
    if (usesExpressions) await (await import('#web/questionnaire/expressions/calculations.ts')).prepareCalculations();
  } catch {
    // What is missing is fetched when the form is opened.
  } finally {
    isFetching = false;
  }
}
