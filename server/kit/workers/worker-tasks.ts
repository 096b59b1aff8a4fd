/** The child process's side of the worker pool. */
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { workerFile } from './worker-file.ts';

/** Says what the task is working on, to be read when it has to be ended. */
export type Note = (text: string) => void;
export type Tasks = Record<string, (input: never, note: Note) => unknown>;

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

/** The file descriptor for notes. They do not travel with the replies: those wait for the event loop, which a task may block. */
export const notesFd = 3;
export const noteEnd = '\0';

/** Carries out tasks for the process that started this one, until that process is gone. */
export function carryOut(tasks: Tasks): void {
  endWithParent();
  process.on('message', (job: Job) => void answer(tasks, job).then(reply));
  reply({ kind: 'ready' });
}

function reply(message: Reply): void {
  process.send?.(message);
}

async function answer(tasks: Tasks, { id, task, input }: Job): Promise<Reply> {
  const note: Note = (text) => void writeSync(notesFd, `${id} ${text}${noteEnd}`);
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

/** A stack that is full, or a string or list longer than V8 makes them. A full heap ends the process instead. */
function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof RangeError &&
    /call stack|Invalid (array|string|typed array) length|maximum size|allocation failed/i.test(error.message)
  );
}

/** A process that waits hears that its parent is gone; one that is in a loop has a thread that looks. */
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
