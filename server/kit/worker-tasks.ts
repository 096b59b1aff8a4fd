/** What a worker thread and the pool that runs it agree on. */
import { setPriority } from 'node:os';
import { threadId } from 'node:worker_threads';

/** Says what the task is working on, to be read when it has to be ended. */
export type Note = (text: string) => void;
export type Tasks = Record<string, (input: never, note: Note) => unknown>;

export interface Message {
  task: string;
  input: unknown;
  progress: SharedArrayBuffer;
}

/** Thread id, CPU milliseconds used before this job, bytes of the note; then the note. */
export const headerBytes = 24;
const noteBytes = 600;

export const progressOf = () => new SharedArrayBuffer(headerBytes + noteBytes);

/** The note as it stands; also after its thread is gone. */
export function noteIn(progress: SharedArrayBuffer): string {
  const [, , length = 0] = new Float64Array(progress, 0, headerBytes / 8);
  return Buffer.from(progress, headerBytes, Math.min(length, noteBytes)).toString('utf8');
}

/** A worker file's default export: carries out these tasks, behind the main thread in the machine's order. */
export function carryOut(tasks: Tasks): (message: Message) => Promise<unknown> {
  // On Linux this is the thread's own priority, elsewhere the whole process's.
  if (process.platform === 'linux') setPriority(5);
  return async ({ task, input, progress }) => {
    const header = new Float64Array(progress, 0, headerBytes / 8);
    const { user, system } = process.threadCpuUsage();
    header[1] = (user + system) / 1000;
    header[0] = threadId;
    const note: Note = (text) => {
      header[2] = Buffer.from(progress, headerBytes, noteBytes).write(text);
    };
    const run = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
    if (!run) throw new Error(`no task ${task}`);
    return run(input as never, note);
  };
}
