import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import compress from '@fastify/compress';
import Fastify, { LogController, type FastifyInstance } from 'fastify';
import { addressRoutes } from '#server/features/addresses/routes.ts';
import { agreementRoutes } from '#server/features/agreement/routes.ts';
import { auditRoutes } from '#server/features/audit/routes.ts';
import { confirmationRoutes } from '#server/features/confirmation/routes.ts';
import { demoRequestRoutes } from '#server/features/demo-request/routes.ts';
import { officeRoutes } from '#server/features/office/routes.ts';
import { publicDocumentRoutes } from '#server/features/documents/routes.ts';
import { fileRoutes } from '#server/features/files/routes.ts';
import { formsRoutes } from '#server/features/forms/routes.ts';
import { partnerRoutes } from '#server/features/partner/routes.ts';
import { bootFor } from '#server/features/patient/page-boot.ts';
import { patientRoutes } from '#server/features/patient/routes.ts';
import { paymentsRoutes } from '#server/features/payments/routes.ts';
import { pushRoutes } from '#server/features/push/routes.ts';
import { queueRoutes } from '#server/features/queue/routes.ts';
import { registrationRoutes } from '#server/features/registration/routes.ts';
import { sharingRoutes } from '#server/features/sharing/routes.ts';
import { signInRoutes } from '#server/features/sign-in/routes.ts';
import { googleRoutes } from '#server/features/google/routes.ts';
import { securityRoutes } from '#server/features/security/routes.ts';
import { supportRoutes } from '#server/features/support/routes.ts';
import { teamRoutes } from '#server/features/team/routes.ts';
import { textingRoutes } from '#server/features/texting/routes.ts';
import { browserRules, guardDemoPages, guardOperatorPort } from '#server/kit/http/browser-rules.ts';
import { documentRoutes } from '#server/kit/http/openapi-page.ts';
import { draining } from '#server/kit/http/draining.ts';
import { healthRoutes, metricsRoute } from '#server/kit/http/health.ts';
import { loggerOptions } from '#server/kit/log.ts';
import { limitNesting } from '#server/kit/http/json-nesting.ts';
import { pages } from '#server/kit/http/pages.ts';
import { answerBadAddress, answerErrors } from '#server/kit/http/problem.ts';
import { localEsignRoutes } from '#server/providers/esign/local-routes.ts';
import { isLocal, localGoogleRoutes } from '#server/providers/google/index.ts';
import { outboxRoutes } from '#server/providers/outbox.ts';
import type { House } from './context.ts';
import { panelBoot } from './panel-boot.ts';

/** A server with the house's rules and no routes yet; its logger is the house's. */
export function bareApp(env: House['env']): FastifyInstance {
  return Fastify({
    logger: loggerOptions(env),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: env.trustProxy === false ? false : env.trustProxy.split(','),
    bodyLimit: 1_500_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: answerBadAddress,
  });
}

/** What only the operator needs: figures, and the API's document. In production these are not on the public port. */
function operatorRoutes(app: FastifyInstance, main: FastifyInstance): void {
  metricsRoute(app, main);
  documentRoutes(app);
}

/** The server of OPERATOR_PORT, or null when there is none. */
export function buildOperatorApp(main: FastifyInstance): FastifyInstance | null {
  const { house } = main;
  if (!house.env.operatorListen) return null;
  const app = bareApp(house.env);
  app.decorate('house', house);
  answerErrors(app);
  browserRules(app);
  guardOperatorPort(app);
  operatorRoutes(app, main);
  return app;
}

/** Assembles the product: every feature's routes on one server. */
export async function buildApp(app: FastifyInstance, house: House): Promise<FastifyInstance> {
  app.decorate('house', house);
  app.decorate('endpoints', []);
  answerErrors(app);
  await app.register(cookie);
  await app.register(compress, { threshold: 8_192, encodings: ['gzip'], zlibOptions: { level: 1 } });
  draining(app);
  limitNesting(app);
  browserRules(app, house.providers.esign.frameSources);
  healthRoutes(app);
  if (!house.env.production) operatorRoutes(app, app);
  if (house.env.demo) guardDemoPages(app);

  signInRoutes(app);
  googleRoutes(app);
  securityRoutes(app);
  officeRoutes(app);
  teamRoutes(app);
  addressRoutes(app);
  agreementRoutes(app);
  registrationRoutes(app);
  demoRequestRoutes(app);
  paymentsRoutes(app);
  partnerRoutes(app);
  queueRoutes(app);
  patientRoutes(app);
  textingRoutes(app);
  formsRoutes(app);
  sharingRoutes(app);
  fileRoutes(app);
  pushRoutes(app);
  supportRoutes(app);
  confirmationRoutes(app);
  auditRoutes(app);
  publicDocumentRoutes(app);
  if (house.providers.esign.name === 'local') localEsignRoutes(app);
  if (house.env.demo) outboxRoutes(app);
  if (isLocal(house.providers.google)) localGoogleRoutes(app, house.providers.google);

  pages(app, {
    panel: (req, reply) => panelBoot(house, req, reply),
    patient: (req, reply) => bootFor(house, req, reply),
  });
  return app;
}
