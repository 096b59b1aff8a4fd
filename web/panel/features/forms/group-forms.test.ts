import { expect, test } from 'vitest';
import type { ListedForm } from '#contract/forms/desk.ts';
import { groupForms } from './group-forms.ts';

const zone = 'America/New_York';
let count = 0;
const form = (patientName: string, completedAt: string, given: Partial<ListedForm> = {}): ListedForm => ({
  id: `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
  objectKey: `1/${count}`,
  patientName,
  sk: `FORM#${completedAt}`,
  completedAt,
  formType: 'arrival',
  formName: 'Arrival form',
  outcome: null,
  amended: false,
  bytes: 1,
  visitId: '00000000-0000-4000-8000-00000000000a',
  birthDate: '1990-04-02',
  ...given,
});
const shape = (forms: ListedForm[]) =>
  groupForms(forms, zone).map(({ day, patients }) => [
    day,
    patients.map(({ name, birthDate, forms: filed }) => `${name} ${birthDate ?? '?'} ${filed.length}`),
  ]);

test('the forms of a page are grouped by the office’s day and by patient, in the order of the list', () => {
  expect(
    shape([
      form('Ada Byron', '2026-03-02T15:00:00.000Z'),
      form('Grace Hopper', '2026-03-02T14:59:00.000Z'),
      form('Ada Byron', '2026-03-02T14:58:00.000Z'),
      form('Ada Byron', '2026-03-02T03:00:00.000Z'),
    ]),
  ).toEqual([
    ['2026-03-02', ['Ada Byron 1990-04-02 2', 'Grace Hopper 1990-04-02 1']],
    ['2026-03-01', ['Ada Byron 1990-04-02 1']],
  ]);
});

test('two patients of one name stay apart by their birthdays, and without birthdays by their visits', () => {
  const at = '2026-03-02T15:00:00.000Z';
  const other = '00000000-0000-4000-8000-00000000000b';
  expect(
    shape([
      form('Maria Lopez', at),
      form('Maria Lopez', at, { birthDate: '2019-05-06' }),
      form('Maria Lopez', at, { birthDate: null }),
      form('Maria Lopez', at, { birthDate: null, visitId: other }),
      form('Maria Lopez', at, { visitId: other }),
    ]),
  ).toEqual([
    ['2026-03-02', ['Maria Lopez 1990-04-02 2', 'Maria Lopez 2019-05-06 1', 'Maria Lopez ? 1', 'Maria Lopez ? 1']],
  ]);
});

test('no forms make no groups', () => expect(groupForms([], zone)).toEqual([]));
