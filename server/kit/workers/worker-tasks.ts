/** The child process's side of the worker pool. */
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { workerFile } from './worker-file.ts';

/** Reports what the task is working on, for the error if it has to be ended. */
export type ProgressNote = (text: string) => void;
export type Tasks = Record<string, (input: never, note: ProgressNote) => unknown>;

export interface Job {
  id: number;
  task: string;
  input: unknown;
}

export type Reply =
  | { kind: 'ready' }
  | { kind: 'done'; result: unknown }
  | { kind: 'memory' }
  | { kind: 'failed'; name: string; message: string; stack: string };

/** The file descriptor for notes. They are not sent with the replies, which wait for the event loop that a task may block. */
export const notesFd = 3;
export const noteEnd = '\0';

/** Runs tasks for the parent process until it ends. */
export function runTask(tasks: Tasks): void {
  endWithParent();
  process.on('message', (job: Job) => void runJob(tasks, job).then(reply));
  reply({ kind: 'ready' });
}

function reply(message: Reply): void {
  process.send?.(message);
}

async function runJob(tasks: Tasks, { id, task, input }: Job): Promise<Reply> {
  const note: ProgressNote = (text) => void writeSync(notesFd, `${id} ${text}${noteEnd}`);
  const run = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
  try {
    if (!run) throw new Error(`no task ${task}`);
    return { kind: 'done', result: await run(input as never, note) };
  } catch (error) {
    if (isOutOfMemory(error)) return { kind: 'memory' };
    const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    return { kind: 'failed', name, message, stack };
  }
}

/** A full stack, or a string or list longer than V8 allows. A full heap ends the process instead. */
function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof RangeError &&
    /call stack|Invalid (array|string|typed array) length|maximum size|allocation failed/i.test(error.message)
  );
}

/** An idle process is notified that its parent has ended; one in a loop has a thread that checks. */
function endWithParent(): void {
  process.on('disconnect', () => process.exit());
  const thread = new Worker(workerFile('server/kit/workers/parent-thread.ts'), {
    workerData: Number(process.argv[2]),
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
}
