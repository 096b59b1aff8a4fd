import type { FastifyInstance } from 'fastify';
import { google } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { finishGoogle, startGoogle } from './google-sign-in.ts';

export function googleRoutes(app: FastifyInstance): void {
  route(app, google.startGoogle, (ctx) => startGoogle(ctx));
  route(app, google.finishGoogle, (ctx, { body }) => finishGoogle(ctx, body.search));
}
