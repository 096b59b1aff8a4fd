import type { FastifyInstance } from 'fastify';
import { confirmation } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { confirmByCode, readConfirmation, sendConfirmationCode } from './confirm-practice.ts';
import { operatorPageRoutes } from './operator-page.ts';

export function confirmationRoutes(app: FastifyInstance): void {
  route(app, confirmation.readConfirmation, (ctx) => readConfirmation(ctx));
  route(app, confirmation.sendConfirmationCode, (ctx) => sendConfirmationCode(ctx));
  route(app, confirmation.confirmByCode, (ctx, { body }) => confirmByCode(ctx, body.code));
  operatorPageRoutes(app);
}
