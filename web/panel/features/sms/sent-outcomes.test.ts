import { expect, test } from 'vitest';
import { groupOutcomes, waits, type FollowedText } from './sent-outcomes.ts';

const text = (phone: string, state: FollowedText['state']): FollowedText => ({
  phone,
  state,
  problem: null,
  limitedUntil: null,
});

test('one failed number of five leaves the other four as sent', () => {
  const texts = [text('1', 'sent'), text('2', 'failed'), text('3', 'delivered'), text('4', 'sent'), text('5', 'sent')];
  const { gone, bad, open } = groupOutcomes(texts);
  expect([gone.length, bad.map(({ phone }) => phone), open]).toEqual([4, ['2'], []]);
});

test('a text without an answer of the carrier is neither sent nor bad', () => {
  expect(groupOutcomes([text('1', 'sending'), text('2', 'scheduled')])).toMatchObject({ gone: [], bad: [] });
});

test('a send waits if its last text goes out later', () => {
  const now = Date.parse('2026-03-03T03:00:00Z');
  expect(waits({ lastSendAt: '2026-03-03T13:00:00.000Z' }, now)).toBe(true);
  expect(waits({ lastSendAt: '2026-03-03T03:00:00.000Z' }, now)).toBe(false);
});
