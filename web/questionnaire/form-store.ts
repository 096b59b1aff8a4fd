import { createStore } from '#web/kit/store.ts';
import type { FilledForm, FormSessionState } from './filled-form.ts';

/** The state of one open form, and the listeners to its changes. */
export interface FormStore {
  state(): FormSessionState;
  /** The form; null while it loads and when it no longer exists. */
  form(): FilledForm | null;
  setState(next: FormSessionState): void;
  /** Changes parts of a loaded form; ignored in every other state. */
  update(change: Partial<FilledForm>): void;
  /** Calls back on each change until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export function createFormStore(): FormStore {
  const { get: state, set: setState, subscribe } = createStore<FormSessionState>('loading');
  const form = () => {
    const now = state();
    return typeof now === 'object' ? now : null;
  };
  return {
    state,
    form,
    setState,
    subscribe,
    update(change) {
      const now = form();
      if (now) setState({ ...now, ...change });
    },
  };
}

/** A form that was just loaded: nothing is under way and nothing went wrong. */
export const idleForm = {
  isUncalculated: false,
  isSaving: false,
  conflict: null,
  isSubmitting: false,
  problems: [],
  errorMessage: null,
  isJustFiled: false,
} satisfies Partial<FilledForm>;
