/** Customer support: how a practice reaches the operator of this installation. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const readSupport = endpoint({
  method: 'GET',
  path: '/support',
  summary: 'How to reach support: in writing here, or by phone',
  access: 'person',
  reply: z.object({
    /** A message written here reaches somebody. */
    canWrite: z.boolean(),
    /** The phone number for support; null if there is none. */
    phone: z.nullable(z.string()),
  }),
});

export const writeToSupport = endpoint({
  method: 'POST',
  path: '/support/messages',
  summary: "Sends a message to support, which replies to the caller's address. Do not include patient data",
  access: 'office',
  audit: 'support.write',
  body: z.object({
    /** The address for the reply. */
    replyTo: z.string().check(z.maxLength(254)),
    body: z.string().check(z.maxLength(4000)),
  }),
  reply: z.object({ sent: z.boolean() }),
  refusals: ['empty_message', 'support_away', 'too_many_tries'],
});
