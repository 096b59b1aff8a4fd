import { expect, test } from 'vitest';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openFairQueue } from './fair-queue.ts';

/** A queue with one decoder and four waiting places, and jobs that end one by one. */
function openTestQueue() {
  const queue = openFairQueue({ running: 1, waiting: 4, waitingOfSender: 2 });
  const done: string[] = [];
  const ends: (() => void)[] = [];
  const add = (network: string) =>
    queue
      .run(network, () => new Promise<void>((end) => ends.push(end)))
      .then(
        () => void done.push(network),
        (error: unknown) => {
          expect(error).toBeInstanceOf(Refusal);
          done.push(`${network} refused`);
        },
      );
  const settle = () => new Promise((next) => setImmediate(next));
  const endAll = async () => {
    await settle();
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await settle();
    }
  };
  return { add, done, endAll, settle };
}

test('networks take turns, however many requests one of them sent first', async () => {
  const queue = openTestQueue();
  for (const network of ['a', 'a', 'a', 'b']) void queue.add(network);
  await queue.endAll();
  expect(queue.done).toEqual(['a', 'b', 'a', 'a']);
});

test('when two networks hold all places, a third takes the newest place of one of them', async () => {
  const queue = openTestQueue();
  for (const network of ['a', 'a', 'a', 'b', 'b', 'c']) void queue.add(network);
  await queue.settle();
  expect(queue.done).toEqual(['a refused']);
  await queue.endAll();
  expect(queue.done.slice(1).toSorted()).toEqual(['a', 'a', 'b', 'b', 'c']);
});

test('a network beyond its places is refused, and takes no place of another', async () => {
  const queue = openTestQueue();
  for (const network of ['a', 'b', 'c', 'd', 'e', 'f', 'f']) void queue.add(network);
  await queue.settle();
  expect(queue.done).toEqual(['f refused', 'f refused']);
  await queue.endAll();
  expect(queue.done.slice(2)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a job that fails hands its slot on', async () => {
  const queue = openFairQueue({ running: 1, waiting: 1, waitingOfSender: 1 });
  const failed = queue.run('a', () => Promise.reject(new Error('unreadable')));
  const next = queue.run('b', () => Promise.resolve('b'));
  await expect(failed).rejects.toThrow('unreadable');
  expect(await next).toBe('b');
  expect(await queue.run('c', () => Promise.resolve('c'))).toBe('c');
});
