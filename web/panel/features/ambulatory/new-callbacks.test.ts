import { expect, test } from 'vitest';
import { stillNew, type NewCallback } from './new-callbacks.ts';

const callback = (id: string): NewCallback => ({ id, userCode: id, userId: id, newsAt: '2026-03-02T15:00:00.000Z' });
const [ada, ben, cleo] = [callback('ada'), callback('ben'), callback('cleo')];
const open = ({ id }: NewCallback) => ({ id, state: 'open' as const });
const taken = ({ id }: NewCallback) => ({ id, state: 'taken' as const });

test('a new callback stays new until somebody takes or closes it, and the first one stays first', () => {
  expect(stillNew([], [open(ben), open(ada)], 5, [ben, ada])).toEqual([ada, ben]);
  expect(stillNew([ada, ben], [taken(ada), open(ben)], 5, [])).toEqual([ben]);
  expect(stillNew([ada, ben], [open(ben)], 5, [])).toEqual([ben]);
});

test('another reason for a new callback counts once', () => {
  expect(stillNew([ada, ben], [open(ada), open(ben)], 5, [ada])).toEqual([ada, ben]);
});

test('a callback that the page has no room for stays new', () => {
  expect(stillNew([ada], [open(cleo), open(ben)], 2, [cleo, ben])).toEqual([ada, ben, cleo]);
});
