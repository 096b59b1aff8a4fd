import { expect, test } from 'vitest';
import { searchVisits } from './search-visits.ts';
import { sampleVisit } from './sample-visit.ts';

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

test('nothing asked is everyone, nonsense is no one', () => {
  expect(found('  ')).toHaveLength(3);
  expect(found('zz')).toEqual([]);
});
