/**
 * A visitor asks for a product demonstration.
 *
 * demo request: stored, and emailed to the operator of the installation.
 */
import * as z from 'zod/mini';
import { emailPattern } from './email.ts';
import { endpoint } from './endpoint.ts';

const Line = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

export const DemoRequest = z.object({
  name: Line,
  practice: Line,
  email: z.string().check(z.trim(), z.maxLength(254), z.regex(emailPattern)),
  /** A US number in any spelling; empty or absent if they prefer email. */
  phone: z.optional(z.string().check(z.trim(), z.maxLength(40))),
  /** What they want to see. */
  wish: z.optional(z.string().check(z.trim(), z.maxLength(2000))),
});
export type DemoRequest = z.output<typeof DemoRequest>;

export const requestDemo = endpoint({
  method: 'POST',
  path: '/demo-requests',
  summary: 'Requests a demonstration: stored and emailed to the operator. Repeats within a day count as one request',
  access: 'anyone',
  body: DemoRequest,
  reply: z.object({ received: z.boolean() }),
  refusals: ['invalid_phone', 'too_many_tries'],
});
