import { withAnswer } from '#questionnaire/set-answer.ts';
import type { Answers } from '#questionnaire/values.ts';
import { CallError } from '#web/kit/call.ts';
import type { FormSession } from '#web/questionnaire/filled-form.ts';
import { calculateSoon } from '#web/questionnaire/calculate-soon.ts';
import { createFormStore } from '#web/questionnaire/form-store.ts';
import { reloadOnceOnline, setPartMessages, setUploadModule } from '#web/questionnaire/lazy-parts.ts';
import { createUploads } from '#web/questionnaire/uploads.ts';
import { loadLaterMessages } from '#web/phone/features/forms/messages.ts';
import { resolveConflict } from './form-conflict.ts';
import { createSaver } from './form-saver.ts';
import { loadForm } from './load-form.ts';
import { calculate, type FormCalls, type SessionContext } from './session-context.ts';

setPartMessages(loadLaterMessages);
setUploadModule(() => import('#web/phone/features/forms/upload/upload.ts'));

/** A photo or signature that was uploaded. */
const isPicture = (value: unknown) => typeof value === 'object' && value !== null && 'url' in value;

/** Opens one form: holds its answers in memory, saves each step, and retries after the network was lost. */
export function openFormSession(
  calls: FormCalls,
  { today, timeZone }: { today: string; timeZone: string },
): FormSession {
  const closed = new AbortController();
  const { signal } = closed;
  const store = createFormStore();
  const uploads = createUploads();
  const context: SessionContext = {
    calls,
    today,
    timeZone,
    signal,
    store,
    saved: { version: 0, page: 0, answers: {} },
    sending: null,
    page: 0,
    calculations: null,
  };
  const saver = createSaver(context);
  const calculations = calculateSoon(store, (answers) => calculate(context, answers), saver.saveSoon);
  const save = async () => {
    await calculations.settle();
    return saver.save();
  };
  const change = (answers: Answers) => {
    calculations.change(answers);
    // What the server found wrong may be right now; Submit asks again.
    store.update({ errorMessage: null, problems: [] });
    saver.saveSoon();
  };

  loadForm(context).catch((error: unknown) => {
    if (signal.aborted) return;
    if (!(error instanceof CallError)) throw error;
    store.setState('gone');
  });

  return {
    state: store.state,
    subscribe: store.subscribe,
    answer(item, values) {
      const form = store.form();
      if (!form) return;
      change(withAnswer(form.answers, item, values));
      // The patient reads that a picture is saved, so it does not wait for a pause.
      if (values.some(isPicture)) void saver.save();
    },
    change,
    settle: calculations.settle,
    goToPage(page) {
      context.page = page;
      void save();
    },
    uploads,
    resolveConflict(which) {
      void resolveConflict(context, which).then((isResolved) => (isResolved ? saver.save() : undefined));
    },
    amend() {
      store.update({ isAmending: true, isDone: false, isJustFiled: false });
    },
    async submit() {
      await calculations.settle();
      // Fetched with the screens that follow the first page.
      const ending = await import('#web/phone/features/forms/review/ending.ts').catch(() => {
        reloadOnceOnline(saver.save);
        return null;
      });
      await ending?.submitForm(context, saver, uploads);
    },
    save,
    stop() {
      closed.abort();
      calculations.stop();
      context.calculations?.stop();
      saver.stop();
    },
  };
}
