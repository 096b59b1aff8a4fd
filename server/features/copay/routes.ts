import type { FastifyInstance } from 'fastify';
import { copay, transactions } from '#contract/index.ts';
import { fileRoute, rawRoute, readInput, route } from '#server/kit/http/route.ts';
import { versionedRoute } from '#server/kit/http/versioned-reply.ts';
import { receiveChargeEvent } from './callback.ts';
import { openCardForm, payCopay } from './pay.ts';
import { readPayment } from './read-payment.ts';
import { recordInAthena } from './record-payments.ts';
import { refundPayment, voidPayment } from './refunds.ts';
import { requestPayment } from './request-payment.ts';
import { downloadTransactions, listTransactions, readDayReport, totalTransactions } from './transactions.ts';
import { countOpenQuestions, listOpenQuestions, resolveQuestion } from './unknown.ts';

export function copayRoutes(app: FastifyInstance): void {
  route(app, copay.requestPayment, (ctx, { body }) => requestPayment(ctx, body));
  versionedRoute(app, copay.readPayment, (ctx, { params }, known) => readPayment(ctx, params.chargeId, known));
  route(app, copay.voidPayment, (ctx, { params, body }) => voidPayment(ctx, params.chargeId, body));
  route(app, copay.refundPayment, (ctx, { params, body }) => refundPayment(ctx, params.chargeId, body));
  route(app, copay.recordInAthena, (ctx, { body }) => recordInAthena(ctx, body.chargeId));
  route(app, copay.openCardForm, (ctx) => openCardForm(ctx));
  route(app, copay.payCopay, (ctx, { body }) => payCopay(ctx, body));
  versionedRoute(app, transactions.listTransactions, (ctx, { query }, known) => listTransactions(ctx, query, known));
  versionedRoute(app, transactions.searchTransactions, (ctx, { body }, known) => listTransactions(ctx, body, known));
  versionedRoute(app, transactions.totalTransactions, (ctx, { body }, known) => totalTransactions(ctx, body, known));
  fileRoute(app, transactions.downloadTransactions, (ctx, { body }) => downloadTransactions(ctx, body));
  versionedRoute(app, transactions.readDayReport, (ctx, { query }, known) => readDayReport(ctx, query.day, known));
  versionedRoute(app, transactions.listOpenQuestions, (ctx, _input, known) => listOpenQuestions(ctx, known));
  versionedRoute(app, transactions.countOpenQuestions, (ctx, _input, known) => countOpenQuestions(ctx, known));
  route(app, transactions.resolveQuestion, (ctx, { body }) => resolveQuestion(ctx, body));
  void app.register(async (provider) => {
    // The body stays raw: the signature is over the bytes.
    provider.removeAllContentTypeParsers();
    provider.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 256_000 }, (_req, body, done) =>
      done(null, body),
    );
    rawRoute(provider, copay.receiveChargeEvent, async (req, reply) => {
      const { params } = readInput(copay.receiveChargeEvent, req);
      const rawBody = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const call = { headers: req.headers, rawBody };
      return reply.send(await receiveChargeEvent(app.services, params.provider, call, req.id));
    });
  });
}
