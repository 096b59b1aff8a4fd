import { expect, test } from 'vitest';
import type { OpeningHours } from '#contract/practice/opening-hours.ts';
import { autoInvitePause, openNow } from './opening-hours.ts';

const zone = 'America/New_York';
const day: OpeningHours = { open: '08:00', close: '17:00', break: { from: '12:00', to: '13:00' } };
/** Monday to Friday with a break. */
const openingHours = [day, day, day, day, day, null, null];
const at = (instant: string, closed: string[] = [], hours: (OpeningHours | null)[] | null = openingHours) =>
  openNow({ openingHours: hours, closedDays: closed.map((one) => ({ day: one, name: '' })) }, zone, new Date(instant));

// 2 March 2026 is a Monday; New York is five hours behind.
test.each([
  ['before opening', '2026-03-02T12:59:59Z', false, '2026-03-02T13:00:00.000Z'],
  ['in the morning', '2026-03-02T13:00:00Z', true, null],
  ['when the break begins', '2026-03-02T17:00:00Z', false, '2026-03-02T18:00:00.000Z'],
  ['when the break ends', '2026-03-02T18:00:00Z', true, null],
  ['after closing', '2026-03-02T22:00:00Z', false, '2026-03-03T13:00:00.000Z'],
  ['before a weekend over which the clocks change', '2026-03-06T22:00:00Z', false, '2026-03-09T12:00:00.000Z'],
])('an office with a break %s', (_when, instant, isOpen, nextOpening) => {
  const now = at(instant);
  expect([now.isOpen, now.nextOpening?.toISOString() ?? null]).toEqual([isOpen, nextOpening]);
  expect(now.hoursToday).toEqual({ open: '08:00', close: '17:00' });
});

test('a closed day has no hours, and the next opening is after all closed days', () => {
  const closed = ['2026-03-02', '2026-03-03'];
  expect(at('2026-03-02T15:00:00Z', closed)).toEqual({
    isOpen: false,
    hoursToday: null,
    nextOpening: new Date('2026-03-04T13:00:00Z'),
  });
  const fortnight = Array.from({ length: 14 }, (_, i) => `2026-03-${String(2 + i).padStart(2, '0')}`);
  expect(at('2026-03-02T15:00:00Z', fortnight).nextOpening).toEqual(new Date('2026-03-16T12:00:00Z'));
});

test('an office that is always open is closed on its closed days', () => {
  expect(at('2026-12-25T15:00:00Z', [], null)).toMatchObject({ isOpen: true, nextOpening: null });
  expect(at('2026-12-25T15:00:00Z', ['2026-12-25'], null)).toEqual({
    isOpen: false,
    hoursToday: null,
    nextOpening: new Date('2026-12-26T05:00:00Z'),
  });
  expect(at('2026-12-26T05:00:00Z', ['2026-12-25'], null)).toMatchObject({ isOpen: true });
});

test('settings saved before breaks and closed days existed are read as before', () => {
  const hours = { open: '08:00', close: '24:00' };
  const old = { openingHours: [hours, hours, hours, hours, hours, hours, hours] };
  expect(openNow(old, zone, new Date('2026-03-02T17:30:00Z'))).toEqual({
    isOpen: true,
    hoursToday: hours,
    nextOpening: null,
  });
  expect(openNow({ openingHours: Array(7).fill(null) }, zone, new Date('2026-03-02T17:30:00Z'))).toEqual({
    isOpen: false,
    hoursToday: null,
    nextOpening: null,
  });
});

test('auto-invite pauses during the break and for the rest of a closed day, and runs after closing time', () => {
  const pause = (instant: string, closed: string[] = []) =>
    autoInvitePause(
      { openingHours, closedDays: closed.map((one) => ({ day: one, name: 'Holiday' })) },
      zone,
      new Date(instant),
    );
  expect(pause('2026-03-02T16:59:59Z')).toBeNull();
  expect(pause('2026-03-02T17:00:00Z')).toEqual({ until: new Date('2026-03-02T18:00:00Z') });
  expect(pause('2026-03-02T18:00:00Z')).toBeNull();
  expect(pause('2026-03-02T22:30:00Z')).toBeNull();
  expect(pause('2026-03-02T15:00:00Z', ['2026-03-02'])).toEqual({ until: null });
});
