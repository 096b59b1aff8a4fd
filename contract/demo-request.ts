/**
 * A visitor who would like to see the product shown.
 *
 * demo request: kept, and mailed to the operator of the installation.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

const Line = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

export const DemoRequest = z.object({
  name: Line,
  practice: Line,
  email: z.string().check(z.trim(), z.maxLength(254), z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)),
  /** A US number as people write it; empty or absent when they would rather be written to. */
  phone: z.optional(z.string().check(z.trim(), z.maxLength(40))),
  /** What they would like to see. */
  wish: z.optional(z.string().check(z.trim(), z.maxLength(2000))),
});
export type DemoRequest = z.output<typeof DemoRequest>;

export const requestDemo = endpoint({
  method: 'POST',
  path: '/demo-requests',
  summary: 'Asks the operator for a demonstration: kept and mailed. The same request again within a day is one request',
  access: 'anyone',
  body: DemoRequest,
  reply: z.object({ received: z.boolean() }),
  refusals: ['invalid_phone', 'too_many_tries'],
});
