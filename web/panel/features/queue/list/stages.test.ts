import { expect, test } from 'vitest';
import { queueSettingsDefault } from '#contract/practice/office.ts';
import { rowsOf, stagesOf, visitsOf } from './stages.ts';
import { sampleForm, sampleVisit } from '#web/panel/features/queue/visits/sample-visit.ts';

const nine = Date.parse('2026-03-02T14:00:00.000Z');
const ago = (minutes: number) => new Date(nine - minutes * 60_000).toISOString();
const { lateMinutes } = queueSettingsDefault;
const at = (minutes: number) => ({
  createdAt: ago(minutes),
  statusAt: ago(minutes),
  invitedAt: ago(minutes),
  endedAt: ago(minutes),
});
const stages = (...visits: Parameters<typeof sampleVisit>[0][]) => stagesOf(visits.map(sampleVisit), lateMinutes, nine);
const one = (visit: Parameters<typeof sampleVisit>[0]) =>
  Object.entries(stages(visit)).find(([, visits]) => visits.length > 0)?.[0];

test.each([
  ['WAITING', 5, 'waiting'],
  ['WAITING', 20, 'waiting'],
  ['WAITING', 30, 'needs-you'],
  ['INVITED', 5, 'called'],
  ['REINVITED', 5, 'called'],
  ['GOING', 5, 'going'],
  ['PATIENT_DONE', 9, 'inside'],
  ['PATIENT_DONE', 10, undefined],
  ['DOCTOR_CANCELLED', 1, undefined],
  ['PATIENT_CANCELLED', 1, undefined],
] as const)('%s for %i minutes is in stage %s', (statusCode, minutes, stage) => {
  expect(one({ statusCode, ...at(minutes) })).toBe(stage);
});

test.each([
  ['an unread message', { unreadMessages: 1 }],
  ['"Still waiting?"', { stillWaitingAt: ago(0) }],
  ['a COVID screening to review', { patientCovidWarning: true }],
  ['another form to review', { forms: [sampleForm({ outcome: 'review' })] }],
  ['a failed text', { lastMessageState: 'failed' as const }],
  ['a text that a limit holds back', { lastMessageState: 'held' as const, lastTextProblem: 'number-hour' as const }],
])('%s needs the desk', (_what, visit) => {
  expect(one({ ...at(1), ...visit })).toBe('needs-you');
});

test('an unread message needs the desk after "I’m in" too, a failed text does not', () => {
  const inside = { statusCode: 'PATIENT_DONE' as const, ...at(1) };
  expect(one({ ...inside, unreadMessages: 1 })).toBe('needs-you');
  expect(one({ ...inside, lastMessageState: 'failed' })).toBe('inside');
});

test('rows have a heading with a count for each stage with patients; a closed one keeps its heading', () => {
  const all = stages({ ...at(3) }, { ...at(2) }, { statusCode: 'GOING', ...at(1) });
  const rows = rowsOf(all, { closed: ['waiting'], only: undefined });
  expect(rows.map((row) => (row.kind === 'heading' ? [row.stage, row.count, row.isOpen] : 'card'))).toEqual([
    ['waiting', 2, false],
    ['going', 1, true],
    'card',
  ]);
});

test('a chosen stage is shown alone and open; without patients all are shown', () => {
  const all = stages({ ...at(3) }, { statusCode: 'GOING', ...at(1) });
  expect(visitsOf(rowsOf(all, { closed: ['waiting'], only: 'waiting' }))).toEqual(all.waiting);
  expect(visitsOf(rowsOf(all, { closed: [], only: 'inside' }))).toHaveLength(2);
});
