import { expect, test } from 'vitest';
import { goingOut } from './going-out.ts';

const now = Date.parse('2026-03-02T15:00:05Z');
const row = (sendAt: string | null) => ({ status: 'ready' as const, sendAt });

test('texts of this minute go out now, the others between the first and the last time', () => {
  const rows = ['2026-03-03T14:00:00.000Z', '2026-03-02T15:00:00.000Z', null, '2026-03-02T15:02:00.000Z'].map(row);
  expect(goingOut({ rows }, now)).toEqual({
    atOnce: 1,
    later: 2,
    first: '2026-03-02T15:02:00.000Z',
    last: '2026-03-03T14:00:00.000Z',
  });
});

test('a list without times goes out now', () => {
  const rows = [row('2026-03-02T15:00:00.000Z'), row('2026-03-02T15:00:00.000Z')];
  expect(goingOut({ rows }, now)).toMatchObject({ atOnce: 2, later: 0 });
});
