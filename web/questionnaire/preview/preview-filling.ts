import { withAnswer } from '#questionnaire/set-answer.ts';
import { initialAnswers } from '#questionnaire/visible-items.ts';
import { formOf } from '#questionnaire/form.ts';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { Calculations } from '#web/questionnaire/expressions/calculated-form.ts';
import type { FormSession } from '#web/questionnaire/filled-form.ts';
import { calculateSoon } from '#web/questionnaire/calculate-soon.ts';
import { createFormStore, idleForm } from '#web/questionnaire/form-store.ts';
import { fetchLazyPart, fetchPartsFor } from '#web/questionnaire/lazy-parts.ts';
import { createUploads } from '#web/questionnaire/uploads.ts';

const nothing = () => undefined;

/** Opens a form for a preview: answers stay in this page's memory, nothing is saved or sent. */
export function openPreviewForm(
  questionnaire: Questionnaire,
  formName: string,
  { today, timeZone }: { today: string; timeZone: string | undefined },
): FormSession {
  const store = createFormStore();
  const uploads = createUploads();
  let calculations: Calculations | null = null;
  let isStopped = false;
  const calculate = async (answers: Answers) => calculations?.settle(answers) ?? { answers, setting: { today } };

  const soon = calculateSoon(store, calculate);

  async function load(): Promise<void> {
    // All parts at once, so that the first tap is as quick as on a phone that has had the form open for a while.
    await Promise.all([fetchLazyPart('rest'), fetchPartsFor(questionnaire)]);
    if (formOf(questionnaire).usesExpressions) {
      const { openCalculations } = await import('#web/questionnaire/expressions/calculations.ts');
      calculations = await openCalculations({ questionnaire, today, timeZone, launch: undefined });
      if (isStopped) calculations.stop();
    }
    const initial = initialAnswers(questionnaire);
    const begun = await calculations?.begin(initial);
    const calculated = await calculate(begun?.answers ?? initial);
    store.setState({
      ...idleForm,
      form: {
        formType: 'preview',
        formName,
        definitionId: '',
        formVersion: 0,
        state: 'missing',
        version: 0,
        savedAt: null,
        submissionId: null,
        completedAt: null,
        questionnaire,
        answers: null,
        page: 0,
      },
      questionnaire,
      ...calculated,
      copiedFrom: null,
      prefilled: {},
      isAmending: false,
      isDone: false,
    });
  }
  load().catch(() => store.setState('gone'));

  return {
    state: store.state,
    subscribe: store.subscribe,
    answer(item, values) {
      const form = store.form();
      if (form) soon.change(withAnswer(form.answers, item, values));
    },
    change: soon.change,
    settle: soon.settle,
    uploads,
    async submit() {
      await soon.settle();
      store.update({ isSubmitting: true });
      await uploads.waitForForm();
      const form = store.form();
      if (!form) return;
      const problems = problemsOf(questionnaire, form.answers, form.setting);
      store.update({ isSubmitting: false, problems, isDone: problems.length === 0 });
    },
    goToPage: nothing,
    resolveConflict: nothing,
    amend: nothing,
    save: async () => undefined,
    stop() {
      isStopped = true;
      soon.stop();
      calculations?.stop();
    },
  };
}
