/**
 * Addresses: where practices are, from the public NPPES file (`script/anteroom import-nppes`).
 *
 * address: one organisation at its practice location, keyed by its NPI. Public data: it belongs to no office.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** The longest list of results, and the letters typed before the search starts. */
export const maxAddresses = 10;
export const searchFromLetters = 3;

export const Address = z.object({
  /** The NPI; registration takes it as `addressId`. */
  _id: z.string(),
  npi: z.string(),
  name: z.string(),
  /** The name the practice does business as, if the file lists another one. */
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
  summary: 'Practices closest to the text typed so far (name, street, city, state, ZIP code or NPI), best match first',
  access: 'person',
  query: z.object({ searchString: z.optional(z.string().check(z.maxLength(200))) }),
  reply: z.array(Address),
});
