import { expect, test } from 'vitest';
import { arrivalOf, checkDraft, draftFor, emptyDraft, startFor, type CheckInDraft } from './check-in-draft.ts';

const today = '2026-03-02';
const draft: CheckInDraft = {
  visitFor: 'me',
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

test('a visit for a child asks for the date of birth of the child, not of who holds the phone, who is the contact', () => {
  const child = { ...draft, visitFor: 'child' as const, birthDate: '' };
  expect(checkDraft(child, { today, withPhone: true })).toEqual({ '7.birthDate': 'date-missing' });
  const household = [{ key: 7, firstName: 'Leo', lastName: 'Castellanos', birthDate: '02/09/2019' }];
  expect(checkDraft({ ...child, household }, { today, withPhone: true })).toEqual({});
  expect(arrivalOf({ ...child, household }, today, 'en')).toEqual({
    firstName: 'Leo',
    lastName: 'Castellanos',
    phone: '+1 212 555 0101',
    birthDate: '2019-02-09',
    household: [],
    contact: { firstName: 'Grace', lastName: 'Castellanos' },
    language: 'en',
  });
});

test('the answer to "Who is this visit for?" decides how many family members there are, and keeps what was typed', () => {
  const keys = (visitFor: CheckInDraft['visitFor'], of = emptyDraft) =>
    startFor(of, visitFor).household.map(({ key }) => key);
  expect(keys('child')).toEqual([1]);
  expect(keys('several')).toEqual([1, 2]);
  expect(keys('several', draft)).toEqual([7, 8]);
  expect(keys('me', { ...emptyDraft, ...startFor(draft, 'several') })).toEqual([7]);
});

test.each([
  [['Newborns', 'Children'], 'child'],
  [['Children'], 'child'],
  [['Children', 'Adults'], 'me'],
  [['Newborns'], 'child'],
  [[], 'me'],
])('where a practice treats %j, a visit is for %s at first', (agesTreated, visitFor) => {
  expect(draftFor({ agesTreated }).visitFor).toBe(visitFor);
});
