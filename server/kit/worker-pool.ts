import { Piscina } from 'piscina';
import { Refusal } from './refusal.ts';
import { workerFile } from './worker-file.ts';
import { headerBytes, noteIn, progressOf, type Message, type Tasks } from './worker-tasks.ts';

export interface PoolOptions {
  /** The worker's file below the project folder; in the bundle it is `dist/server/` and the file's own name. */
  file: string;
  threads: number;
  /** A worker whose JavaScript heap grows beyond this ends. */
  heapMb: number;
}

export interface JobOptions {
  /** Whose job it is (an office's id). Owners take turns, and each has one job running at a time. */
  owner: string;
  /** CPU time, so that a busy machine does not end innocent work. On the clock a job may take five times as long. */
  deadlineMs: number;
  /** Starts only while another thread stays free, so that these jobs never hold up the others. */
  leavesOneFree?: boolean;
}

/** A job was ended because it took too long or too much memory; `note` is the last thing it said it was working on. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded';
  readonly reason: 'deadline' | 'memory';
  readonly note: string;
  constructor(reason: 'deadline' | 'memory', note: string) {
    super(`ended by its ${reason} limit`);
    this.reason = reason;
    this.note = note;
  }
}

export interface WorkerPool<T extends Tasks> {
  /** Runs a task in a worker. Throws `JobEnded`, or `overloaded` when too many jobs wait already. */
  run<K extends keyof T & string>(
    task: K,
    input: Parameters<T[K]>[0],
    options: JobOptions,
  ): Promise<Awaited<ReturnType<T[K]>>>;
  /** Ends the workers. */
  close(): Promise<void>;
}

/** More jobs than these are refused: the caller tries again, and nothing piles up. */
const mostWaiting = 200;
const mostWaitingPerOwner = 20;
const longestWaitMs = 20_000;
const mostTurnsKept = 1_000;
/** A thread that does not come up within this is ended like one that takes too long. */
const longestStartMs = 30_000;
const clockFactor = 5;
const lookEveryMs = 50;
const retryAfterSeconds = 5;
/** How long an owner whose job was ended leaves one thread free with all its jobs. */
const suspectMs = 600_000;

interface Waiting {
  start(): Promise<void>;
  leavesOneFree: boolean;
}

/**
 * Threads for work that a stranger's data may make arbitrarily long. A job that misses its deadline takes its thread with it: nothing else
 * ends a loop inside JavaScript.
 */
export function openWorkerPool<T extends Tasks>({ file, threads, heapMb }: PoolOptions): WorkerPool<T> {
  const piscina = new Piscina<Message>({
    filename: workerFile(file),
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: 60_000,
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
    env: {},
    execArgv: [],
  });
  // A thread that dies with a job rejects that job; one that dies without a job is replaced.
  piscina.on('error', () => undefined);

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
      const free = threads - busy.size;
      if (free === 0) return;
      const [job] = jobs;
      if (!job || busy.has(owner)) continue;
      if (free === 1 && threads > 1 && mustLeaveOneFree(owner, job)) continue;
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

  async function runNow(owner: string, message: Message, deadlineMs: number): Promise<unknown> {
    const over = new AbortController();
    const stopWatching = endAtDeadline(piscina, message.progress, deadlineMs, over);
    try {
      return await piscina.run(message, { signal: over.signal });
    } catch (error) {
      const reason = over.signal.aborted ? 'deadline' : isOutOfMemory(error) ? 'memory' : undefined;
      if (!reason) throw error;
      suspectUntil.set(owner, performance.now() + suspectMs);
      throw new JobEnded(reason, noteIn(message.progress));
    } finally {
      stopWatching();
    }
  }

  return {
    run: (task, input, { owner, deadlineMs, leavesOneFree = false }) =>
      new Promise((resolve, reject) => {
        const all = [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0);
        const own = waiting.get(owner) ?? [];
        const refuse = () => reject(new Refusal('overloaded', undefined, retryAfterSeconds));
        if (all >= mostWaiting || own.length >= mostWaitingPerOwner) return refuse();
        const message: Message = { task, input, progress: progressOf() };
        const job: Waiting = {
          leavesOneFree,
          start: () => {
            clearTimeout(tooLong);
            return runNow(owner, message, deadlineMs).then(resolve as (result: unknown) => void, reject);
          },
        };
        const tooLong = setTimeout(() => withdraw(owner, job) && refuse(), longestWaitMs).unref();
        own.push(job);
        waiting.set(owner, own);
        startWhatMayStart();
      }),
    close: () => piscina.destroy(),
  };
}

function endAtDeadline(
  piscina: Piscina,
  progress: SharedArrayBuffer,
  deadlineMs: number,
  over: AbortController,
): () => void {
  const header = new Float64Array(progress, 0, headerBytes / 8);
  const since = performance.now();
  let startedAt: number | undefined;
  let isLooking = false;
  const look = async () => {
    const [threadId = 0, cpuBeforeMs = 0] = header;
    if (threadId === 0) {
      if (performance.now() - since > longestStartMs) over.abort();
      return;
    }
    startedAt ??= performance.now();
    if (performance.now() - startedAt > deadlineMs * clockFactor) over.abort();
    if (isLooking) return;
    isLooking = true;
    const used = await piscina.threads.find((thread) => thread.threadId === threadId)?.cpuUsage();
    isLooking = false;
    if (used && (used.user + used.system) / 1000 - cpuBeforeMs > deadlineMs) over.abort();
  };
  const timer = setInterval(() => void look().catch(() => (isLooking = false)), lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** A heap that is full, a stack that is full, or a string or list longer than V8 makes them. */
function isOutOfMemory(error: unknown): boolean {
  if ((error as { code?: string } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') return true;
  return (
    error instanceof RangeError &&
    /call stack|Invalid (array|string|typed array) length|maximum size|allocation failed/i.test(error.message)
  );
}
