import { describe, expect, test } from 'vitest';
import { fieldErrorTexts } from '#contract/practice/registration.ts';
import {
  chooseAddress,
  inputOf,
  newFormId,
  problemsOf,
  searchAgain,
  typeAddress,
  zoneOf,
  type Draft,
} from './practice-draft.ts';

const rest: Draft = {
  name: 'Oak Clinic',
  email: 'front@oak.test',
  itContact: 'it@oak.test',
  emr: 'N/A',
  patientSize: '1-500',
  agesTreated: ['Adults'],
};
const address = {
  _id: '1003000126',
  npi: '1003000126',
  name: 'Elm Street Pediatrics',
  otherName: null,
  addressLine1: '12 Elm St',
  addressLine2: 'Ste 4',
  city: 'El Paso',
  state: 'TX',
  zip: '79901',
};
const typed: Draft = { addressLine1: '1 Oak Rd', city: 'Troy', state: 'NY', zip: '12180', npi: '1679576722' };

test('a found address fills name, place and NPI; only its id is submitted, and the clock of the place', () => {
  const draft = chooseAddress(rest, address);
  expect(draft).toMatchObject({ name: 'Elm Street Pediatrics', npi: '1003000126', addressLine1: '12 Elm St, Ste 4' });
  expect(inputOf(draft)).toMatchObject({ addressId: '1003000126', timeZone: 'America/Denver' });
  expect(inputOf(draft)).not.toHaveProperty('addressLine1');
  expect(problemsOf(draft)).toEqual([]);
  expect(problemsOf(searchAgain(draft))).toEqual(['address']);
});

test('correcting a found address starts with what it says', () => {
  const draft = typeAddress(chooseAddress(rest, address));
  expect(inputOf(draft)).toMatchObject({ addressLine1: '12 Elm St, Ste 4', zip: '79901', npi: '1003000126' });
  expect(inputOf(draft)).not.toHaveProperty('addressId');
});

describe('what is wrong, in the order of the form', () => {
  test.each<[string, Draft, string[]]>([
    ['nothing typed', {}, ['address', 'name', 'email', 'itContact', 'emr', 'patientSize', 'agesTreated']],
    ['a new address with nothing in it', typeAddress(rest), ['addressLine1', 'city', 'state', 'zip', 'npi']],
    ['a complete new address', { ...rest, ...typed, isNewAddress: true }, []],
    ['no NPI', { ...rest, ...typed, isNewAddress: true, npi: '' }, ['npi']],
    ['no NPI yet', { ...rest, ...typed, isNewAddress: true, npi: '12', wantsProvisional: true }, []],
    ['an NPI with a typo', { ...rest, ...typed, isNewAddress: true, npi: '1679576721' }, ['npi']],
  ])('%s', (_what, draft, wrong) => {
    expect(problemsOf(draft)).toEqual(wrong);
  });

  test('every text ends without a stop and is there in both languages', () => {
    for (const { en, es } of Object.values(fieldErrorTexts))
      expect([en, es].every((text) => /[^.]$/.test(text))).toBe(true);
  });
});

test('the clock follows the state until somebody chooses', () => {
  expect(zoneOf(rest)).toBe('');
  expect(zoneOf({ ...rest, state: 'FL', zip: '32501' })).toBe('America/Chicago');
  expect(zoneOf({ ...rest, state: 'FL', zip: '33101', timeZone: 'America/Denver' })).toBe('America/Denver');
});

test('forms have ids of their own', () => {
  expect(newFormId()).toMatch(/^[0-9a-f]{32}$/);
  expect(newFormId()).not.toBe(newFormId());
});
