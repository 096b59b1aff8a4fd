/**
 * Live customer support: how the people of a practice reach whoever runs this installation.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const readSupport = endpoint({
  method: 'GET',
  path: '/support',
  summary: 'How to reach support: by writing here, by phone',
  access: 'person',
  reply: z.object({
    /** A message written here reaches somebody. */
    canWrite: z.boolean(),
    /** A number to call; null when there is none. */
    phone: z.nullable(z.string()),
  }),
});

export const writeToSupport = endpoint({
  method: 'POST',
  path: '/support/messages',
  summary: 'Writes to support, which answers to the address of the caller. Nothing about patients belongs here',
  access: 'office',
  audit: 'support.write',
  body: z.object({
    /** Where the answer goes. */
    replyTo: z.string().check(z.maxLength(254)),
    body: z.string().check(z.maxLength(4000)),
  }),
  reply: z.object({ sent: z.boolean() }),
  refusals: ['empty_message', 'support_away', 'too_many_tries'],
});
