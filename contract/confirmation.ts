/**
 * Confirming a practice: what a new practice may not do until somebody has verified its identity.
 *
 * limited: not confirmed yet. listed phone: the number that the public NPPES file lists for the practice's NPI.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { SentCode } from './shapes.ts';

export const Confirmation = z.object({
  confirmed: z.boolean(),
  /** The last two digits of the listed phone; null if there is none that can receive a code by text. */
  phoneEnding: z.nullable(z.string()),
  textsPerDay: z.int(),
  /** False for a practice that cannot text at all: it gets its number when it is confirmed. */
  hasTextNumber: z.boolean(),
});
export type Confirmation = z.output<typeof Confirmation>;

export const readConfirmation = endpoint({
  method: 'GET',
  path: '/office/confirmation',
  summary: 'Whether the practice is confirmed, and the phone a code can be texted to',
  access: 'office',
  reply: Confirmation,
});

export const sendConfirmationCode = endpoint({
  method: 'POST',
  path: '/office/confirmation/code',
  summary: "Texts a code to the phone that NPPES lists for the practice's NPI",
  access: 'office',
  audit: 'office.confirmation-code',
  reply: SentCode,
  refusals: [
    'already_confirmed',
    'no_listed_phone',
    'listed_phone_refused',
    'code_not_sent',
    'no_codes_now',
    'too_many_tries',
  ],
});

export const confirmByCode = endpoint({
  method: 'POST',
  path: '/office/confirmation',
  summary: 'Confirms the practice with the code and lifts its limits',
  access: 'office',
  audit: 'office.confirm',
  body: z.object({ code: z.string().check(z.maxLength(20)) }),
  reply: Confirmation,
  refusals: ['wrong_code', 'code_expired', 'code_used_up'],
});
