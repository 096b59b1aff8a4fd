import type { FastifyInstance } from 'fastify';
import * as addresses from '#contract/addresses.ts';
import { route } from '#server/kit/http/route.ts';
import { searchAddresses } from './search.ts';

export function addressRoutes(app: FastifyInstance): void {
  route(app, addresses.searchAddresses, (ctx, { query }) => searchAddresses(ctx, query.searchString ?? ''));
}
