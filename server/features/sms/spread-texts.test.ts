import { expect, test } from 'vitest';
import { quietHoursOf } from '#server/features/texting/index.ts';
import { spreadTexts, textsPerMinute, tooLateFor } from './spread-texts.ts';

const timeZone = 'America/New_York';
const at = (iso: string) => new Date(iso).getTime();
const ten = at('2026-03-02T15:00:00Z'); // 10:00 AM
const quiet = quietHoursOf({ timeZone, messageSettings: {} });
const newYork = '+12125550123';
const spread = (wanted: number[], taken = new Map<number, number>(), { holds = false, phone = newYork } = {}) =>
  spreadTexts(
    wanted.map((wantedAt) => ({ phone, wantedAt })),
    { perMinute: 5, taken, endOfQuiet: quiet, holds },
  ).map(({ sendAt }) => sendAt);
const perMinuteOf = (times: number[]) =>
  Object.values(Object.groupBy(times, (time) => String(Math.floor(time / 60_000)))).map((group) => group?.length);

test('five texts a minute go out, the first at once', () => {
  const times = spread(Array.from({ length: 12 }, () => ten));
  expect(times[0]).toBe(ten);
  expect(perMinuteOf(times)).toEqual([5, 5, 2]);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('no text goes out before its time', () => {
  const wanted = [ten + 59_000, ten, ten + 30_500, ten + 59_000, ten + 59_000, ten + 59_000];
  for (const [row, time] of spread(wanted).entries()) expect(time).toBeGreaterThanOrEqual(wanted[row] as number);
});

test('texts of an earlier send keep their minutes', () => {
  const times = spread([ten, ten, ten], new Map([[ten / 60_000, 4]]));
  expect(times.map((time) => Math.floor((time - ten) / 60_000))).toEqual([0, 1, 1]);
});

test('a text that has to wait past 9 PM goes out at 8 AM; one that was asked for at night goes out at night', () => {
  const late = at('2026-03-03T01:59:00Z'); // 8:59 PM
  const times = spread(Array.from({ length: 6 }, () => late));
  expect(times[5]).toBe(at('2026-03-03T13:00:00Z'));
  expect(spread([at('2026-03-03T04:00:00Z')])).toEqual([at('2026-03-03T04:00:00Z')]);
});

test('in the demo, where quiet hours only warn, texts that were asked for at night wait for free minutes, not for the morning', () => {
  const night = at('2026-03-03T04:00:00Z'); // 11 PM
  const times = spread(Array.from({ length: 12 }, () => night));
  expect(perMinuteOf(times)).toEqual([5, 5, 2]);
  expect(Math.max(...times)).toBe(night + 2 * 60_000);
});

test('the morning after the clocks changed begins at 8 AM of the new time', () => {
  const saturday = Array.from({ length: 6 }, () => at('2026-03-08T01:59:00Z')); // 8:59 PM, standard time
  expect(spread(saturday)[5]).toBe(at('2026-03-08T12:00:00Z'));
  const autumn = Array.from({ length: 6 }, () => at('2026-11-01T00:59:00Z')); // 8:59 PM, daylight time
  expect(spread(autumn)[5]).toBe(at('2026-11-01T13:00:00Z'));
});

test('a text requested in quiet hours waits until they end, by the clock of its recipient', () => {
  const late = at('2026-03-03T04:00:00Z'); // 11 PM
  expect(spread([late], undefined, { holds: true })).toEqual([at('2026-03-03T13:00:00Z')]);
  expect(spread([late], undefined, { holds: true, phone: '+12135550123' })).toEqual([at('2026-03-03T16:00:00Z')]);
});

test('10,000 texts take days, and never more than five in a minute', () => {
  const times = spread(Array.from({ length: 10_000 }, () => ten));
  expect(Math.max(...perMinuteOf(times).map((count) => count ?? 0))).toBe(5);
  const hour = new Intl.DateTimeFormat('en-US', { hour: 'numeric', timeZone });
  const hours = new Set(times.map((time) => hour.format(time)));
  expect(['9 PM', '3 AM', '7 AM'].filter((night) => hours.has(night))).toEqual([]);
});

test('a practice with a higher limit sends faster', () => {
  expect(textsPerMinute({ settings: {} })).toBe(5);
  expect(textsPerMinute({ settings: { textsPerHour: 6_000 } })).toBe(50);
  expect(textsPerMinute({ settings: { textsPerHour: 10 } })).toBe(1);
});

test('10,000 texts of a practice that is quiet all day but a minute are planned in a moment; those without a time are too late', () => {
  const endOfQuiet = quietHoursOf({ timeZone, messageSettings: { quietHours: { from: '00:00', until: '23:59' } } });
  const from = performance.now();
  const times = spreadTexts(
    Array.from({ length: 10_000 }, (_, i) => ({
      phone: `+1${['212', '213', '808'][i % 3]}555${String(i).padStart(4, '0')}`,
      wantedAt: ten,
    })),
    { perMinute: 5, taken: new Map(), endOfQuiet, holds: true },
  ).map(({ sendAt }) => sendAt);
  // It took over ten seconds, and the watchdog ended the process.
  expect(performance.now() - from).toBeLessThan(2_000);
  const inTime = times.filter((time) => time < tooLateFor(ten));
  expect(inTime.length).toBeGreaterThan(100);
  expect(Math.max(...perMinuteOf(inTime).map((count) => count ?? 0))).toBe(5);
});
