import type { Problem } from '#questionnaire/checking/problems.ts';
import { CallError } from '#web/kit/call.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import type { Uploads } from '#web/questionnaire/uploads.ts';
import { handleSaveError, type FormSaver } from '#web/phone/features/forms/filling/form-saver.ts';
import type { SessionContext } from '#web/phone/features/forms/filling/session-context.ts';

/** Waits for the pictures, saves what is unsaved, and files the form. */
export async function submitForm(context: SessionContext, saver: FormSaver, uploads: Uploads): Promise<void> {
  const { store, signal } = context;
  const before = store.form();
  if (!before || before.isSubmitting) return;
  store.update({ isSubmitting: true, errorMessage: null, problems: [] });
  try {
    const uploadError = await uploads.waitForForm();
    if (uploadError !== null) return store.update({ errorMessage: uploadError });
    await saver.save();
    if (context.saved.version === 0) await saver.saveUnchanged();
    const form = store.form();
    if (form && !form.conflict && !form.errorMessage && !form.isDone) await fileForm(context);
  } catch (error) {
    if (signal.aborted) return;
    await handleSubmitError(context, error);
  } finally {
    store.update({ isSubmitting: false });
  }
}

async function fileForm(context: SessionContext): Promise<void> {
  const { calls, store, signal } = context;
  const { version } = context.saved;
  const filed = await retryUntilAnswered(() => calls.submit(version, signal), signal);
  context.saved = { ...context.saved, version: 0 };
  const now = store.form();
  if (!now) return;
  const form = { ...now.form, state: 'submitted' as const, ...filed, version: 0 };
  store.update({ form, isDone: true, isJustFiled: true, isAmending: false });
}

async function handleSubmitError(context: SessionContext, error: unknown): Promise<void> {
  if (!(error instanceof CallError)) throw error;
  if (error.code !== 'form_incomplete') return void (await handleSaveError(context, error));
  const { problems = [] } = (error.body.current ?? {}) as { problems?: Problem[] };
  context.store.update({ problems, errorMessage: refusalMessage(error) });
}
