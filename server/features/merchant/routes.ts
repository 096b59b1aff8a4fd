import type { FastifyInstance } from 'fastify';
import { merchant } from '#contract/index.ts';
import { rawRoute, readInput, route } from '#server/kit/http/route.ts';
import { begin, readForm, saveAnswers } from './application.ts';
import { openHostedForm } from './hosted-form.ts';
import { readIdentity, saveIdentity } from './identity.ts';
import { skipPayments } from './payments-question.ts';
import { receiveMerchantCallback } from './provider-callback.ts';

export function merchantRoutes(app: FastifyInstance): void {
  route(app, merchant.skipPayments, (ctx) => skipPayments(ctx));
  route(app, merchant.readMerchantForm, (ctx) => readForm(ctx));
  route(app, merchant.beginMerchantForm, (ctx) => begin(ctx));
  route(app, merchant.saveMerchantAnswers, (ctx, { body }) => saveAnswers(ctx, body));
  route(app, merchant.openMerchantForms, (ctx) => openHostedForm(ctx));
  route(app, merchant.saveMerchantIdentity, (ctx, { body }) => saveIdentity(ctx, body));
  route(app, merchant.readMerchantIdentity, (ctx, { params }) => readIdentity(ctx, params.npi));
  void app.register(async (provider) => {
    // The body stays raw: the signature is over the bytes.
    provider.removeAllContentTypeParsers();
    provider.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 256_000 }, (_req, body, done) =>
      done(null, body),
    );
    rawRoute(provider, merchant.hearMerchant, async (req, reply) => {
      const { params } = readInput(merchant.hearMerchant, req);
      const rawBody = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const call = { headers: req.headers, rawBody };
      return reply.send(await receiveMerchantCallback(app.services, params.merchant, call, req.id));
    });
  });
}
