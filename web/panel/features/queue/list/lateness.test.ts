import { expect, test } from 'vitest';
import { queueSettingsDefault } from '#contract/practice/office.ts';
import { byLastEnded, byTimeInStage, latenessOf, minutesOnCard } from './lateness.ts';
import { sampleVisit } from '#web/panel/features/queue/visits/sample-visit.ts';

const nine = Date.parse('2026-03-02T14:00:00.000Z');
const ago = (minutes: number) => new Date(nine - minutes * 60_000).toISOString();
const { lateMinutes } = queueSettingsDefault;

test.each([
  ['WAITING', 14, 'none'],
  ['WAITING', 15, 'amber'],
  ['WAITING', 29, 'amber'],
  ['WAITING', 30, 'red'],
  ['INVITED', 9, 'none'],
  ['INVITED', 10, 'amber'],
  ['REINVITED', 20, 'red'],
  ['GOING', 19, 'none'],
  ['GOING', 20, 'amber'],
  ['GOING', 40, 'red'],
  ['PATIENT_DONE', 300, 'none'],
] as const)('%s for %i minutes: %s', (statusCode, minutes, lateness) => {
  const visit = sampleVisit({ statusCode, createdAt: ago(minutes), statusAt: ago(minutes), invitedAt: ago(minutes) });
  expect(latenessOf(visit, lateMinutes, nine)).toBe(lateness);
});

test('an invited patient is late by the invite, not by the arrival', () => {
  const visit = sampleVisit({ statusCode: 'INVITED', createdAt: ago(90), invitedAt: ago(3), statusAt: ago(3) });
  expect(latenessOf(visit, lateMinutes, nine)).toBe('none');
});

test('a second reinvite restarts the clock', () => {
  const visit = sampleVisit({ statusCode: 'REINVITED', createdAt: ago(90), statusAt: ago(30), invitedAt: ago(2) });
  expect(latenessOf(visit, lateMinutes, nine)).toBe('none');
});

test('a patient who asked "Still waiting?" is red at once', () => {
  expect(latenessOf(sampleVisit({ createdAt: ago(1), stillWaitingAt: ago(0) }), lateMinutes, nine)).toBe('red');
});

test('a card counts the minutes in the stage, and in History the whole stay', () => {
  const called = sampleVisit({ statusCode: 'INVITED', createdAt: ago(50), invitedAt: ago(4), statusAt: ago(4) });
  expect(minutesOnCard(called, nine, true)).toBe(4);
  const inside = sampleVisit({ statusCode: 'PATIENT_DONE', createdAt: ago(50), statusAt: ago(2), endedAt: ago(2) });
  expect([minutesOnCard(inside, nine, true), minutesOnCard(inside, nine, false)]).toEqual([2, 48]);
});

test('the longest in a stage is first, however long it has been here', () => {
  const called = (createdAt: string, invitedAt: string) =>
    sampleVisit({ statusCode: 'INVITED', createdAt, invitedAt, statusAt: invitedAt });
  const [older, newer] = [called(ago(20), ago(9)), called(ago(90), ago(3))];
  expect(byTimeInStage([newer, older])).toEqual([older, newer]);
});

test('History starts with what ended last, and with what a past day left open', () => {
  const first = sampleVisit({ statusCode: 'PATIENT_DONE', endedAt: ago(50) });
  const last = sampleVisit({ statusCode: 'DOCTOR_CANCELLED', endedAt: ago(5) });
  const open = sampleVisit();
  expect(byLastEnded([first, open, last])).toEqual([open, last, first]);
});
