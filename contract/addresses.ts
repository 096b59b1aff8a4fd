/**
 * Addresses: where practices are, from the public NPPES file (`script/anteroom import-nppes`).
 *
 * address: one organisation at its practice location, keyed by its NPI. Public data: it belongs to no office.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** How many a search answers at most, and the letters it waits for. */
export const addressesAtMost = 10;
export const searchFromLetters = 3;

export const Address = z.object({
  /** Its NPI: what registration takes as `addressId`. */
  _id: z.string(),
  npi: z.string(),
  name: z.string(),
  /** The name it does business as, where the file knows another one. */
  otherName: z.nullable(z.string()),
  addressLine1: z.string(),
  addressLine2: z.nullable(z.string()),
  city: z.string(),
  /** Two letters. */
  state: z.string(),
  /** Five digits, or empty. */
  zip: z.string(),
});
export type Address = z.output<typeof Address>;

export const searchAddresses = endpoint({
  method: 'GET',
  path: '/addresses',
  summary: 'Practices nearest to what was typed so far (name, street, city, state, ZIP or NPI), best first',
  access: 'person',
  query: z.object({ searchString: z.string().check(z.maxLength(200)) }),
  reply: z.array(Address),
});
