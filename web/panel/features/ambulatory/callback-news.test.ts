import { expect, test } from 'vitest';
import { createCallbackNews } from './callback-news.ts';

const raised = { type: 'callback', arrived: true } as const;

test('a callback rings once at its hint, also if a colleague took another one meanwhile or it is a further reason', () => {
  const news = createCallbackNews();
  expect(news.count(1)).toBe(false);
  expect([news.hint(raised), news.count(2)]).toEqual([true, false]);
  // One was taken and one was raised before the number was read again.
  expect([news.hint({ type: 'callback' }), news.hint(raised), news.count(2)]).toEqual([false, true, false]);
  expect(news.hint(raised)).toBe(true);
});

test('without a connection a higher number rings; those of the start do not', () => {
  const news = createCallbackNews();
  expect([2, 3, 2].map(news.count)).toEqual([false, true, false]);
  news.hint(raised);
  news.hint({ type: 'refetch' });
  expect(news.count(3)).toBe(true);
});
