import { expect, test } from 'vitest';
import { lateMinutesDefault } from '#contract/queue.ts';
import { isLate, byLastEnded, byLongestWait } from './lateness.ts';
import { sampleVisit } from './sample-visit.ts';

const nine = Date.parse('2026-03-02T14:00:00.000Z');
const ago = (minutes: number) => new Date(nine - minutes * 60_000).toISOString();

test.each([
  ['WAITING', 9, false],
  ['WAITING', 10, true],
  ['INVITED', 14, false],
  ['INVITED', 15, true],
  ['REINVITED', 15, true],
  ['GOING', 39, false],
  ['GOING', 40, true],
  ['PATIENT_DONE', 300, false],
] as const)('%s for %i minutes: late %s', (statusCode, minutes, late) => {
  const visit = sampleVisit({ statusCode, createdAt: ago(minutes), statusAt: ago(minutes), invitedAt: ago(minutes) });
  expect(isLate(visit, lateMinutesDefault, nine)).toBe(late);
});

test('an invited patient is late by the invite, not by the arrival', () => {
  const visit = sampleVisit({ statusCode: 'INVITED', createdAt: ago(90), invitedAt: ago(3), statusAt: ago(3) });
  expect(isLate(visit, lateMinutesDefault, nine)).toBe(false);
});

test('a second reinvite starts the clock anew', () => {
  const visit = sampleVisit({ statusCode: 'REINVITED', createdAt: ago(90), statusAt: ago(30), invitedAt: ago(2) });
  expect(isLate(visit, lateMinutesDefault, nine)).toBe(false);
});

test('late ones and raised hands rise, then the longest here is first', () => {
  const going = sampleVisit({ statusCode: 'GOING', createdAt: ago(60), statusAt: ago(5) });
  const newcomer = sampleVisit({ createdAt: ago(1) });
  const hand = sampleVisit({ createdAt: ago(4), stillWaitingAt: ago(0) });
  const late = sampleVisit({ createdAt: ago(11) });
  expect(byLongestWait([newcomer, hand, going, late], lateMinutesDefault, nine)).toEqual([late, hand, going, newcomer]);
});

test('History starts with what ended last, and with what a past day left open', () => {
  const first = sampleVisit({ statusCode: 'PATIENT_DONE', endedAt: ago(50) });
  const last = sampleVisit({ statusCode: 'DOCTOR_CANCELLED', endedAt: ago(5) });
  const open = sampleVisit();
  expect(byLastEnded([first, open, last])).toEqual([open, last, first]);
});
