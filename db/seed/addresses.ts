import type { AddressRow } from '#server/features/addresses/index.ts';
import { demoOffices } from './offices.ts';
import { madeUpPractice } from './practices.ts';

const sampleSize = 400;

/** The addresses in the demo's search: the demo offices, whose NPIs are claimed, and unregistered practices. */
export function demoAddresses(): AddressRow[] {
  const ours = demoOffices.map(({ office: { npi, name, addressLine1, city, state, zip } }) => ({
    npi,
    name,
    otherName: null,
    addressLine1,
    addressLine2: null,
    city,
    state,
    zip,
    phone: '2125550199',
  }));
  return [...ours, ...Array.from({ length: sampleSize }, (_, n) => madeUpPractice(n))];
}
