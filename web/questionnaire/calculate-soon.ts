import { formOf } from '#questionnaire/form.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { FilledForm } from './filled-form.ts';
import type { FormStore } from './form-store.ts';

/** How long nothing is typed before the form calculates: the letters of a word do not wait for it. */
const pauseMs = 150;

/** Shows changed answers at once, and what the form calculates from them after a pause. `onResult` is called when that changed answers. */
export function calculateSoon(
  store: FormStore,
  calculate: (answers: Answers) => Promise<Partial<FilledForm>>,
  onResult: () => void = () => undefined,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;

  /** The result of answers that were changed meanwhile is not shown: their own is on its way. */
  async function calculateOnce(): Promise<void> {
    const entries = store.form()?.answers;
    if (!entries) return;
    const result = await calculate(entries);
    if (store.form()?.answers !== entries) return;
    store.update(result);
    if (result.answers !== entries) onResult();
  }

  /** Calculates now what would be calculated after the pause. Resolves when that is shown; null if there is nothing to wait for. */
  function settle(): Promise<void> | null {
    if (timer === undefined) return running;
    clearTimeout(timer);
    timer = undefined;
    const run = Promise.resolve(running)
      .then(calculateOnce)
      .finally(() => {
        if (running === run) running = null;
      });
    running = run;
    return run;
  }

  return {
    settle,
    change(answers: Answers): void {
      const form = store.form();
      if (!form) return;
      store.update({ answers });
      if (!formOf(form.questionnaire).usesExpressions) return;
      clearTimeout(timer);
      timer = setTimeout(settle, pauseMs);
    },
    stop: () => clearTimeout(timer),
  };
}
