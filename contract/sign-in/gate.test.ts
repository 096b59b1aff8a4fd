import { describe, expect, test } from 'vitest';
import { gate, mayEnterOffice, type Gate, type GateFacts } from './gate.ts';

type Office = NonNullable<GateFacts['office']>;
const signed: Office = {
  hellosignComplete: true,
  authenticatorMissing: false,
  paymentsQuestionCompleted: false,
  emr: 'N/A',
  onboardingType: 'regular',
  smsMode: false,
  ambulatory: false,
};
const athena = { ...signed, emr: 'AthenaOne' };
const facts = (office: Partial<Office> | null, rest: Partial<GateFacts> = {}): GateFacts => ({
  signedIn: true,
  locked: false,
  memberOf: 1,
  disableCheckin: false,
  paymentsOffered: true,
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
    ['the office asks for an authenticator', facts({ authenticatorMissing: true }), 'authenticator-missing', '/'],
    [
      'the agreement comes before it',
      facts({ hellosignComplete: false, authenticatorMissing: true }),
      'agreement-missing',
      '/',
    ],
    ['and it before the question', facts({ ...athena, authenticatorMissing: true }), 'authenticator-missing', '/'],
    ['AthenaOne without an answer', facts(athena), 'payments-question', '/'],
    ['nobody is asked where nobody can pay', facts(athena, { paymentsOffered: false }), 'ready', '/dashboard'],
    ['AthenaOne answered', facts({ ...athena, paymentsQuestionCompleted: true }), 'ready', '/dashboard'],
    ['other software is not asked', facts({ emr: 'Epic' }), 'ready', '/dashboard'],
    ['sms mode', facts({ smsMode: true }), 'sms-mode', '/sms-dashboard'],
    ['ambulatory mode', facts({ ambulatory: true }), 'ambulatory', '/dashboard/patients'],
    ['sms before ambulatory', facts({ smsMode: true, ambulatory: true }), 'sms-mode', '/sms-dashboard'],
    ['check-in switched off', facts({}, { disableCheckin: true }), 'checkin-disabled', '/dashboard/forms'],
    ['sms mode with check-in off', facts({ smsMode: true }, { disableCheckin: true }), 'sms-mode', '/sms-dashboard'],
    [
      "the partner's office signs on the partner's pages",
      facts({ onboardingType: 'chadis', hellosignComplete: false }),
      'agreement-missing',
      '/chadis/signhipaa',
    ],
    ["the partner's office, signed", facts({ onboardingType: 'chadis' }), 'ready', '/dashboard'],
    [
      "the partner's AthenaOne office is asked too",
      facts({ ...athena, onboardingType: 'chadis' }),
      'payments-question',
      '/',
    ],
    ['locked comes before everything', facts(null, { locked: true, memberOf: 0 }), 'locked', '/'],
    ['unsigned and in sms mode', facts({ hellosignComplete: false, smsMode: true }), 'agreement-missing', '/'],
    ['the question comes before sms mode', facts({ ...athena, smsMode: true }), 'payments-question', '/'],
    [
      'ambulatory mode with check-in off',
      facts({ ambulatory: true }, { disableCheckin: true }),
      'ambulatory',
      '/dashboard/patients',
    ],
    ['everything done', facts({}), 'ready', '/dashboard'],
  ])('%s', (_case, given, because, to) => {
    expect(gate(given)).toEqual({ to, because });
  });
});

test('every branch of the gate except the final ones leads to its own page', () => {
  const flags = [true, false];
  const offices = flags.flatMap((hellosignComplete) =>
    flags.flatMap((paymentsQuestionCompleted) =>
      flags.flatMap((smsMode) =>
        flags.flatMap((ambulatory) =>
          ['AthenaOne', 'N/A'].map((emr) => ({
            hellosignComplete,
            paymentsQuestionCompleted,
            smsMode,
            ambulatory,
            emr,
          })),
        ),
      ),
    ),
  );
  for (const office of [null, ...offices])
    for (const disableCheckin of flags)
      for (const locked of flags) {
        const { to, because } = gate(facts(office, { disableCheckin, locked }));
        const isOpen = ['ready', 'sms-mode', 'ambulatory', 'checkin-disabled'].includes(because);
        expect(to === '/', `${because} → ${to}`).toBe(!isOpen);
        if (isOpen) expect(mayEnterOffice(office && { ...signed, ...office })).toBe(true);
      }
});

test('mayEnterOffice is false until the agreement is signed', () => {
  expect(mayEnterOffice(null)).toBe(false);
  expect(mayEnterOffice({ hellosignComplete: false, authenticatorMissing: false })).toBe(false);
  expect(mayEnterOffice({ hellosignComplete: true, authenticatorMissing: true })).toBe(false);
  expect(mayEnterOffice({ hellosignComplete: true, authenticatorMissing: false })).toBe(true);
});
