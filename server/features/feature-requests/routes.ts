import type { FastifyInstance } from 'fastify';
import { featureRequests } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { readFeatureRequests, requestFeature } from './requests.ts';

export function featureRequestRoutes(app: FastifyInstance): void {
  route(app, featureRequests.readFeatureRequests, (ctx) => readFeatureRequests(ctx));
  route(app, featureRequests.requestFeature, (ctx, { body }) => requestFeature(ctx, body.feature));
}
