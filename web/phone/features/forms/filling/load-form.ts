import type { OpenForm } from '#contract/forms/filling.ts';
import { factsOfPatient } from '#questionnaire/known/facts-of-patient.ts';
import { withKnownFacts } from '#questionnaire/known/known-facts.ts';
import { initialAnswers } from '#questionnaire/visible-items.ts';
import { formOf } from '#questionnaire/form.ts';
import { overwrittenKey } from '#questionnaire/overwritten.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import { idleForm } from '#web/questionnaire/form-store.ts';
import { fetchLazyPart, fetchPartsOf, reloadOnceOnline } from '#web/questionnaire/lazy-parts.ts';
import { readAfterLastSave } from './last-save.ts';
import { calculate, type SessionContext } from './session-context.ts';

/** Loads a form with everything its current page needs, then shows it. `carriedAnswers` replace the server's where the form still asks for them. */
export async function loadForm(context: SessionContext, carriedAnswers?: Answers): Promise<void> {
  const { calls, signal } = context;
  const isFirst = carriedAnswers === undefined;
  const form = await readAfterLastSave(() => retryUntilAnswered(() => calls.read(isFirst, signal), signal));
  const questionnaire = form.questionnaire as Questionnaire;
  const { answers, copiedFrom, prefilled } = await startingAnswers(context, form, questionnaire);
  context.saved = { version: form.version, page: form.page, answers };
  context.page = form.page;
  const { byLinkId } = formOf(questionnaire);
  const carried = Object.entries(carriedAnswers ?? {}).filter(
    ([answerKey]) => answerKey === overwrittenKey || byLinkId.has(answerKey.replace(/#[\d.]+$/, '')),
  );
  const calculated = await calculate(context, { ...answers, ...Object.fromEntries(carried) });
  const pages = pagesOf(questionnaire, calculated.answers, calculated.setting);
  const { items } = pages[Math.min(context.page, pages.length - 1)] ?? { items: [] };
  const isCopied = copiedFrom !== null || form.earlier !== undefined;
  await orReload(Promise.all([fetchPartsOf(items.map(({ item }) => item)), isCopied && fetchLazyPart('notes')]));
  context.store.setState({
    ...idleForm,
    form,
    questionnaire,
    ...calculated,
    copiedFrom,
    prefilled,
    isAmending: form.state === 'submitted' && form.version > 0,
    isDone: form.state === 'submitted' && form.version === 0,
  });
}

/** The answers of the draft; of a new form its initial ones, what another family member answered for the household, and those of the visit before. */
async function startingAnswers(
  context: SessionContext,
  form: OpenForm,
  questionnaire: Questionnaire,
): Promise<{ answers: Answers; copiedFrom: string | null; prefilled: Answers }> {
  const { calls, today, timeZone, signal } = context;
  const { all, usesExpressions } = formOf(questionnaire);
  const withFacts = (now: Answers) =>
    withKnownFacts(questionnaire, now, form.known ? factsOfPatient(form.known, today) : {});
  let initial = (): Answers => withFacts(initialAnswers(questionnaire));
  let prefilled: Answers = {};
  if (usesExpressions) {
    // Its first page says what is calculated, and would wait for this afterwards.
    void fetchLazyPart('notes').catch(() => undefined);
    const { openCalculations } = await orReload(import('#web/questionnaire/expressions/calculations.ts'));
    context.calculations?.stop();
    const calculations = await orReload(openCalculations({ questionnaire, today, timeZone, launch: form.launch }));
    context.calculations = calculations;
    if (signal.aborted) calculations.stop();
    const begun = await calculations.begin(withFacts(initialAnswers(questionnaire)));
    ({ prefilled } = begun);
    initial = () => begun.answers;
  }
  if (form.answers) return { answers: form.answers as Answers, copiedFrom: null, prefilled };
  const answers = initial();
  const copied =
    calls.copyHousehold && all.some(({ household }) => household)
      ? await orReload(calls.copyHousehold(questionnaire, answers, today, signal))
      : null;
  // What the family answered today is newer, and half of each would be a card that nobody has: this year's plan, last year's policyholder.
  if (copied) return { answers: copied.answers, copiedFrom: copied.name, prefilled };
  return { answers: { ...answers, ...(form.earlier?.answers as Answers | undefined) }, copiedFrom: null, prefilled };
}

/** If a chunk fails to load, reloads the page: the patient has entered nothing yet. Never rejects. */
function orReload<T>(chunk: Promise<T>): Promise<T> {
  return chunk.catch(() => {
    reloadOnceOnline();
    return new Promise<never>(() => {});
  });
}
