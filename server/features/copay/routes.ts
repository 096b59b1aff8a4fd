import type { FastifyInstance } from 'fastify';
import { copay, transactions } from '#contract/index.ts';
import { fileRoute, rawRoute, readInput, route } from '#server/kit/http/route.ts';
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
  route(app, copay.readPayment, (ctx, { params }) => readPayment(ctx, params.chargeId));
  route(app, copay.voidPayment, (ctx, { params, body }) => voidPayment(ctx, params.chargeId, body));
  route(app, copay.refundPayment, (ctx, { params, body }) => refundPayment(ctx, params.chargeId, body));
  route(app, copay.recordInAthena, (ctx, { body }) => recordInAthena(ctx, body.chargeId));
  route(app, copay.openCardForm, (ctx) => openCardForm(ctx));
  route(app, copay.payCopay, (ctx, { body }) => payCopay(ctx, body));
  route(app, transactions.listTransactions, (ctx, { query }) => listTransactions(ctx, query));
  route(app, transactions.searchTransactions, (ctx, { body }) => listTransactions(ctx, body));
  route(app, transactions.totalTransactions, (ctx, { body }) => totalTransactions(ctx, body));
  fileRoute(app, transactions.downloadTransactions, (ctx, { body }) => downloadTransactions(ctx, body));
  route(app, transactions.readDayReport, (ctx, { query }) => readDayReport(ctx, query.day));
  route(app, transactions.listOpenQuestions, (ctx) => listOpenQuestions(ctx));
  route(app, transactions.countOpenQuestions, (ctx) => countOpenQuestions(ctx));
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
