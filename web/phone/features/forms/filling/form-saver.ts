import type { FormDraft } from '#contract/forms/filling.ts';
import { changedAnswers } from '#questionnaire/visible-items.ts';
import type { Answers } from '#questionnaire/values.ts';
import { CallError } from '#web/kit/call.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import type { FilledForm } from '#web/questionnaire/filled-form.ts';
import { handleNewerDraft } from './form-conflict.ts';
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

  return {
    save,
    saveUnchanged: () => saveAll(context, true),
    saveSoon() {
      clearTimeout(timer);
      timer = setTimeout(() => void save(), pauseMs);
    },
    stop() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', saveWhenHidden);
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
  store.update({ isSaving: false });
}

const canSave = (form: FilledForm | null): form is FilledForm => form !== null && !form.conflict && !form.isDone;

function isUnsaved({ saved, page }: SessionContext, { answers }: FilledForm): boolean {
  return changedAnswers(saved.answers, answers).length > 0 || (page !== saved.page && saved.version > 0);
}

async function saveStep(context: SessionContext, { form, answers, isAmending }: FilledForm): Promise<void> {
  const { calls, page, signal } = context;
  const { version: savedVersion } = context.saved;
  const step = { definitionId: form.definitionId, version: savedVersion, page, answers: mutable(answers) };
  const body = isAmending ? { ...step, amend: true } : step;
  const keepalive = JSON.stringify(body).length < keepaliveBytes;
  const { version } = await retryUntilAnswered(() => calls.save(body, { signal, keepalive }), signal);
  context.saved = { version, page, answers };
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
