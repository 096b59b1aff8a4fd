import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { QueueSettings, queueSettingsDefault } from '#contract/practice/office.ts';
import { isChanged, problemsOf, toDraft, toSettings, type Draft } from './queue-settings-draft.ts';

const hours = (open: string, close: string) => ({ open, close });
const settings: QueueSettings = {
  autoInviteEnabled: true,
  autoInviteWaitTime: 90,
  lateMinutes: { WAITING: 5, INVITED: 6, GOING: 7 },
  openingHours: [
    { ...hours('08:00', '17:30'), break: { from: '12:00', to: '12:45' } },
    null,
    hours('12:00', '24:00'),
    null,
    null,
    null,
    null,
  ],
  closedDays: [{ day: '2026-12-25', name: 'Christmas' }],
  greeting: { en: 'Hi', es: 'Hola' },
};
const draft = (change: Partial<Draft> = {}): Draft => ({ ...toDraft(settings), ...change });

test.each([settings, queueSettingsDefault])('settings survive the way into the draft and back', (saved) => {
  expect(toSettings(toDraft(saved))).toEqual({ closedDays: [], ...saved });
  expect(problemsOf(toDraft(saved))).toEqual({});
  expect(isChanged(toDraft(saved), saved)).toBe(false);
});

test('a minute and a half is typed as 1.5, or 1,5', () => {
  expect(toDraft(settings).waitMinutes).toBe('1.5');
  expect(toSettings(draft({ waitMinutes: ' 1,5 ' })).autoInviteWaitTime).toBe(90);
  expect(isChanged(draft({ waitMinutes: '1.50' }), settings)).toBe(false);
});

test.each(['', '-1', '1441', 'ten', '1e3', '1.', '0x10', '5 min', '1.234'])(
  'a wait of "%s" is a problem',
  (waitMinutes) => {
    expect(problemsOf(draft({ waitMinutes }))).toEqual({ waitMinutes: 'wait' });
  },
);
test.each(['0', '1440', '15'])('a wait of "%s" is valid', (waitMinutes) => {
  expect(problemsOf(draft({ waitMinutes }))).toEqual({});
});

test.each(['', '0', '601', '1.5', 'x'])('a late mark after "%s" minutes is a problem', (typed) => {
  expect(problemsOf(draft({ late: { WAITING: '10', INVITED: typed, GOING: '40' } }))).toEqual({
    'late.INVITED': 'late',
  });
});

test.each([
  ['08:00', '08:00', { 'days.0.to': 'order' }],
  ['17:00', '08:00', { 'days.0.to': 'order' }],
  ['', '08:00', { 'days.0.from': 'time' }],
  ['08:00', '', { 'days.0.to': 'time' }],
  ['08:00', '00:00', {}],
])('open from "%s" to "%s"', (from, to, problems) => {
  const days = [{ open: true, from, to, pause: null }, ...draft().days.slice(1)];
  expect(problemsOf(draft({ days }))).toEqual(problems);
  expect(problemsOf(draft({ days, alwaysOpen: true }))).toEqual({});
  expect(problemsOf(draft({ days: days.map((day) => ({ ...day, open: false })) }))).toEqual({});
});

test.each([
  ['12:00', '13:00', {}],
  ['', '13:00', { 'days.0.pause.from': 'time' }],
  ['12:00', '', { 'days.0.pause.to': 'time' }],
  ['08:00', '13:00', { 'days.0.pause.from': 'break' }],
  ['13:00', '12:00', { 'days.0.pause.to': 'break' }],
  ['16:00', '17:00', { 'days.0.pause.to': 'break' }],
])('a break from "%s" to "%s" on a day from 08:00 to 17:00', (from, to, problems) => {
  const days = [{ open: true, from: '08:00', to: '17:00', pause: { from, to } }, ...draft().days.slice(1)];
  expect(problemsOf(draft({ days }))).toEqual(problems);
  expect(z.safeParse(QueueSettings, toSettings(draft({ days }))).success).toBe(Object.keys(problems).length === 0);
});

test('closed days need a date that is listed once; they are saved in order', () => {
  const closed = (...days: string[]) => draft({ closedDays: days.map((day) => ({ day, name: ' Off ' })) });
  expect(problemsOf(closed('2026-12-25', '', '2026-12-25'))).toEqual({
    'closedDays.1.day': 'date',
    'closedDays.2.day': 'twice',
  });
  expect(toSettings(closed('2027-01-01', '2026-12-25')).closedDays).toEqual([
    { day: '2026-12-25', name: 'Off' },
    { day: '2027-01-01', name: 'Off' },
  ]);
});

test('whatever has no problems is what the server accepts', () => {
  const days = draft().days.map((day) => ({ ...day, open: true, from: '00:00', to: '00:00' }));
  for (const change of [{}, { days }, { alwaysOpen: true }, { waitMinutes: '0' }, { greeting: { en: '', es: '' } }])
    expect(z.safeParse(QueueSettings, toSettings(draft(change))).success).toBe(true);
});

test('a change that cannot be saved is a change all the same', () => {
  expect(isChanged(draft({ waitMinutes: '' }), settings)).toBe(true);
  expect(isChanged(draft({ autoInvite: false }), settings)).toBe(true);
});
