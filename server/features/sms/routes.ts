import type { FastifyInstance } from 'fastify';
import { sms } from '#contract/index.ts';
import { largeJson } from '#server/kit/http/json-bodies.ts';
import { route } from '#server/kit/http/route.ts';
import { versionedRoute } from '#server/kit/http/versioned-reply.ts';
import { cancelText, changeText, listOutbox, releaseText, retryText, textOutcome } from './outbox.ts';
import { cancelSmsSend, listSmsSends } from './sends.ts';
import { previewSms, sendSms } from './send-sms.ts';

/** 10,000 rows with their times, and the message. */
const longestListBytes = 900_000;

export function smsRoutes(app: FastifyInstance): void {
  route(app, sms.sendSms, (ctx, { body }) => sendSms(ctx, body), largeJson(longestListBytes));
  route(app, sms.previewSms, (ctx, { body }) => previewSms(ctx, body), largeJson(longestListBytes));
  versionedRoute(app, sms.listOutbox, (ctx, { query }, known) => listOutbox(ctx, query, known));
  versionedRoute(app, sms.searchOutbox, (ctx, { body }, known) => listOutbox(ctx, body, known));
  versionedRoute(app, sms.listSmsSends, (ctx, _, known) => listSmsSends(ctx, known));
  route(app, sms.cancelSmsSend, (ctx, { params }) => cancelSmsSend(ctx, params.sendId));
  route(app, sms.readTextOutcome, (ctx, { params }) => textOutcome(ctx, params.textId));
  route(app, sms.changeText, (ctx, { params, body }) => changeText(ctx, params.textId, body));
  route(app, sms.cancelText, (ctx, { params }) => cancelText(ctx, params.textId));
  route(app, sms.releaseText, (ctx, { params }) => releaseText(ctx, params.textId));
  route(app, sms.retryText, (ctx, { params }) => retryText(ctx, params.textId));
}
