import type { FormDraft } from '#contract/forms/filling.ts';
import { changedAnswers } from '#questionnaire/visible-items.ts';
import type { Answers } from '#questionnaire/values.ts';
import { CallError } from '#web/kit/call.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import { noteUnsaved } from '#web/phone/ui/unsaved.ts';
import type { FilledForm } from '#web/questionnaire/filled-form.ts';
import { handleNewerDraft } from './form-conflict.ts';
import { noteLastSave } from './last-save.ts';
import { loadForm } from './load-form.ts';
import type { SessionContext } from './session-context.ts';

/** Answers are saved after a pause this long, and with every step at the latest. */
const pauseMs = 1_500;
/** A browser sends at most 64 kB after its page is gone. */
const keepaliveBytes = 30_000;

export interface FormSaver {
  /** Saves until nothing is unsaved, or the patient has to decide something. One run at a time. */
  save(): Promise<void>;
  /** Saves even if nothing changed: a form is submitted by the version of its draft. */
  saveUnchanged(): Promise<void>;
  /** Saves after a pause without changes. */
  saveSoon(): void;
  stop(): void;
}

/** Saves the steps of an open form while it is filled in, and when the patient leaves the page. */
export function createSaver(context: SessionContext): FormSaver {
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function save(): Promise<void> {
    clearTimeout(timer);
    running ??= saveAll(context, false).finally(() => (running = undefined));
    return running;
  }
  const saveWhenHidden = () => document.visibilityState === 'hidden' && void save();
  document.addEventListener('visibilitychange', saveWhenHidden);
  // The page may be gone before the server answers, so what is unsaved does not wait for a save that is on its way.
  const saveAtOnce = () => {
    if (!running) void save();
    else if (sendBehind(context)) return noteLastSave(context.saved.version + 2);
    if (context.sending) noteLastSave(context.saved.version + 1);
  };
  window.addEventListener('pagehide', saveAtOnce);

  return {
    save,
    saveUnchanged: () => saveAll(context, true),
    saveSoon() {
      noteUnsaved(context, true);
      clearTimeout(timer);
      timer = setTimeout(() => void save(), pauseMs);
    },
    stop() {
      noteUnsaved(context, false);
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', saveWhenHidden);
      window.removeEventListener('pagehide', saveAtOnce);
    },
  };
}

async function saveAll(context: SessionContext, evenUnchanged: boolean): Promise<void> {
  const { store, signal } = context;
  let mustSave = evenUnchanged;
  for (let form = store.form(); canSave(form) && (mustSave || isUnsaved(context, form)); form = store.form()) {
    mustSave = false;
    store.update({ isSaving: true });
    try {
      await saveStep(context, form);
      store.update({ errorMessage: null });
    } catch (error) {
      if (signal.aborted) return;
      if (!(await handleSaveError(context, error))) break;
    }
  }
  const left = store.form();
  noteUnsaved(context, left !== null && !left.isDone && isUnsaved(context, left));
  store.update({ isSaving: false });
}

const canSave = (form: FilledForm | null): form is FilledForm => form !== null && !form.conflict && !form.isDone;

function isUnsaved({ saved, page }: SessionContext, { answers }: FilledForm): boolean {
  return changedAnswers(saved.answers, answers).length > 0 || (page !== saved.page && saved.version > 0);
}

async function saveStep(context: SessionContext, form: FilledForm): Promise<void> {
  const { calls, page, signal } = context;
  const { answers } = form;
  const { body, keepalive } = stepOf(context, form, context.saved.version);
  context.sending = answers;
  try {
    const { version } = await retryUntilAnswered(() => calls.save(body, { signal, keepalive }), signal);
    context.saved = { version, page, answers };
  } finally {
    context.sending = null;
  }
}

/** Sends what was typed since the save that is on its way, once, and without waiting for either. Returns whether there was anything. */
function sendBehind(context: SessionContext): boolean {
  const { calls, store, sending, saved, signal } = context;
  const form = store.form();
  if (!canSave(form) || !sending || changedAnswers(sending, form.answers).length === 0) return false;
  const { body, keepalive } = stepOf(context, form, saved.version + 1);
  calls.save(body, { signal, keepalive }).catch(() => undefined);
  return true;
}

/** The step as the server takes it, and whether the browser may send it after the page is gone. */
function stepOf({ page }: SessionContext, { form, answers, isAmending }: FilledForm, version: number) {
  const step = { definitionId: form.definitionId, version, page, answers: mutable(answers) };
  const body = isAmending ? { ...step, amend: true } : step;
  return { body, keepalive: JSON.stringify(body).length < keepaliveBytes };
}

/** Handles a refusal of a save or of a submission. Returns true if the answers should be saved again. */
export async function handleSaveError(context: SessionContext, error: unknown): Promise<boolean> {
  if (!(error instanceof CallError)) throw error;
  const { store } = context;
  const { code, status } = error;
  if (code === 'form_changed') return handleNewerDraft(context, error.body.current as FormDraft);
  if (code === 'form_outdated') {
    await loadForm(context, store.form()?.answers ?? {});
    return true;
  }
  if (code === 'form_submitted') await loadForm(context);
  else if (status === 404) store.setState('gone');
  else store.update({ errorMessage: refusalMessage(error) });
  return false;
}

const mutable = (answers: Answers) => answers as Record<string, unknown[]>;
