import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicConfig } from '#contract/practice/office.ts';
import type { Session } from '#contract/sign-in/session.ts';
import { publicConfig } from '#server/features/office/index.ts';
import { describeSession } from '#server/features/sign-in/index.ts';
import { contextFor } from '#server/kit/http/request-context.ts';
import type { Services } from './context.ts';

/**
 * The data embedded in the panel's page, so that the first paint needs no request: the session and the public configuration. The URL
 * identifies the tab's office.
 */
export async function panelBoot(
  services: Services,
  req: FastifyRequest,
  reply: FastifyReply,
): Promise<{ session: Session; config: PublicConfig }> {
  const { office } = req.query as { office?: unknown };
  if (typeof office === 'string') req.headers['x-office'] = office;
  const ctx = await contextFor(services, 'anyone', req, reply);
  const [session, config] = await Promise.all([describeSession(ctx, ctx.caller), publicConfig(ctx)]);
  return { session, config };
}
