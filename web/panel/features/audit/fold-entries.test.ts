import { expect, test } from 'vitest';
import { foldEntries } from './fold-entries.ts';
import type { AuditEntry } from './use-audit.ts';

let written = 100;
/** The entry before the one of the last call, as the log lists them. */
const entry = (some: Partial<AuditEntry> = {}): AuditEntry => ({
  id: String((written -= 1)),
  at: '2026-03-02T14:12:00.000Z',
  actor: 'staff',
  actorName: 'Dana',
  action: 'queue.read',
  subject: '2026-03-02',
  patientName: null,
  details: {},
  outcome: 'done',
  sealed: true,
  ...some,
});

test('the same action of one person again and again is one group', () => {
  const [first, second, third] = [entry(), entry(), entry()];
  expect(foldEntries([first, second, third])).toEqual([[first, second, third]]);
});

test('what happens between them ends a group', () => {
  const [first, move, second] = [entry(), entry({ action: 'visit.move', patientName: 'Ada' }), entry()];
  expect(foldEntries([first, move, second])).toEqual([[first], [move], [second]]);
});

test('two people who do the same in turn are two groups', () => {
  const [dana, luis, danaBefore, luisBefore] = [
    entry(),
    entry({ actorName: 'Luis' }),
    entry(),
    entry({ actorName: 'Luis' }),
  ];
  expect(foldEntries([dana, luis, danaBefore, luisBefore])).toEqual([
    [dana, danaBefore],
    [luis, luisBefore],
  ]);
});

test('readings of today and of another day are two groups', () => {
  const [today, yesterday, todayBefore] = [entry(), entry({ subject: '2026-03-01' }), entry()];
  expect(foldEntries([today, yesterday, todayBefore])).toEqual([[today, todayBefore], [yesterday]]);
});

test.each<[string, Partial<AuditEntry>]>([
  ['about a patient', { patientName: 'Ada' }],
  ['that was refused', { outcome: 'too_many_tries' }],
])('entries %s stand alone', (_what, some) => {
  expect(foldEntries([entry(some), entry(some)])).toHaveLength(2);
});

test.each<[string, Partial<AuditEntry>]>([
  ['another thing', { subject: 'a photo' }],
  ['another change', { details: { changed: 'greeting' } }],
])('%s is a row of its own', (_what, some) => {
  expect(foldEntries([entry(), entry(some)])).toHaveLength(2);
});
