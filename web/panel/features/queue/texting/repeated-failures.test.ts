import { expect, test } from 'vitest';
import type { VisitMessage } from '#contract/queue.ts';
import { collapseRepeatedFailures } from './repeated-failures.ts';

let minute = 0;
const text = (given: Partial<VisitMessage> = {}): VisitMessage => ({
  id: crypto.randomUUID(),
  at: `2026-03-02T15:${String(minute++ % 60).padStart(2, '0')}:00.000Z`,
  from: 'office',
  by: null,
  kind: 'link',
  body: 'Please finish your forms: {link}',
  textId: crypto.randomUUID(),
  state: 'failed',
  problem: 'bad-number',
  limitedUntil: null,
  sendAt: null,
  picture: null,
  missingPicture: null,
  askedForm: '*',
  ...given,
});

test('the same text that failed three times in a row is one entry with the time of the last try', () => {
  const tries = [text(), text(), text()];
  expect(collapseRepeatedFailures(tries)).toEqual([{ message: tries[2], tries: 3 }]);
});

test('a try that arrives, another text, another reason and a reply each stay an entry of their own', () => {
  const messages = [
    text(),
    text({ state: 'delivered', problem: null }),
    text(),
    text({ body: 'Please come in now.' }),
    text({ body: 'Please come in now.', problem: 'opted-out' }),
    text({ from: 'patient', state: null, problem: null, textId: null, body: 'OK' }),
    text({ from: 'patient', state: null, problem: null, textId: null, body: 'OK' }),
  ];
  expect(collapseRepeatedFailures(messages).map(({ tries }) => tries)).toEqual([1, 1, 1, 1, 1, 1, 1]);
});
