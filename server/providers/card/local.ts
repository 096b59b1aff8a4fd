import type { Card } from './port.ts';

/** The local card provider derives the customer id from the office, so it stores nothing and repeating a call is harmless. */
export function localCard(): Card {
  return {
    name: 'local',
    createCustomer: ({ officeId }) => Promise.resolve(`cus_local_${officeId.replaceAll('-', '')}`),
  };
}
