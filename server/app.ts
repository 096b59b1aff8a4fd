import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import cookie from '@fastify/cookie';
import compress from '@fastify/compress';
import Fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify';
import { addressRoutes } from '#server/features/addresses/routes.ts';
import { agreementRoutes } from '#server/features/agreement/routes.ts';
import { ambulatoryRoutes } from '#server/features/ambulatory/routes.ts';
import { auditRoutes } from '#server/features/audit/routes.ts';
import { copayRoutes } from '#server/features/copay/routes.ts';
import { confirmationRoutes } from '#server/features/confirmation/routes.ts';
import { conversationRoutes } from '#server/features/conversations/routes.ts';
import { directoryRoutes } from '#server/features/directory/routes.ts';
import { demoRequestRoutes } from '#server/features/demo-request/routes.ts';
import { featureRequestRoutes } from '#server/features/feature-requests/routes.ts';
import { merchantRoutes } from '#server/features/merchant/routes.ts';
import { onCallMetrics } from '#server/features/on-call/metrics.ts';
import { officeRoutes } from '#server/features/office/routes.ts';
import { publicDocumentRoutes } from '#server/features/documents/routes.ts';
import { fileRoutes } from '#server/features/files/routes.ts';
import { formsRoutes } from '#server/features/forms/routes.ts';
import { membershipRoutes } from '#server/features/membership/routes.ts';
import { partnerRoutes } from '#server/features/partner/routes.ts';
import { checkInByText } from '#server/features/patient/check-in-by-text.ts';
import { patientBoot } from '#server/features/patient/page-boot.ts';
import { patientRoutes } from '#server/features/patient/routes.ts';
import { pushRoutes } from '#server/features/push/routes.ts';
import { queueRoutes } from '#server/features/queue/routes.ts';
import { registrationRoutes } from '#server/features/registration/routes.ts';
import { sharingRoutes } from '#server/features/sharing/routes.ts';
import { signInRoutes } from '#server/features/sign-in/routes.ts';
import { googleRoutes } from '#server/features/google/routes.ts';
import { securityRoutes } from '#server/features/security/routes.ts';
import { smsRoutes } from '#server/features/sms/routes.ts';
import { supportRoutes } from '#server/features/support/routes.ts';
import { teamRoutes } from '#server/features/team/routes.ts';
import { tourRoutes } from '#server/features/tour/routes.ts';
import { textingRoutes } from '#server/features/texting/routes.ts';
import { websiteChatRoutes } from '#server/features/website-chat/routes.ts';
import { browserRules, guardDemoPages, guardOperatorPort } from '#server/kit/http/browser-rules.ts';
import { documentRoutes } from '#server/kit/http/openapi-page.ts';
import { draining } from '#server/kit/http/draining.ts';
import { healthRoutes, metricsRoute } from '#server/kit/http/health.ts';
import { withLogContext, type LogContext } from '#server/kit/log-context.ts';
import { loggerOptions } from '#server/kit/log.ts';
import { readJsonBodies } from '#server/kit/http/json-bodies.ts';
import { longestJsonBytes } from '#server/kit/http/pace-requests.ts';
import { pageRoutes } from './pages.ts';
import { answerBadAddress, answerErrors } from '#server/kit/http/problem.ts';
import { endStalledAnswers } from '#server/kit/http/stalled-answers.ts';
import { finixChargesRoutes } from '#server/providers/charges/finix-routes.ts';
import { localChargesRoutes } from '#server/providers/charges/local-routes.ts';
import { localCardRoutes } from '#server/providers/card/local-routes.ts';
import { localPracticeSoftwareRoutes } from '#server/providers/practice-software/local-routes.ts';
import { stripeCardRoutes } from '#server/providers/card/stripe-routes.ts';
import { localEsignRoutes } from '#server/providers/esign/local-routes.ts';
import { isLocal, localGoogleRoutes } from '#server/providers/google/index.ts';
import { localMerchantRoutes } from '#server/providers/merchant/local-routes.ts';
import { outboxRoutes } from '#server/providers/outbox.ts';
import { startSpan, type RunningSpan } from '#server/kit/tracing.ts';
import type { Services } from './context.ts';
import { panelBoot } from './panel-boot.ts';
import { widgetRoutes } from './widget-pages.ts';

