import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { refetchQueueAfterHint } from './use-queue.ts';

const hint = { type: 'message', visit: 'noor' };

test('a picture that is stored while its message is being fetched is not lost, although the row in the list stays the same', async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let stored = 'no message';
  const answers: (() => void)[] = [];
  const list = new QueryObserver(cache, { queryKey: ['queue', 'today'], queryFn: () => ['noor'] });
  const visit = new QueryObserver(cache, {
    queryKey: ['visit', 'noor'],
    // The answer shows what was stored at the time of the question, and arrives when the test says so.
    queryFn: () => {
      const seen = stored;
      return new Promise<string>((answer) => answers.push(() => answer(seen)));
    },
  });
  const leave = [list, visit].map((observer) => observer.subscribe(() => undefined));
  /** What the screen shows once all questions so far are answered. */
  const shown = () => {
    for (const answer of answers.splice(0)) answer();
    return visit.getCurrentResult().data;
  };
  await expect.poll(shown).toBe('no message');

  stored = 'fetching the picture';
  void refetchQueueAfterHint(cache, hint, 'noor');
  await expect.poll(() => answers.length).toBe(1);
  stored = 'the picture';
  void refetchQueueAfterHint(cache, hint, 'noor');
  await expect.poll(() => cache.isFetching({ queryKey: ['queue'] })).toBe(0);
  await expect.poll(shown).toBe('the picture');
  for (const one of leave) one();
  cache.clear();
});
