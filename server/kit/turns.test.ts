import { expect, test } from 'vitest';
import { openTurns } from './turns.ts';

/** Work that lasts until it is ended, and who has begun. */
function workOf(turns: ReturnType<typeof openTurns>) {
  const begun: string[] = [];
  return {
    begun,
    start(sender: string) {
      const { promise, resolve: end } = Promise.withResolvers<void>();
      const done = turns.run(sender, async () => {
        begun.push(sender);
        await promise;
      });
      return { end, done };
    },
  };
}
const overloaded = { code: 'overloaded', status: 503, retryAfterSeconds: 5 };

test('a sender has its places, others have the rest, and a free place goes to the first who may take it', async () => {
  const { begun, start } = workOf(openTurns({ running: 3, runningOfSender: 2, waiting: 4, waitMs: 5_000 }));
  const [one, two, three] = [start('maple'), start('maple'), start('maple')];
  const other = start('harbor');
  const last = start('harbor');
  expect(begun).toEqual(['maple', 'maple', 'harbor']);
  other.end();
  await other.done;
  await Promise.resolve();
  // Maple has waited longer, and has no place left.
  expect(begun).toEqual(['maple', 'maple', 'harbor', 'harbor']);
  one.end();
  await one.done;
  await Promise.resolve();
  expect(begun.at(-1)).toBe('maple');
  for (const { end } of [two, three, last]) end();
  await Promise.all([two.done, three.done, last.done]);
});

test('a call that waits too long, or finds too many waiting, is refused with Retry-After, and others go on', async () => {
  const { begun, start } = workOf(openTurns({ running: 1, runningOfSender: 1, waiting: 1, waitMs: 20 }));
  const running = start('maple');
  const late = start('harbor');
  await expect(start('elm').done).rejects.toMatchObject(overloaded);
  await expect(late.done).rejects.toMatchObject(overloaded);
  running.end();
  await running.done;
  const next = start('harbor');
  next.end();
  await next.done;
  expect(begun).toEqual(['maple', 'harbor']);
});
