import type { FastifyInstance } from 'fastify';
import { partner } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { readBrand } from './brand.ts';
import { addLocation, confirmSignUp, readApplication, resendCode, saveApplication, startSignUp } from './sign-up.ts';

export function partnerRoutes(app: FastifyInstance): void {
  route(app, partner.readPartner, (ctx, { params }) => readBrand(ctx, params.partner));
  route(app, partner.startPartnerSignUp, (ctx, { params, body }) => startSignUp(ctx, params.partner, body));
  route(app, partner.resendPartnerCode, (ctx, { params, body }) => resendCode(ctx, params.partner, body.email));
  route(app, partner.confirmPartnerSignUp, (ctx, { params, body }) => confirmSignUp(ctx, params.partner, body));
  route(app, partner.readPartnerApplication, (ctx, { params }) => readApplication(ctx, params.partner));
  route(app, partner.savePartnerApplication, (ctx, { params, body }) => saveApplication(ctx, params.partner, body));
  route(app, partner.addPartnerLocation, (ctx, { params, body }) => addLocation(ctx, params.partner, body));
}
