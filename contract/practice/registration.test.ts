import { expect, test } from 'vitest';
import { ages, sizes, states, statesByName } from './choices.ts';
import { systems } from './systems.ts';
import { npiDigits, webAddress } from './registration.ts';
import { isProvisional, markedNpi } from './provisional-npi.ts';
import { timeZoneOf, timeZones } from './time-zones.ts';

test('registration offers 59 states and territories, 20 systems from AthenaOne to N/A, 7 sizes and 4 ages', () => {
  expect(Object.keys(states)).toHaveLength(59);
  expect(systems).toHaveLength(20);
  expect(new Set(systems).size).toBe(20);
  expect([systems[0], systems.at(-1)]).toEqual(['AthenaOne', 'N/A']);
  expect(Object.keys(sizes)).toHaveLength(7);
  expect(Object.keys(ages)).toEqual(['Newborns', 'Children', 'Adults', 'Seniors']);
});

test('statesByName sorts states by their names in the language', () => {
  const names = (language: 'en' | 'es') => statesByName(language).map(({ name }) => name);
  expect(names('en').slice(0, 3)).toEqual(['Alabama', 'Alaska', 'American Samoa']);
  expect(names('es').slice(-4)).toEqual(['Virginia Occidental', 'Washington', 'Wisconsin', 'Wyoming']);
  expect(names('es').indexOf('Samoa Americana')).toBe(names('es').indexOf('Tennessee') - 1);
  expect(statesByName('es')).toHaveLength(59);
});

test('timeZoneOf returns an existing time zone for every state', () => {
  for (const state of Object.keys(states)) {
    const zone = timeZoneOf({ state, zip: '' });
    expect(timeZones, state).toHaveProperty([String(zone)]);
    expect(() => new Intl.DateTimeFormat('en', { timeZone: String(zone) })).not.toThrow();
  }
  expect(timeZoneOf({ state: 'XX', zip: '12345' })).toBeNull();
  expect(timeZoneOf({ state: 'constructor', zip: '12345' })).toBeNull();
});

test.each([
  ['NY', '11201', 'America/New_York'],
  ['FL', '32501', 'America/Chicago'],
  ['FL', '32456', 'America/New_York'],
  ['FL', '33101', 'America/New_York'],
  ['IN', '46402', 'America/Chicago'],
  ['IN', '46204', 'America/New_York'],
  ['KY', '40202', 'America/New_York'],
  ['KY', '42101', 'America/Chicago'],
  ['TN', '37902', 'America/New_York'],
  ['TN', '37201', 'America/Chicago'],
  ['TN', '37355', 'America/Chicago'],
  ['TX', '79901', 'America/Denver'],
  ['TX', '77001', 'America/Chicago'],
  ['ID', '83702', 'America/Denver'],
  ['ID', '83814-1234', 'America/Los_Angeles'],
  ['OR', '97914', 'America/Denver'],
  ['SD', '57701', 'America/Denver'],
  ['SD', '57101', 'America/Chicago'],
  ['AZ', '85004', 'America/Phoenix'],
  ['FM', '96944', 'Pacific/Kosrae'],
  ['AK', '99546', 'America/Adak'],
])('%s %s goes by %s', (state, zip, zone) => {
  expect(timeZoneOf({ state, zip })).toBe(zone);
});

test.each([
  ['www.oak.test', 'https://www.oak.test'],
  ['http://oak.test/a?b', 'http://oak.test/a?b'],
  ['oak.test:8080', 'https://oak.test:8080'],
  ['oak', null],
  ['javascript:alert(1)', null],
  ['https://', null],
  ['my practice.com', null],
])('website %s is kept as %s', (typed, kept) => {
  expect(webAddress(typed)).toBe(kept);
});

test('npiDigits accepts any spelling of an NPI; isProvisional is true for one that begins with 9', () => {
  expect(npiDigits('1679-576 722')).toBe('1679576722');
  expect([isProvisional('9123456789'), isProvisional('1679576722')]).toEqual([true, false]);
});

test('markedNpi marks a provisional NPI and no other', () => {
  expect(markedNpi('9123456789', 'provisional')).toBe('9123456789 (provisional)');
  expect(markedNpi('1679576722', 'provisional')).toBe('1679576722');
});
