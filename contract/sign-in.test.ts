import { describe, expect, test } from 'vitest';
import { emailPattern, gate, mayEnterOffice, type Gate, type GateFacts } from './sign-in.ts';

type Office = NonNullable<GateFacts['office']>;
const signed: Office = {
  hellosignComplete: true,
  paymentsQuestionCompleted: false,
  emr: 'N/A',
  smsMode: false,
  ambulatory: false,
};
const athena = { ...signed, emr: 'AthenaOne' };
const facts = (office: Partial<Office> | null, rest: Partial<GateFacts> = {}): GateFacts => ({
  signedIn: true,
  locked: false,
  memberOf: 1,
  disableCheckin: false,
  ...rest,
  office: office && { ...signed, ...office },
});

describe('the gate', () => {
  test.each<[string, GateFacts, Gate['because'], string]>([
    ['nobody signed in', facts(null, { signedIn: false, memberOf: 0 }), 'signed-out', '/'],
    ['fifteen idle minutes', facts({}, { locked: true }), 'locked', '/'],
    ['a newcomer registers', facts(null, { memberOf: 0 }), 'no-office', '/'],
    ['the office asked for is not theirs', facts(null), 'choose-office', '/'],
    ['the agreement is not signed', facts({ hellosignComplete: false }), 'agreement-missing', '/'],
    ['unsigned comes before the question', facts({ ...athena, hellosignComplete: false }), 'agreement-missing', '/'],
    ['AthenaOne without an answer', facts(athena), 'payments-question', '/'],
    ['AthenaOne answered', facts({ ...athena, paymentsQuestionCompleted: true }), 'ready', '/dashboard'],
    ['other software is not asked', facts({ emr: 'Epic' }), 'ready', '/dashboard'],
    ['sms mode', facts({ smsMode: true }), 'sms-mode', '/sms-dashboard'],
    ['ambulatory mode', facts({ ambulatory: true }), 'ambulatory', '/dashboard/patients'],
    ['sms before ambulatory', facts({ smsMode: true, ambulatory: true }), 'sms-mode', '/sms-dashboard'],
    ['check-in switched off', facts({}, { disableCheckin: true }), 'checkin-disabled', '/dashboard/forms'],
    ['sms mode with check-in off', facts({ smsMode: true }, { disableCheckin: true }), 'sms-mode', '/sms-dashboard'],
    ['everything done', facts({}), 'ready', '/dashboard'],
  ])('%s', (_case, given, because, to) => {
    expect(gate(given)).toEqual({ to, because });
  });
});

test("nobody sees an office's data before its agreement is signed", () => {
  expect(mayEnterOffice(null)).toBe(false);
  expect(mayEnterOffice({ hellosignComplete: false })).toBe(false);
  expect(mayEnterOffice({ hellosignComplete: true })).toBe(true);
});

test.each([
  ['front@maple.test', true],
  ['a@b.c', true],
  ['front@maple', false],
  ['front maple@a.test', false],
  ['@maple.test', false],
  ['front@', false],
  ['', false],
])('email %j: %s', (email, valid) => {
  expect(emailPattern.test(email)).toBe(valid);
});
