import { withAnswer } from '#questionnaire/set-answer.ts';
import { initialAnswers } from '#questionnaire/visible-items.ts';
import { formOf } from '#questionnaire/form.ts';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { Calculations } from '#web/questionnaire/expressions/calculations.ts';
import type { Filling, FormOnPhone, Opened } from '#web/questionnaire/filled-form.ts';
import { fetchPart, fetchPartsFor } from '#web/questionnaire/lazy-parts.ts';
import { createUploads } from '#web/questionnaire/uploads.ts';

const nothing = () => undefined;

/** A form that is filled for a look: in this page's memory only, nothing is saved or sent. */
export function fillForALook(questionnaire: Questionnaire, formName: string, today: string): FormOnPhone {
  const watchers = new Set<() => void>();
  const uploads = createUploads();
  let state: Opened = 'loading';
  let calculations: Calculations | null = null;

  const show = (next: Opened) => {
    state = next;
    for (const watcher of watchers) watcher();
  };
  const set = (change: Partial<Filling>) => {
    if (typeof state === 'object') show({ ...state, ...change });
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
    show({
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
  begin().catch(() => show('gone'));

  return {
    now: () => state,
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    answer(where, values) {
      if (typeof state === 'object') set(settled(withAnswer(state.answers, where, values)));
    },
    change: (answers) => set(settled(answers)),
    uploads,
    async submit() {
      set({ isSubmitting: true });
      await uploads.ofForm();
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
