import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openJobQueue } from './job-queue.ts';
import { startWorkerHost, type WorkerHost } from './host-connection.ts';
import type { HostEnd } from './host-end.ts';
import { JobEnded, NotStarted } from './job-ended.ts';
import type { WorkerProcess } from './worker-process.ts';
import type { Tasks } from './worker-tasks.ts';

export interface PoolOptions {
  /** The worker's file below the project folder; in the bundle it is `dist/server/` and the file's own name. */
  file: string;
  processes: number;
  /** A process with a larger JavaScript heap is ended. */
  heapMb: number;
  /** A process that does not start within this time is ended; 30 s. */
  longestStartMs?: number;
  /** Called when the process that starts workers ends by itself. Its jobs fail, and the next job starts another. */
  onHostEnd: (end: HostEnd) => void;
}

export interface JobOptions {
  /** The job's owner (an office's id). Owners take turns, and each has one running job at a time. */
  owner: string;
  /** CPU time, so that a busy machine does not end innocent work. By wall clock a job may take five times as long. */
  deadlineMs: number;
  /** Starts only while another process stays free, so that these jobs never block the others. */
  leavesOneFree?: boolean;
}

export interface WorkerPool<T extends Tasks> {
  /**
   * Runs a task in a worker. Throws `JobEnded`, or `overloaded` if too many jobs are waiting or no process starts in time. The input is loaded when the job's turn
   * comes, so waiting jobs hold no pictures in memory.
   */
  run<K extends keyof T & string>(
    task: K,
    input: () => Parameters<T[K]>[0] | Promise<Parameters<T[K]>[0]>,
    options: JobOptions,
  ): Promise<Awaited<ReturnType<T[K]>>>;
  /** Refuses waiting and new jobs, gives running jobs a moment and ends the processes. */
  close(): Promise<void>;
}

const retryAfterSeconds = 5;
/** One process stays for the next job; the others end after this idle time. */
const idleMs = 60_000;
const closingMs = 1_000;

/**
 * Child processes for work that a stranger's data may make arbitrarily slow or large. A job that misses its deadline or exhausts the memory
 * ends only its own process. Processes start on demand.
 */
export function openWorkerPool<T extends Tasks>({
  file,
  processes,
  heapMb,
  longestStartMs = 30_000,
  onHostEnd,
}: PoolOptions): WorkerPool<T> {
  const queue = openJobQueue(processes);
  const alive = new Set<WorkerProcess>();
  const idle: WorkerProcess[] = [];
  let host: WorkerHost | undefined;
  let isClosed = false;

  function takeProcess(): WorkerProcess {
    for (let next = idle.pop(); next; next = idle.pop()) {
      if (next.isAlive()) return next;
      alive.delete(next);
    }
    if (!host?.isAlive()) host = startWorkerHost(onHostEnd);
    const started = host.startWorker({ file, heapMb, longestStartMs });
    alive.add(started);
    return started;
  }

  function putBack(worker: WorkerProcess): void {
    if (!worker.isAlive()) return void alive.delete(worker);
    idle.push(worker);
    setTimeout(() => {
      const [longestIdle] = idle;
      if (idle.length < 2 || !longestIdle) return;
      idle.shift();
      alive.delete(longestIdle);
      void longestIdle.end();
    }, idleMs).unref();
  }

  async function runNow(owner: string, task: string, input: () => unknown, deadlineMs: number): Promise<unknown> {
    const worker = takeProcess();
    try {
      return await worker.run(task, await input(), deadlineMs);
    } catch (error) {
      if (isClosed || isNotStarted(error)) throw overloaded();
      if (error instanceof JobEnded) queue.suspect(owner);
      throw error;
    } finally {
      putBack(worker);
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    queue.refuseAll();
    const until = performance.now() + closingMs;
    while (queue.isBusy() && performance.now() < until) await sleep(20);
    await Promise.all([...alive].map((worker) => worker.end()));
    await host?.end();
  }

  return {
    run: (task, input, { owner, deadlineMs, leavesOneFree = false }) =>
      new Promise((resolve, reject) => {
        const refuse = () => reject(overloaded());
        const start = () => runNow(owner, task, input, deadlineMs).then(resolve as (result: unknown) => void, reject);
        if (isClosed || !queue.add(owner, { leavesOneFree, refuse, start })) refuse();
      }),
    close,
  };
}

/** An error of the worker host arrives with its name only. */
const isNotStarted = (error: unknown) => error instanceof Error && error.name === new NotStarted().name;
const overloaded = () => new Refusal('overloaded', undefined, retryAfterSeconds);
