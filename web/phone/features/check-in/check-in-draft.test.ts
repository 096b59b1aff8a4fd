import { expect, test } from 'vitest';
import { arrivalOf, checkDraft, emptyDraft, type CheckInDraft } from './check-in-draft.ts';

const today = '2026-03-02';
const draft: CheckInDraft = {
  firstName: ' Grace ',
  lastName: 'Castellanos',
  birthDate: '4/2/1990',
  phone: '+1 212 555 0101',
  household: [{ key: 7, firstName: 'Leo', lastName: 'Castellanos', birthDate: '' }],
};

test('checkDraft accepts a complete form, also when a family member has no date of birth', () => {
  expect(checkDraft(draft, { today, withPhone: true })).toEqual({});
  expect(arrivalOf(draft, today, 'es')).toEqual({
    firstName: 'Grace',
    lastName: 'Castellanos',
    birthDate: '1990-04-02',
    phone: '+1 212 555 0101',
    household: [{ firstName: 'Leo', lastName: 'Castellanos', birthDate: null }],
    language: 'es',
  });
});

test('checkDraft reports every empty field, and the phone only where the form asks for it', () => {
  const missing = { firstName: 'first-name', lastName: 'last-name', birthDate: 'date-missing' };
  expect(checkDraft(emptyDraft, { today, withPhone: false })).toEqual(missing);
  expect(checkDraft(emptyDraft, { today, withPhone: true })).toEqual({ ...missing, phone: 'phone' });
});

test('checkDraft reports errors of a family member at that member', () => {
  const household = [
    { key: 1, firstName: 'Leo', lastName: 'C', birthDate: '' },
    { key: 4, firstName: ' ', lastName: 'x'.repeat(201), birthDate: '03/03/2026' },
  ];
  expect(checkDraft({ ...draft, household }, { today, withPhone: true })).toEqual({
    '4.firstName': 'first-name',
    '4.lastName': 'name-too-long',
    '4.birthDate': 'date-ahead',
  });
});
