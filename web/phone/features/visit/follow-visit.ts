import { movePatientVisit, readPatientVisit, type PatientAction, type PatientVisit } from '#contract/patient.ts';
import { call, CallError } from '#web/kit/call.ts';
import { learnServerTime } from '#web/kit/clock.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';
import { joinVisit, onHint } from '#web/kit/live.ts';
import { startPolling, retryDelayMs } from '#web/kit/poll.ts';
import { newKey, retryUntilAnswered } from '#web/kit/retry-until-answered.ts';

const pollMs = 15_000;
/** When the queue moves, every phone refetches: at random within this time, so that they do not all ask at once. */
const spreadMs = 1_500;

/** One visit as this phone knows it. */
export interface VisitState {
  visit: PatientVisit | null;
  /** The link has ended, or never opened a visit. */
  gone: boolean;
  /** Taps that the server has not answered yet, oldest first. */
  taps: PatientAction[];
  /** Why the last tap was refused, in words. */
  refused: string | null;
}

export interface VisitFollower {
  now(): VisitState;
  /** Calls back on each change until the returned function is called. */
  watch(watcher: () => void): () => void;
  /** Sends a tap; without a network it is kept and sent when there is one. */
  act(action: PatientAction): void;
  /** Shows an answer that came another way. */
  show(visit: PatientVisit): void;
  stop(): void;
}

/** Follows one visit by push, and by a poll where push does not reach; sends taps in order, each once. */
export function followVisit(token: string, first: PatientVisit | null): VisitFollower {
  const over = new AbortController();
  const { signal } = over;
  const watchers = new Set<() => void>();
  const unsent: { action: PatientAction; key: string }[] = [];
  let sending = false;
  let state: VisitState = { visit: first, gone: false, taps: [], refused: null };
  if (first) learnServerTime(first.now);

  const set = (change: Partial<VisitState>) => {
    state = { ...state, ...change };
    for (const watcher of watchers) watcher();
  };

  const show = (visit: PatientVisit) => {
    learnServerTime(visit.now);
    // An answer that was under way longer than a later one is not news.
    if (visit !== state.visit && visit.version >= (state.visit?.version ?? 0)) set({ visit });
  };

  const looking = startPolling(
    async () => {
      try {
        show(await call(readPatientVisit, { params: { token } }, { signal }));
        return pollMs;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (error.status === 404 || error.status === 400) {
          set({ gone: true });
          return null;
        }
        return retryDelayMs(error);
      }
    },
    first ? pollMs : 0,
  );

  const send = async () => {
    if (sending) return;
    sending = true;
    for (let tap = unsent[0]; tap && !signal.aborted; tap = unsent[0]) {
      const { action, key: idempotencyKey } = tap;
      const post = () => call(movePatientVisit, { params: { token }, body: { action } }, { idempotencyKey, signal });
      await retryUntilAnswered(post, signal).then(show, handleRefusal);
      unsent.shift();
      set({ taps: unsent.map((kept) => kept.action) });
    }
    sending = false;
  };

  const handleRefusal = (error: unknown) => {
    if (signal.aborted) return;
    if (!(error instanceof CallError)) throw error;
    if (error.status === 404) set({ gone: true });
    else set({ refused: refusalMessage(error) });
    if (error.body.current) show(error.body.current as PatientVisit);
  };

  const unsubscribe = onHint(({ type }) => {
    if (type === 'line') setTimeout(looking.now, Math.random() * spreadMs);
    else looking.now();
  });
  const leave = joinVisit(token);

  return {
    now: () => state,
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    act(action) {
      if (unsent.some((tap) => tap.action === action)) return;
      unsent.push({ action, key: newKey() });
      set({ taps: unsent.map((tap) => tap.action), refused: null });
      void send();
    },
    show,
    stop() {
      over.abort();
      looking.stop();
      unsubscribe();
      leave();
    },
  };
}
