import { readVisitForm, saveVisitForm, submitVisitForm, type FormDraft } from '#contract/forms/filling.ts';
import { changedAnswers, initialAnswers } from '#questionnaire/visible-items.ts';
import { formOf } from '#questionnaire/form.ts';
import { withAnswer } from '#questionnaire/set-answer.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import type { Problem } from '#questionnaire/checking/problems.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { call, CallError } from '#web/kit/call.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import type { Calculations } from '#web/questionnaire/expressions/calculations.ts';
import { takeKept } from './prefetched-form.ts';
import type { Filling, FormOnPhone, Opened } from '#web/questionnaire/filled-form.ts';
import { fetchPartsOf, reloadOnceOnline, setUpload } from '#web/questionnaire/lazy-parts.ts';
import { createUploads } from '#web/questionnaire/uploads.ts';
import { isAlone } from '#web/phone/features/forms/use-visit-forms.ts';

/** An answer is saved when nothing was changed for so long, at the latest with the next step. */
const pauseMs = 1_500;
/** A browser sends no more than 64 kB after its page is gone. */
const keepaliveBytes = 30_000;

setUpload(() => import('#web/phone/features/forms/upload/upload.ts'));

interface Place {
  token: string;
  memberId: string;
  formType: string;
}

/** Opens one form: keeps its answers in memory, saves each step, sends again what a lost network held back. */
export function openForm(place: Place, today: string): FormOnPhone {
  const over = new AbortController();
  const { signal } = over;
  const watchers = new Set<() => void>();
  const uploads = createUploads();
  let state: Opened = 'loading';
  let calculations: Calculations | null = null;
  /** What the server has, by its version. */
  let saved: { version: number; page: number; answers: Answers } = { version: 0, page: 0, answers: {} };
  let page = 0;
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (next: Opened) => {
    state = next;
    for (const watcher of watchers) watcher();
  };
  const set = (change: Partial<Filling>) => {
    if (typeof state === 'object') show({ ...state, ...change });
  };
  const settled = (answers: Answers) => calculations?.(answers) ?? { answers, setting: { today } };
  const send = <T>(request: () => Promise<T>) => retryUntilAnswered(request, signal);

  /** Nothing is entered yet, so nothing is lost by starting over. */
  const fetched = <T>(coming: Promise<T>) =>
    coming.catch(() => {
      reloadOnceOnline();
      return new Promise<never>(() => {});
    });

  async function load(mine?: Answers): Promise<void> {
    const kept = mine ? null : takeKept(place);
    const form = kept ?? (await send(() => call(readVisitForm, { params: place }, { signal })));
    const questionnaire = form.questionnaire as Questionnaire;
    const { all, usesExpressions, byLinkId } = formOf(questionnaire);
    if (usesExpressions) {
      const { loadCalculations } = await fetched(import('#web/questionnaire/expressions/calculations.ts'));
      calculations = await fetched(loadCalculations(questionnaire, today));
    }
    const isDone = form.state === 'submitted' && form.version === 0;
    let answers = form.answers as Answers | null;
    let takenFrom: string | null = null;
    if (!answers) {
      answers = calculations?.begin(initialAnswers(questionnaire)) ?? initialAnswers(questionnaire);
      if (!isAlone(place.token) && all.some(({ household }) => household)) {
        const { fromHousehold } = await fetched(import('#web/phone/features/forms/extras/household.ts'));
        const same = await fromHousehold(questionnaire, answers, place, today, signal);
        if (same) ({ name: takenFrom, answers } = same);
      }
    }
    saved = { version: form.version, page: form.page, answers };
    page = form.page;
    const carried = Object.entries(mine ?? {}).filter(([key]) => byLinkId.has(key.replace(/#[\d.]+$/, '')));
    const begun = settled({ ...answers, ...Object.fromEntries(carried) });
    const pages = pagesOf(questionnaire, begun.answers, begun.setting);
    const { items } = pages[Math.min(page, pages.length - 1)] ?? { items: [] };
    await fetched(fetchPartsOf(items.map(({ item }) => item)));
    show({
      form,
      questionnaire,
      ...begun,
      takenFrom,
      isSaving: false,
      conflict: null,
      isSubmitting: false,
      problems: [],
      refused: null,
      isAmending: form.state === 'submitted' && form.version > 0,
      isDone,
      isNew: false,
    });
  }

  const isUnsaved = (now: Filling) =>
    changedAnswers(saved.answers, now.answers).length > 0 || (page !== saved.page && saved.version > 0);

  function save(): Promise<void> {
    clearTimeout(timer);
    running ??= saveAll(false).finally(() => (running = undefined));
    return running;
  }

  async function saveAll(evenUnchanged: boolean): Promise<void> {
    let must = evenUnchanged;
    while (typeof state === 'object' && !state.conflict && !state.isDone && (must || isUnsaved(state))) {
      must = false;
      const { form, answers, isAmending } = state;
      const step = { definitionId: form.definitionId, version: saved.version, page, answers: mutable(answers) };
      const body = isAmending ? { ...step, amend: true } : step;
      set({ isSaving: true });
      try {
        const keepalive = JSON.stringify(body).length < keepaliveBytes;
        const { version } = await send(() => call(saveVisitForm, { params: place, body }, { signal, keepalive }));
        saved = { version, page: step.page, answers };
        set({ refused: null });
      } catch (error) {
        if (signal.aborted) return;
        if (!(await heed(error))) break;
      }
    }
    set({ isSaving: false });
  }

  /** Answers whether saving may go on. */
  async function heed(error: unknown): Promise<boolean> {
    if (!(error instanceof CallError)) throw error;
    const { code, status } = error;
    if (code === 'form_changed') return meet(error.body.current as FormDraft);
    if (code === 'form_submitted') await load();
    else if (code === 'form_outdated') {
      await load(typeof state === 'object' ? state.answers : {});
      return true;
    } else if (status === 404) show('gone');
    else set({ refused: refusalMessage(error) });
    return false;
  }

  /** Another phone was faster. Where it says the same there is nothing to ask about. */
  function meet(draft: FormDraft): boolean {
    if (typeof state !== 'object') return false;
    const theirs = (draft.answers ?? {}) as Answers;
    const isSame = changedAnswers(theirs, state.answers).length === 0;
    if (isSame || Object.keys(theirs).length === 0) {
      saved = { version: draft.version, page: draft.page, answers: theirs };
      return !isSame;
    }
    set({ conflict: draft });
    return false;
  }

  const saveSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), pauseMs);
  };
  const change = (answers: Answers) => {
    set({ ...settled(answers), refused: null });
    saveSoon();
  };
  const saveWhenLeft = () => document.visibilityState === 'hidden' && void save();
  document.addEventListener('visibilitychange', saveWhenLeft);

  load().catch((error: unknown) => {
    if (signal.aborted) return;
    if (!(error instanceof CallError)) throw error;
    show('gone');
  });

  async function submit(): Promise<void> {
    if (typeof state !== 'object' || state.isSubmitting) return;
    set({ isSubmitting: true, refused: null, problems: [] });
    try {
      const notSent = await uploads.ofForm();
      if (notSent !== null) return set({ refused: notSent });
      await save();
      if (saved.version === 0) await saveAll(true);
      if (typeof state === 'object' && !state.conflict && !state.refused && !state.isDone) await file();
    } catch (error) {
      if (signal.aborted) return;
      await heedSubmission(error);
    } finally {
      set({ isSubmitting: false });
    }
  }

  async function file(): Promise<void> {
    const { version } = saved;
    const done = await send(() => call(submitVisitForm, { params: place, body: { version } }, { signal }));
    saved = { ...saved, version: 0 };
    if (typeof state !== 'object') return;
    const form = { ...state.form, state: 'submitted' as const, ...done, version: 0 };
    set({ form, isDone: true, isNew: true, isAmending: false });
  }

  async function heedSubmission(error: unknown): Promise<void> {
    if (!(error instanceof CallError)) throw error;
    if (error.code !== 'form_incomplete') return void (await heed(error));
    const { problems = [] } = (error.body.current ?? {}) as { problems?: Problem[] };
    set({ problems, refused: refusalMessage(error) });
  }

  return {
    now: () => state,
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    answer(where, values) {
      if (typeof state === 'object') change(withAnswer(state.answers, where, values));
    },
    change,
    turnTo(to) {
      page = to;
      void save();
    },
    uploads,
    settleConflict(which) {
      if (typeof state !== 'object' || !state.conflict) return;
      const { version, page: theirPage, answers } = state.conflict;
      const theirs = (answers ?? {}) as Answers;
      saved = { version, page: theirPage, answers: theirs };
      set({ conflict: null, ...(which === 'theirs' && settled(theirs)) });
      void save();
    },
    amend() {
      set({ isAmending: true, isDone: false, isNew: false });
    },
    submit,
    save,
    stop() {
      over.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', saveWhenLeft);
    },
  };
}

const mutable = (answers: Answers) => answers as Record<string, unknown[]>;
