import type { FastifyInstance } from 'fastify';
import { officeDetails, registration } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { askToJoin } from './npi-claims.ts';
import { correctDetails, unsignedDetails } from './correct-details.ts';
import { registerCustomer } from './card-customer.ts';
import { readDraft, saveDraft } from './form-drafts.ts';
import { registerPractice } from './register-practice.ts';
import { convertToDoctor, createUser, userByEmail } from './user-account.ts';

export function registrationRoutes(app: FastifyInstance): void {
  route(app, registration.readDraft, (ctx) => readDraft(ctx));
  route(app, registration.saveDraft, (ctx, { params, body }) => saveDraft(ctx, params.formId, body));
  route(app, registration.registerPractice, (ctx, { params, body }) => registerPractice(ctx, params.formId, body));
  route(app, registration.registerCustomer, (ctx, { params, body }) =>
    registerCustomer(ctx, params.formId, body.strapiId),
  );
  route(app, officeDetails.readUnsignedDetails, (ctx) => unsignedDetails(ctx));
  route(app, officeDetails.correctDetails, (ctx, { body }) => correctDetails(ctx, body));
  route(app, registration.askToJoin, (ctx, { body }) => askToJoin(ctx, body.npi));
  route(app, registration.createUser, (ctx, { body }) => createUser(ctx, body));
  route(app, registration.convertToDoctor, (ctx, { body }) => convertToDoctor(ctx, body));
  route(app, registration.readUserByEmail, (ctx, { params }) => userByEmail(ctx, params.email));
}
