import type { FastifyInstance } from 'fastify';
import { membership } from '#contract/index.ts';
import { fileRoute, rawRoute, readInput, route } from '#server/kit/http/route.ts';
import { createCustomer } from './card-customer.ts';
import { receiveCardEvent } from './card-events.ts';
import { cancelPlan, choosePlan, previewPlan } from './change-plan.ts';
import {
  listInvoices,
  readInvoicePdf,
  readMembership,
  readPaymentMethod,
  readPrices,
  readSubscription,
} from './read-membership.ts';
import { savePaymentMethod } from './save-card.ts';

export function membershipRoutes(app: FastifyInstance): void {
  route(app, membership.readMembership, (ctx) => readMembership(ctx));
  route(app, membership.createCustomer, (ctx, { params, body }) => createCustomer(ctx, params.card, body.strapi?._id));
  route(app, membership.readPrices, (ctx, { params, query }) => readPrices(ctx, params.card, query));
  route(app, membership.readSubscription, (ctx, { params }) => readSubscription(ctx, params.card, params.customerId));
  route(app, membership.choosePlan, (ctx, { params, body }) => choosePlan(ctx, params.card, body));
  route(app, membership.cancelPlan, (ctx, { params, body }) => cancelPlan(ctx, params.card, body.sub));
  route(app, membership.previewPlan, (ctx, { params, query }) =>
    previewPlan(ctx, {
      ...params,
      price: query.price,
      providers: query.providers ? Number(query.providers) : undefined,
    }),
  );
  route(app, membership.readPaymentMethod, (ctx, { params }) => readPaymentMethod(ctx, params.card, params.customerId));
  route(app, membership.savePaymentMethod, (ctx, { params, body }) => savePaymentMethod(ctx, params, body));
  route(app, membership.listInvoices, (ctx, { params }) => listInvoices(ctx, params.card, params.customerId));
  fileRoute(app, membership.readInvoicePdf, async (ctx, { params }) => ({
    content: await readInvoicePdf(ctx, params.card, params.customerId, params.invoiceId),
    contentType: 'application/pdf',
    disposition: 'attachment',
    fileName: `invoice-${params.invoiceId}.pdf`,
  }));
  void app.register(async (provider) => {
    // The body stays raw: the signature is over the bytes.
    provider.removeAllContentTypeParsers();
    provider.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 256_000 }, (_req, body, done) =>
      done(null, body),
    );
    rawRoute(provider, membership.hearCard, async (req) => {
      const { params } = readInput(membership.hearCard, req);
      const rawBody = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      return receiveCardEvent(app.services, params.card, { headers: req.headers, rawBody }, req.id);
    });
  });
}
