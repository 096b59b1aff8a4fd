import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { refetchAfterHint, refetchAfterReconnection } from './refetch-after-hint.ts';

/** A server with one number, whose answers show the number at the time of the question and arrive when the test says so. */
function openDesk() {
  let value = 0;
  const answers: (() => void)[] = [];
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const observer = new QueryObserver(client, {
    queryKey: ['number'],
    queryFn: ({ signal }) => {
      const seen = value;
      return new Promise<number>((resolve, reject) => {
        answers.push(() => resolve(seen));
        signal.addEventListener('abort', () => reject(new Error('canceled')));
      });
    },
  });
  const leave = observer.subscribe(() => undefined);
  return {
    questions: answers,
    shown: () => observer.getCurrentResult().data,
    hint: () => refetchAfterHint(client, ['number']),
    reconnect: () => refetchAfterReconnection(client, ['number']),
    change: () => void value++,
    /** The oldest open question is answered; resolves when the screen had time to show it. */
    async answer() {
      answers.shift()?.();
      await new Promise((shown) => setTimeout(shown));
    },
    leave,
    close() {
      leave();
      client.clear();
    },
  };
}

test('a hint during the first load is not lost: the answer on its way is older than the change', async () => {
  const desk = openDesk();
  desk.change();
  const looked = desk.hint();
  await desk.answer();
  expect(desk.shown()).toBe(0);
  await desk.answer();
  await looked;
  expect(desk.shown()).toBe(1);
  desk.close();
});

test('hints in quick succession cancel no fetch: each answer is shown, and one fetch follows the last hint', async () => {
  const desk = openDesk();
  await desk.answer();
  desk.change();
  const looked = desk.hint();
  for (let i = 0; i < 5; i++) {
    desk.change();
    void desk.hint();
  }
  expect(desk.questions).toHaveLength(1);
  await desk.answer();
  expect(desk.shown()).toBe(1);
  expect(desk.questions).toHaveLength(1);
  await desk.answer();
  await looked;
  expect(desk.shown()).toBe(6);
  expect(desk.questions).toHaveLength(0);
  desk.close();
});

test('a hint after an answer fetches once', async () => {
  const desk = openDesk();
  await desk.answer();
  desk.change();
  const looked = desk.hint();
  await desk.answer();
  await looked;
  expect([desk.shown(), desk.questions.length]).toEqual([1, 0]);
  desk.close();
});

test('after a lost connection a fetch that never ends holds nothing up', async () => {
  const desk = openDesk();
  await desk.answer();
  void desk.hint();
  const [lost] = desk.questions.splice(0);
  expect(lost).toBeDefined();
  desk.change();
  const looked = desk.reconnect();
  await desk.answer();
  await looked;
  expect(desk.shown()).toBe(1);
  desk.close();
});

test('data that is no longer on screen is not fetched again', async () => {
  const desk = openDesk();
  await desk.answer();
  const looked = desk.hint();
  void desk.hint();
  desk.leave();
  await desk.answer();
  await looked;
  expect(desk.questions).toHaveLength(0);
  desk.close();
});

test('data whose refetch was skipped is fetched when it is shown again, even if it still counts as fresh', async () => {
  const client = new QueryClient();
  let fetched = 0;
  const options = { queryKey: ['number'], queryFn: () => Promise.resolve(++fetched), staleTime: Infinity };
  const show = () => new QueryObserver(client, options).subscribe(() => undefined);
  const leave = show();
  await new Promise((answered) => setTimeout(answered));
  leave();
  await refetchAfterHint(client, ['number']);
  expect(fetched).toBe(1);
  const leaveAgain = show();
  await new Promise((answered) => setTimeout(answered));
  leaveAgain();
  expect(fetched).toBe(2);
  client.clear();
});
