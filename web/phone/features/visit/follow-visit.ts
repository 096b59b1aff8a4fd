import type { EndedLink } from '#contract/ended-link.ts';
import { readPatientVisit, type PatientAction, type PatientVisit } from '#contract/patient/visit.ts';
import { call, CallError, setBuild } from '#web/kit/call.ts';
import { learnServerTime } from '#web/kit/clock.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';
import { joinVisit, onHint } from '#web/kit/live.ts';
import { startPolling, retryDelayMs } from '#web/kit/poll.ts';
import { createStore } from '#web/kit/store.ts';
import { reloadIfIdle } from './reload-outdated.ts';
import { sendTaps } from './send-taps.ts';

setBuild(document.querySelector<HTMLMetaElement>('meta[name=build]')?.content);

const pollMs = 15_000;
/** "Writing..." is shown this long after the last sign of it. */
const writingShownMs = 5_000;
/** When the queue moves, every phone refetches at a random time within this span, so that not all do it at once. */
const spreadMs = 1_500;

/** One visit as this phone knows it. */
export interface VisitState {
  visit: PatientVisit | null;
  /** The link has ended, or never opened a visit. */
  gone: boolean;
  /** Whose link has ended; null if it never opened a visit. */
  endedLink: EndedLink | null;
  /** Taps that the server has not answered yet, oldest first. */
  taps: PatientAction[];
  /** Why the last tap was refused, as a message for the patient. */
  refused: string | null;
  /** The front desk is writing a message. */
  isDeskWriting: boolean;
}

export interface VisitFollower {
  now(): VisitState;
  /** Calls back on each change until the returned function is called. */
  watch(watcher: () => void): () => void;
  /** Sends a tap, in order and exactly once; without a network as soon as there is one. */
  act(action: PatientAction): void;
  /** Shows a visit that another call returned. */
  show(visit: PatientVisit): void;
  stop(): void;
}

export const nothingKnown: VisitState = {
  visit: null,
  gone: false,
  endedLink: null,
  taps: [],
  refused: null,
  isDeskWriting: false,
};

/** Follows one visit by push, and by polling where push does not get through. */
export function followVisit(token: string, first: PatientVisit | null): VisitFollower {
  const stopped = new AbortController();
  const { signal } = stopped;
  const store = createStore<VisitState>({ ...nothingKnown, visit: first });
  if (first) learnServerTime(first.now);

  const set = (change: Partial<VisitState>) => store.set({ ...store.get(), ...change });

  let writingEnds: ReturnType<typeof setTimeout> | undefined;
  const showWriting = (isDeskWriting: boolean) => {
    clearTimeout(writingEnds);
    if (isDeskWriting) writingEnds = setTimeout(() => set({ isDeskWriting: false }), writingShownMs);
    if (isDeskWriting !== store.get().isDeskWriting) set({ isDeskWriting });
  };

  const show = (visit: PatientVisit) => {
    const shown = store.get().visit;
    // An unchanged visit has the clock of the time when it was first read.
    if (visit === shown) return;
    learnServerTime(visit.now);
    // A slow reply may be older than what is shown.
    if (visit.version < (shown?.version ?? 0)) return;
    set({ visit });
    // The message that the desk was writing is here.
    const newest = visit.messages.at(-1);
    if (newest?.from === 'office' && newest.id !== shown?.messages.at(-1)?.id) showWriting(false);
  };

  const end = ({ body }: CallError) => set({ gone: true, endedLink: (body.current as EndedLink | undefined) ?? null });
  const handleRefusal = (error: unknown) => {
    if (signal.aborted) return;
    if (!(error instanceof CallError)) throw error;
    if (error.status === 404) return end(error);
    set({ refused: refusalMessage(error) });
    if (error.body.current) show(error.body.current as PatientVisit);
  };

  const poll = async () => {
    try {
      const visit = await call(readPatientVisit, { params: { token } }, { signal });
      show(visit);
      if (visit.outdated && store.get().taps.length === 0) reloadIfIdle();
      return pollMs;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.status !== 404 && error.status !== 400) return retryDelayMs(error);
      end(error);
      return null;
    }
  };

  const polling = startPolling(poll, first ? pollMs : 0);
  const tap = sendTaps(token, signal, { onTaps: (taps) => set({ taps }), onVisit: show, onError: handleRefusal });
  const unsubscribe = onHint(({ type }) => {
    if (type === 'writing') return showWriting(true);
    if (type === 'line') setTimeout(polling.now, Math.random() * spreadMs);
    else polling.now();
  });
  const leave = joinVisit(token);

  return {
    now: store.get,
    watch: store.subscribe,
    act(action) {
      if (tap(action)) set({ refused: null });
    },
    show,
    stop() {
      stopped.abort();
      clearTimeout(writingEnds);
      polling.stop();
      unsubscribe();
      leave();
    },
  };
}
