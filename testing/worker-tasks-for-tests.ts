/** Tasks that try what a worker process must survive, or must not. */
import { carryOut, type Note } from '#server/kit/worker-tasks.ts';

export const tasks = {
  echo: (input: unknown) => input,
  pid: () => process.pid,
  environment: () => Object.keys(process.env),
  fail: (message: string) => {
    throw new TypeError(message);
  },
  /** A loop that hears nothing. */
  spin: (text: string, note: Note) => {
    note('before');
    note(text);
    for (;;);
  },
  /** Waits without CPU time. */
  pause: (forMs: number) => new Promise((done) => setTimeout(done, forMs)),
  fillHeap: () => {
    const lists: unknown[] = [];
    for (;;) lists.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
  },
  /** V8's own fatal error, which no try and no limit of a thread catches. */
  flattenLongText: () => {
    let text = 'x'.repeat(3_900);
    for (let i = 0; i < 17; i++) text += text;
    return text.toUpperCase().length;
  },
};

carryOut(tasks);
