import { withAnswer } from '#questionnaire/set-answer.ts';
import { initialAnswers } from '#questionnaire/visible-items.ts';
import { formOf } from '#questionnaire/form.ts';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { Calculations } from '#web/questionnaire/expressions/calculations.ts';
import type { Filling, FormOnPhone, Opened } from '#web/questionnaire/filled-form.ts';
import { createStore } from '#web/kit/store.ts';
import { fetchPart, fetchPartsFor } from '#web/questionnaire/lazy-parts.ts';
import { createUploads } from '#web/questionnaire/uploads.ts';

const nothing = () => undefined;

/** A form that is filled for a look: in this page's memory only, nothing is saved or sent. */
export function fillForALook(questionnaire: Questionnaire, formName: string, today: string): FormOnPhone {
  const store = createStore<Opened>('loading');
  const uploads = createUploads();
  let calculations: Calculations | null = null;

  const set = (change: Partial<Filling>) => {
    const state = store.get();
    if (typeof state === 'object') store.set({ ...state, ...change });
  };
  const settled = (answers: Answers) => calculations?.(answers) ?? { answers, setting: { today } };

  async function begin(): Promise<void> {
    // All of it, so that the first press is answered as on a phone that was there a while.
    await Promise.all([fetchPart('rest'), fetchPartsFor(questionnaire)]);
    if (formOf(questionnaire).usesExpressions) {
      const { loadCalculations } = await import('#web/questionnaire/expressions/calculations.ts');
      calculations = await loadCalculations(questionnaire, today);
    }
    const first = initialAnswers(questionnaire);
    store.set({
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
      ...settled(calculations?.begin(first) ?? first),
      takenFrom: null,
      isSaving: false,
      conflict: null,
      isSubmitting: false,
      problems: [],
      refused: null,
      isAmending: false,
      isDone: false,
      isNew: false,
    });
  }
  begin().catch(() => store.set('gone'));

  return {
    now: store.get,
    watch: store.subscribe,
    answer(where, values) {
      const state = store.get();
      if (typeof state === 'object') set(settled(withAnswer(state.answers, where, values)));
    },
    change: (answers) => set(settled(answers)),
    uploads,
    async submit() {
      set({ isSubmitting: true });
      await uploads.ofForm();
      const state = store.get();
      if (typeof state !== 'object') return;
      const problems = problemsOf(questionnaire, state.answers, state.setting);
      set({ isSubmitting: false, problems, isDone: problems.length === 0 });
    },
    turnTo: nothing,
    settleConflict: nothing,
    amend: nothing,
    save: async () => undefined,
    stop: nothing,
  };
}
