import { formOf } from '#questionnaire/form.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { FilledForm } from './filled-form.ts';
import type { FormStore } from './form-store.ts';

/** How long nothing is typed before the form calculates: the letters of a word do not wait for it. */
const pauseMs = 150;

/** Shows changed answers at once, and what the form calculates from them after a pause. */
export function calculateSoon(
  store: FormStore,
  calculate: (answers: Answers) => Pick<FilledForm, 'answers' | 'setting'>,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Calculates now what would be calculated after the pause. Returns whether there was anything. */
  function calculateNow(): boolean {
    if (timer === undefined) return false;
    clearTimeout(timer);
    timer = undefined;
    const form = store.form();
    if (form) store.update(calculate(form.answers));
    return form !== null;
  }

  return {
    settle: calculateNow,
    change(answers: Answers): void {
      const form = store.form();
      if (!form) return;
      if (!formOf(form.questionnaire).usesExpressions) return store.update(calculate(answers));
      store.update({ answers });
      clearTimeout(timer);
      timer = setTimeout(calculateNow, pauseMs);
    },
    stop: () => clearTimeout(timer),
  };
}
