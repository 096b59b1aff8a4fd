import type { FastifyBaseLogger } from 'fastify';
import { isDatabaseAway } from '#server/kit/db/db.ts';

export interface Job {
  /** Runs it now (or again, if it is running) instead of at its next time. */
  wake(): void;
  /** Starts no new run; resolves when the current one has ended. */
  stop(): Promise<void>;
}

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

  const run = () => {
    clearTimeout(timer);
    if (stopped) return;
    if (running) {
      wanted = true;
      return;
    }
    running = once().finally(() => {
      running = null;
      if (stopped) return;
      if (wanted) {
        wanted = false;
        setImmediate(run);
      } else timer = setTimeout(run, everyMs).unref();
    });
  };
  const once = async () => {
    try {
      if (await work()) wanted = true;
    } catch (error) {
      if (isDatabaseAway(error)) log.warn({ job: name }, 'job skipped: database unavailable');
      else log.error({ job: name, err: error }, 'job failed');
    }
  };
  timer = setTimeout(run, 0);
  return {
    wake: run,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
