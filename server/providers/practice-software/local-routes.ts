import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { Refusal } from '#server/kit/http/refusal.ts';
import { setBehavior } from './local-sql.ts';

const Behavior = z.object({
  practice: z.string().check(z.maxLength(20)),
  mode: z.nullable(z.enum(['refuse', 'no-answer'])),
});

/** For trying out, in the demo: the local practice software refuses a practice's payments, or does not say whether it has them. */
export function localPracticeSoftwareRoutes(app: FastifyInstance): void {
  const { db, env } = app.services;
  if (!env.demo) return;
  app.post('/dev/practice-software', async (req) => {
    const given = z.safeParse(Behavior, req.body);
    if (!given.success) throw new Refusal('invalid_input');
    await setBehavior(db, given.data.practice, given.data.mode);
    return { mode: given.data.mode };
  });
}
