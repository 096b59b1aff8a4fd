import type { FastifyBaseLogger } from 'fastify';
import { isDatabaseAway } from '#server/kit/db/db.ts';
import { withLogContext } from '#server/kit/log-context.ts';
import { startSpan } from '#server/kit/tracing.ts';

export interface Job {
  /** Runs it now (or again, if it is running) instead of at its next time. */
  wake(): void;
  /** Starts no new run; resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** How a job of this process is doing. */
export interface JobState {
  name: string;
  everyMs: number;
  /** Since the last run that ended well. */
  failuresInARow: number;
  /** Milliseconds since 1970; null before the first such run. */
  succeededAtMs: number | null;
}

const states = new Map<string, JobState>();

/** The jobs that this process has started and not stopped. */
export const jobStates = (): JobState[] => [...states.values()];

/**
 * Runs `work` every `everyMs`, one run at a time in this process, and at once when woken. Due rows in the database are the queue, so a
 * missed wake-up costs one period and a crash costs nothing. `work` returns true if more is due.
 */
export function runJob(
  name: string,
  everyMs: number,
  log: FastifyBaseLogger,
  work: () => Promise<boolean | void>,
): Job {
  let stopped = false;
  let wanted = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  const state: JobState = { name, everyMs, failuresInARow: 0, succeededAtMs: null };
  states.set(name, state);

  const run = () => {
    clearTimeout(timer);
    if (stopped) return;
    if (running) {
      wanted = true;
      return;
    }
    running = inContext().finally(() => {
      running = null;
      if (stopped) return;
      if (wanted) {
        wanted = false;
        setImmediate(run);
      } else timer = setTimeout(run, everyMs).unref();
    });
  };
  const inContext = async () => {
    const span = startSpan(name, 'job');
    await withLogContext({ job: name, span: span?.span }, once);
    span?.end({ failed: state.failuresInARow > 0 });
  };
  const once = async () => {
    try {
      if (await work()) wanted = true;
      state.failuresInARow = 0;
      state.succeededAtMs = Date.now();
    } catch (error) {
      state.failuresInARow += 1;
      if (isDatabaseAway(error)) log.warn('job skipped: database unavailable');
      else log.error({ err: error }, 'job failed');
    }
  };
  timer = setTimeout(run, 0);
  return {
    wake: run,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      if (states.get(name) === state) states.delete(name);
      await running;
    },
  };
}
