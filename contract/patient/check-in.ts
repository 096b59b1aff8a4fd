/**
 * The check-in page of an office, and arriving.
 *
 * household: the other family members seen on the same visit.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Instant, Language, Npi, Token } from '#contract/shapes.ts';

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/** What a phone may know about an office before anyone identifies themselves. */
export const OfficeFront = z.object({
  npi: Npi,
  officeName: z.string(),
  address: z.string(),
  /** The number that patients call, from the practice's details or the NPI registry; never the one that texts. */
  officePhone: z.nullable(z.string()),
  /** The ages that the practice treats; empty if it did not say. */
  agesTreated: z.array(z.string()),
  greeting: z.object({ en: z.string(), es: z.string() }),
  timeZone: z.string(),
  /** False for a new practice that is not confirmed yet; the page says so. */
  confirmed: z.boolean(),
  isOpen: z.boolean(),
  /** Today's hours in the office's time zone as HH:MM; null if it is closed today. */
  hoursToday: z.nullable(z.object({ open: z.string(), close: z.string() })),
  nextOpening: z.nullable(Instant),
  /** The server's time; the page counts from it because the phone's clock may be wrong. */
  now: Instant,
});
export type OfficeFront = z.output<typeof OfficeFront>;

export const readOfficeFront = endpoint({
  method: 'GET',
  path: '/checkin/:npi',
  summary: "An office's check-in page: name, greeting, opening hours, and this browser's running visit",
  access: 'anyone',
  params: z.object({ npi: z.string().check(z.maxLength(20)) }),
  reply: z.object({
    office: OfficeFront,
    /** This browser's running visit here today, recognized by its cookie. */
    running: z.nullable(
      z.object({
        token: Token,
        /**
         * First letter of the first name: enough for its owner on a shared device, and no more. Null if this browser's link shows only the
         * status.
         */
        initial: z.nullable(z.string()),
      }),
    ),
  }),
  refusals: ['office_not_found'],
});

export const forgetVisit = endpoint({
  method: 'DELETE',
  path: '/checkin/:npi',
  summary: '"Somebody else": this browser forgets its running visit at that office',
  access: 'anyone',
  params: z.object({ npi: z.string().check(z.maxLength(20)) }),
  reply: z.object({ forgotten: z.boolean() }),
  refusals: ['office_not_found'],
});

export const Arrival = z.object({
  firstName: Name,
  lastName: Name,
  phone: z.string().check(z.maxLength(40)),
  birthDate: z.iso.date(),
  household: z
    .array(z.object({ firstName: Name, lastName: Name, birthDate: z.nullable(z.iso.date()) }))
    .check(z.maxLength(12)),
  /** Who holds the phone without being a patient, such as a parent. Without it, the phone is the first person's own. */
  contact: z.optional(z.object({ firstName: Name, lastName: Name })),
  language: Language,
});
export type Arrival = z.output<typeof Arrival>;

const CheckedIn = z.object({
  /**
   * `visit`: go to /visit/{token}; the token is unproved. `link-sent`: this number already has a visit, arrived or expected, and its link
   * was texted to the number, unless the number sent STOP to the practice: nobody learns that by typing it. `link-not-sent`: it could not be
   * texted, for `reason`.
   */
  outcome: z.enum(['visit', 'link-sent', 'link-not-sent']),
  token: z.nullable(Token),
  /** `failed`: the latest texts to the number were not delivered. */
  reason: z.optional(z.enum(['failed'])),
});

export const checkIn = endpoint({
  method: 'POST',
  path: '/checkin/:npi',
  summary: '"I\'m here": creates the visit, or leads back to the running one',
  access: 'anyone',
  creates: true,
  params: z.object({ npi: z.string().check(z.maxLength(20)) }),
  body: Arrival,
  reply: CheckedIn,
  refusals: [
    'office_not_found',
    'office_closed',
    'invalid_phone',
    'invalid_birth_date',
    'too_many_tries',
    'too_many_link_texts',
  ],
});
