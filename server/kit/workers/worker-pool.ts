import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '#server/kit/http/refusal.ts';
import { JobEnded, startWorkerProcess, type WorkerProcess } from './worker-process.ts';
import type { Tasks } from './worker-tasks.ts';

export interface PoolOptions {
  /** The worker's file below the project folder; in the bundle it is `dist/server/` and the file's own name. */
  file: string;
  processes: number;
  /** A process whose JavaScript heap grows beyond this ends. */
  heapMb: number;
}

export interface JobOptions {
  /** Whose job it is (an office's id). Owners take turns, and each has one job running at a time. */
  owner: string;
  /** CPU time, so that a busy machine does not end innocent work. On the clock a job may take five times as long. */
  deadlineMs: number;
  /** Starts only while another process stays free, so that these jobs never hold up the others. */
  leavesOneFree?: boolean;
}

export interface WorkerPool<T extends Tasks> {
  /**
   * Runs a task in a worker. Throws `JobEnded`, or `overloaded` when too many jobs wait already. The input is asked for when it is the
   * job's turn: jobs that wait hold no pictures in memory.
   */
  run<K extends keyof T & string>(
    task: K,
    input: () => Parameters<T[K]>[0] | Promise<Parameters<T[K]>[0]>,
    options: JobOptions,
  ): Promise<Awaited<ReturnType<T[K]>>>;
  /** Refuses what waits and what comes, gives running jobs a moment and ends the processes. */
  close(): Promise<void>;
}

/** More jobs than these are refused: the caller tries again, and nothing piles up. */
const mostWaiting = 200;
const mostWaitingPerOwner = 20;
const longestWaitMs = 20_000;
const mostTurnsKept = 1_000;
const retryAfterSeconds = 5;
/** How long an owner whose job was ended leaves one process free with all its jobs. */
const suspectMs = 600_000;
/** One process stays for the next job; the others end when they had nothing to do for so long. */
const idleMs = 60_000;
const closingMs = 1_000;

interface Waiting {
  start(): Promise<void>;
  refuse(): void;
  leavesOneFree: boolean;
}

/**
 * Child processes for work that a stranger's data may make arbitrarily long or large. A job that misses its deadline or fills the memory takes
 * its process with it, and nothing else. Processes start when they are first needed.
 */
export function openWorkerPool<T extends Tasks>({ file, processes, heapMb }: PoolOptions): WorkerPool<T> {
  const alive = new Set<WorkerProcess>();
  const idle: WorkerProcess[] = [];
  let isClosed = false;

  const waiting = new Map<string, Waiting[]>();
  /** When an owner's job started last, as a running number; the longest ago comes first. */
  const lastTurns = new Map<string, number>();
  let turns = 0;
  const busy = new Set<string>();
  const suspectUntil = new Map<string, number>();

  function mustLeaveOneFree(owner: string, job: Waiting): boolean {
    const until = suspectUntil.get(owner);
    if (until !== undefined && until < performance.now()) suspectUntil.delete(owner);
    return job.leavesOneFree || suspectUntil.has(owner);
  }

  function startWhatMayStart(): void {
    const inTurn = [...waiting].sort(([a], [b]) => (lastTurns.get(a) ?? 0) - (lastTurns.get(b) ?? 0));
    for (const [owner, jobs] of inTurn) {
      const free = processes - busy.size;
      if (free === 0) return;
      const [job] = jobs;
      if (!job || busy.has(owner)) continue;
      if (free === 1 && processes > 1 && mustLeaveOneFree(owner, job)) continue;
      jobs.shift();
      if (jobs.length === 0) waiting.delete(owner);
      noteTurn(owner);
      busy.add(owner);
      void job.start().finally(() => {
        busy.delete(owner);
        startWhatMayStart();
      });
    }
  }

  function noteTurn(owner: string): void {
    lastTurns.delete(owner);
    lastTurns.set(owner, ++turns);
    const [oldest] = lastTurns.keys();
    if (lastTurns.size > mostTurnsKept && oldest !== undefined) lastTurns.delete(oldest);
  }

  function withdraw(owner: string, job: Waiting): boolean {
    const jobs = waiting.get(owner) ?? [];
    const at = jobs.indexOf(job);
    if (at === -1) return false;
    jobs.splice(at, 1);
    if (jobs.length === 0) waiting.delete(owner);
    return true;
  }

  function takeProcess(): WorkerProcess {
    for (let next = idle.pop(); next; next = idle.pop()) if (next.isAlive()) return next;
    const started = startWorkerProcess(file, heapMb);
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
      if (isClosed) throw overloaded();
      if (error instanceof JobEnded) suspectUntil.set(owner, performance.now() + suspectMs);
      throw error;
    } finally {
      putBack(worker);
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const job of [...waiting.values()].flat()) job.refuse();
    waiting.clear();
    const until = performance.now() + closingMs;
    while (busy.size > 0 && performance.now() < until) await sleep(20);
    await Promise.all([...alive].map((worker) => worker.end()));
  }

  return {
    run: (task, input, { owner, deadlineMs, leavesOneFree = false }) =>
      new Promise((resolve, reject) => {
        const all = [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0);
        const own = waiting.get(owner) ?? [];
        const refuse = () => reject(overloaded());
        if (isClosed || all >= mostWaiting || own.length >= mostWaitingPerOwner) return refuse();
        const job: Waiting = {
          leavesOneFree,
          refuse: () => {
            clearTimeout(tooLong);
            refuse();
          },
          start: () => {
            clearTimeout(tooLong);
            return runNow(owner, task, input, deadlineMs).then(resolve as (result: unknown) => void, reject);
          },
        };
        const tooLong = setTimeout(() => withdraw(owner, job) && refuse(), longestWaitMs).unref();
        own.push(job);
        waiting.set(owner, own);
        startWhatMayStart();
      }),
    close,
  };
}

const overloaded = () => new Refusal('overloaded', undefined, retryAfterSeconds);
