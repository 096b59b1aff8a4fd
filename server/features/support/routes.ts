import type { FastifyInstance } from 'fastify';
import { support as contract } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { support, writeToSupport } from './support.ts';

export function supportRoutes(app: FastifyInstance): void {
  route(app, contract.readSupport, async (ctx) => support(ctx));
  route(app, contract.writeToSupport, (ctx, { body }) => writeToSupport(ctx, body));
}
