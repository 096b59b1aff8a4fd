import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { Npi } from '#contract/shapes.ts';
import { officeIdByNpi } from '#server/kit/db/office-directory.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { takeDemoPace } from '#server/providers/demo-pace.ts';
import { setBehavior } from './local-sql.ts';

const Behavior = z.object({
  practice: Npi,
  mode: z.nullable(z.enum(['refuse', 'no-answer'])),
});

/** For trying out, in the demo: the local practice software refuses a practice's payments, or does not say whether it has them. */
export function localPracticeSoftwareRoutes(app: FastifyInstance): void {
  const { db, pool, env } = app.services;
  if (!env.demo) return;
  app.post('/dev/practice-software', async (req) => {
    await takeDemoPace(req);
    const parsedBody = z.safeParse(Behavior, req.body);
    if (!parsedBody.success) throw new Refusal('invalid_input');
    if ((await officeIdByNpi(pool, parsedBody.data.practice)) === null) throw new Refusal('office_not_found');
    await setBehavior(db, parsedBody.data.practice, parsedBody.data.mode);
    return { mode: parsedBody.data.mode };
  });
}
