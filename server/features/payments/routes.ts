import type { FastifyInstance } from 'fastify';
import { payments } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { openMerchantForms, skipPayments } from './payments-question.ts';

export function paymentsRoutes(app: FastifyInstance): void {
  route(app, payments.skipPayments, (ctx) => skipPayments(ctx));
  route(app, payments.openMerchantForms, (ctx) => openMerchantForms(ctx));
}
