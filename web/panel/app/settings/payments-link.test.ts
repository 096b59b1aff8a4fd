import { expect, test } from 'vitest';
import type { Session } from '#contract/sign-in/session.ts';
import { paymentsLinkOf } from './payments-link.ts';

type Office = NonNullable<Session['office']>;

test.each<[string, Partial<Office>, string | undefined]>([
  ['AthenaOne', {}, 'Enable Payments'],
  ['N/A', {}, 'Enable Athena payments'],
  ['', {}, 'Enable Athena payments'],
  ['Epic', {}, undefined],
  ['AthenaOne', { paymentIdentity: true }, undefined],
  ['AthenaOne', { paymentIdentity: true, cardPayments: 'processing' }, 'Application Processing'],
  ['AthenaOne', { paymentIdentity: true, cardPayments: 'approved' }, 'Card payments'],
  ['AthenaOne', { cardPayments: 'rejected' }, 'Enable Payments'],
])('the settings of an office with the software %j and %j have the entry %s', (emr, facts, name) => {
  const office = { emr, paymentIdentity: false, cardPayments: 'none', ...facts } as Office;
  expect(paymentsLinkOf(office)?.name.message).toBe(name);
});
