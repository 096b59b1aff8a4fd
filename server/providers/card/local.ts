import type { Card } from './port.ts';

/** The local card provider knows its customers by the office: nothing is kept, and the same office is the same customer. */
export function localCard(): Card {
  return {
    name: 'local',
    createCustomer: ({ officeId }) => Promise.resolve(`cus_local_${officeId.replaceAll('-', '')}`),
  };
}
