import type { FastifyInstance } from 'fastify';
import { push } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { readPush, subscribe, sendTestPush, unsubscribe } from './subscriptions.ts';

export function pushRoutes(app: FastifyInstance): void {
  route(app, push.readPush, (ctx) => readPush(ctx));
  route(app, push.subscribePush, (ctx, { body }) => subscribe(ctx, body));
  route(app, push.unsubscribePush, (ctx, { params }) => unsubscribe(ctx, params.subscriptionId));
  route(app, push.tryPush, (ctx, { params }) => sendTestPush(ctx, params.subscriptionId));
}
