import type { FastifyInstance } from 'fastify';
import { demoRequest } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { requestDemo } from './requests.ts';

export function demoRequestRoutes(app: FastifyInstance): void {
  route(app, demoRequest.requestDemo, (ctx, { body }) => requestDemo(ctx, body));
}
