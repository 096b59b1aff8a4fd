import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { auditRoutes } from '#server/features/audit/routes.ts';
import { officeRoutes } from '#server/features/office/routes.ts';
import { patientRoutes } from '#server/features/patient/routes.ts';
import { queueRoutes } from '#server/features/queue/routes.ts';
import { signInRoutes } from '#server/features/sign-in/routes.ts';
import { textingRoutes } from '#server/features/texting/routes.ts';
import { browserRules } from '#server/kit/browser-rules.ts';
import { documentRoutes } from '#server/kit/openapi.ts';
import { healthRoutes } from '#server/kit/health.ts';
import { loggerOptions } from '#server/kit/log.ts';
import { answerErrors } from '#server/kit/problem.ts';
import { pages } from '#server/kit/pages.ts';
import { outboxRoutes } from '#server/providers/outbox.ts';
import type { House } from './ctx.ts';

/** Assembles the product: every feature's routes on one server. */
export async function buildApp(house: House): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: undefined,
    logger: loggerOptions(house.env),
    disableRequestLogging: true,
    genReqId: () => randomUUID(),
    trustProxy: house.env.trustProxy,
    bodyLimit: 1_500_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
  });
  return app;
}
