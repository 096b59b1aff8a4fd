import { expect, test } from 'vitest';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { searchExpected, searchVisits } from './search-visits.ts';
import { sampleVisit } from '#web/panel/features/queue/visits/sample-visit.ts';

const grace = sampleVisit({ patientName: 'Grace Castellanos-Whitfield', username: '+12125550147' });
const jose = sampleVisit({ patientName: 'José Ángel Núñez', username: '+12125550199' });
const emily = sampleVisit({
  patientName: 'Emily Chen',
  activePatients: [
    { name: 'Emily Chen', birthDate: null },
    { name: 'Oliver Chen', birthDate: null },
  ],
});
const found = (asked: string) => searchVisits([grace, jose, emily], asked);

test.each([
  ['whit', grace],
  ['gra cas', grace],
  ['gc', grace],
  ['GCW', grace],
  ['nunez', jose],
  ['JN', jose],
  ['oliver', emily],
  ['0147', grace],
  ['(212) 555-0199', jose],
])('%s finds one', (asked, visit) => {
  expect(found(asked)).toEqual([visit]);
});

test('an empty search finds everyone, and nonsense finds nobody', () => {
  expect(found('  ')).toHaveLength(3);
  expect(found('zz')).toEqual([]);
});

test('expected patients are found by number, and by name where they have one', () => {
  const expected = (phone: string, first_name = '') =>
    ({ patientId: { phone, first_name, last_name: '' } }) as SmsCheckin;
  const [unnamed, ida] = [expected('+19175552308'), expected('+12125550100', 'Ida')];
  expect(searchExpected([unnamed, ida], '2308')).toEqual([unnamed]);
  expect(searchExpected([unnamed, ida], 'ida')).toEqual([ida]);
  expect(searchExpected([unnamed, ida], 'zz')).toEqual([]);
});
