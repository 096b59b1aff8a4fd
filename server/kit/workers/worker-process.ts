import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { JobEnded, NotStarted } from './job-ended.ts';
import { tailOf } from './output-tail.ts';
import { workerEnvironment, workerFile } from './worker-file.ts';
import type { WorkerStart } from './worker-host-messages.ts';
import { noteEnd, notesFd, type Job, type Reply } from './worker-tasks.ts';

export interface WorkerProcess {
  /** Runs one task at a time. Throws `JobEnded` or `NotStarted`; the process has ended then. */
  run(task: string, input: unknown, deadlineMs: number): Promise<unknown>;
  isAlive(): boolean;
  ended: Promise<void>;
  /** Ends the process at once. */
  end(): Promise<void>;
}

const lookEveryMs = 50;
/** By wall clock a job may take this many times its CPU time. */
const clockFactor = 5;

/**
 * A child process, because V8 ends the whole process if one allocation is too large. One that does not start within `longestStartMs` is ended.
 */
export function startWorkerProcess({ file, heapMb, longestStartMs }: WorkerStart): WorkerProcess {
  const child = fork(workerFile(file), [String(process.pid)], {
    execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=16'],
    env: workerEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'ipc'],
  });
  const errors = tailOf(child.stderr);
  const notes = tailOf(child.stdio[notesFd] as Readable);

  let isAlive = true;
  let jobs = 0;
  /** Handles the next reply, or null when the process ends. */
  let onReply: ((reply: Reply | null) => void) | undefined;
  child.on('message', (reply: Reply) => onReply?.(reply));
  child.on('error', () => child.kill('SIGKILL'));
  const ended = new Promise<void>((done) => {
    const end = () => {
      isAlive = false;
      onReply?.(null);
      done();
    };
    child.once('exit', () => (isAlive = false));
    child.once('close', end);
    if (child.pid === undefined) child.once('error', end);
  });
  const nextReply = () => new Promise<Reply | null>((resolve) => (isAlive ? (onReply = resolve) : void ended.then(() => resolve(null)))); // prettier-ignore
  const end = async () => {
    if (isAlive) child.kill('SIGKILL');
    await ended;
  };
  const failure = () =>
    new Error(`a worker process ended (${child.exitCode ?? child.signalCode ?? 'not started'}): ${errors()}`);

  const ready = (async () => {
    let isLate = false;
    const tooLong = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, longestStartMs);
    const reply = await nextReply();
    clearTimeout(tooLong);
    if (!reply) throw isLate ? new NotStarted(`no start within ${longestStartMs / 1000} s`) : failure();
  })();
  ready.catch(() => undefined);

  async function run(task: string, input: unknown, deadlineMs: number): Promise<unknown> {
    await ready;
    const job: Job = { id: ++jobs, task, input };
    const note = () => noteOf(job, notes());
    let isLate = false;
    const stopLooking = await atDeadline(child.pid ?? 0, deadlineMs, () => {
      isLate = true;
      child.kill('SIGKILL');
    });
    try {
      const next = nextReply();
      if (isAlive) child.send(job);
      const reply = await next;
      if (reply?.kind === 'done') return reply.result;
      if (reply?.kind === 'failed')
        throw Object.assign(new Error(reply.message), { name: reply.name, stack: reply.stack });
      await end();
      if (isLate) throw new JobEnded('deadline', note());
      if (reply?.kind === 'memory' || child.signalCode) throw new JobEnded('memory', note());
      throw failure();
    } finally {
      stopLooking();
    }
  }

  return { run, isAlive: () => isAlive, ended, end };
}

/** The job's last note. Notes of earlier jobs, possibly of another office, are not shown. */
function noteOf({ id }: Job, notes: string): string {
  const last = notes.split(noteEnd).at(-2) ?? '';
  return last.startsWith(`${id} `) ? last.slice(`${id} `.length) : '';
}

/** Calls `over` once when the process has used the CPU time, or the multiple of it by wall clock. */
async function atDeadline(pid: number, deadlineMs: number, over: () => void): Promise<() => void> {
  const cpuBeforeMs = await cpuMsOf(pid);
  const startedAt = performance.now();
  const timer = setInterval(() => void look(), lookEveryMs);
  const look = async () => {
    const isLongOnTheClock = performance.now() - startedAt > deadlineMs * clockFactor;
    if (!isLongOnTheClock && (await cpuMsOf(pid)) - cpuBeforeMs <= deadlineMs) return;
    clearInterval(timer);
    over();
  };
  return () => clearInterval(timer);
}

/** Linux counts in hundredths of a second. Elsewhere there is no cheap way to ask, so only the wall clock counts: 0. */
async function cpuMsOf(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name in parentheses and may contain spaces; user and system time are the 14th and 15th.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user ?? 0) + Number(system ?? 0)) * 10;
}