/** A server with the product's limits and logger, but no routes yet. Its log goes to standard output, or to `log`. */
export function bareApp(env: Services['env'], log?: Writable): FastifyInstance {
  const app = Fastify({
    logger: { ...loggerOptions(env), ...(log && { stream: log }) },
    logController: new LogController({ disableRequestLogging: true }),
    // The id is added by logRequestIds, also to lines that are not written through the request.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: env.trustProxy === false ? false : env.trustProxy.split(','),
    bodyLimit: longestJsonBytes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: answerBadAddress,
  });
  endStalledAnswers(app.server);
  return app;
}

/** Routes for the operator only: metrics and the API document. In production they are not on the public port. */
function operatorRoutes(app: FastifyInstance, main: FastifyInstance): void {
  metricsRoute(app, main);
  documentRoutes(app);
}

/** The server of OPERATOR_PORT, or null if it is not set. */
export function buildOperatorApp(main: FastifyInstance): FastifyInstance | null {
  const { services } = main;
  if (!services.env.operatorListen) return null;
  const app = bareApp(services.env);
  app.decorate('services', services);
  answerErrors(app);
  browserRules(app);
  guardOperatorPort(app);
  operatorRoutes(app, main);
  return app;
}

/**
 * Puts a request's id on each log line that the request causes, and makes it a trace where traces are wanted. The context is entered twice,
 * because reading a body leaves the first one.
 */
export function logRequestIds(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, RunningSpan>();
  const contextOf = (req: FastifyRequest): LogContext => ({ reqId: req.id, span: spans.get(req)?.span });
  app.addHook('onRequest', (req, _reply, done) => {
    const route = req.routeOptions.url ?? 'unknown';
    const span = startSpan(`${req.method} ${route}`, 'request', { 'http.route': route, 'anteroom.request': req.id });
    if (span) spans.set(req, span);
    withLogContext(contextOf(req), done);
  });
  app.addHook('preValidation', (req, _reply, done) => withLogContext(contextOf(req), done));
  app.addHook('onResponse', async (req, { statusCode }) =>
    spans.get(req)?.end({ failed: statusCode >= 500, attributes: { 'http.response.status_code': statusCode } }),
  );
}

/** Assembles the product: every feature's routes on one server. */
export async function buildApp(app: FastifyInstance, services: Services): Promise<FastifyInstance> {
  app.decorate('services', services);
  app.decorate('endpoints', []);
  logRequestIds(app);
  answerErrors(app);
  await app.register(cookie);
  await app.register(compress, { threshold: 8_192, encodings: ['gzip'], zlibOptions: { level: 1 } });
  draining(app);
  readJsonBodies(app);
  browserRules(app, services.providers.esign.frameSources);
  healthRoutes(app);
  onCallMetrics(app);
  if (!services.env.production) operatorRoutes(app, app);
  if (services.env.demo) guardDemoPages(app);

  signInRoutes(app);
  googleRoutes(app);
  securityRoutes(app);
  officeRoutes(app);
  teamRoutes(app);
  addressRoutes(app);
  agreementRoutes(app);
  registrationRoutes(app);
  demoRequestRoutes(app);
  merchantRoutes(app);
  copayRoutes(app);
  membershipRoutes(app);
  partnerRoutes(app);
  queueRoutes(app);
  patientRoutes(app);
  textingRoutes(app, checkInByText);
  smsRoutes(app);
  conversationRoutes(app);
  websiteChatRoutes(app);
  directoryRoutes(app);
  formsRoutes(app);
  ambulatoryRoutes(app);
  sharingRoutes(app);
  fileRoutes(app);
  pushRoutes(app);
  supportRoutes(app);
  featureRequestRoutes(app);
  confirmationRoutes(app);
  auditRoutes(app);
  publicDocumentRoutes(app);
  tourRoutes(app);
  if (services.providers.esign.name === 'local') localEsignRoutes(app);
  if (services.providers.merchant.name === 'local') localMerchantRoutes(app);
  if (services.providers.charges.name === 'local') localChargesRoutes(app);
  if (services.providers.charges.name === 'finix') finixChargesRoutes(app);
  if (services.providers.practiceSoftware.name === 'local') localPracticeSoftwareRoutes(app);
  if (services.providers.card.name === 'local') localCardRoutes(app);
  if (services.providers.card.name === 'stripe') stripeCardRoutes(app);
  if (services.env.demo) outboxRoutes(app);
  if (isLocal(services.providers.google)) localGoogleRoutes(app, services.providers.google);

  widgetRoutes(app);
  pageRoutes(app, {
    panel: (req, reply) => panelBoot(services, req, reply),
    patient: (req, reply) => patientBoot(services, req, reply),
  });
  return app;
}
