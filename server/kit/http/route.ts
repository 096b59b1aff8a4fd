import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import * as z from 'zod/mini';
import { isForVisitors, type Access, type Endpoint, type Input } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { CtxOf, Services } from '#server/context.ts';
import { contextFor } from './request-context.ts';
import { sendFile, type FileAnswer } from './file-answer.ts';
import { onceForRequest } from './idempotency.ts';
import { answerRefusal } from './problem.ts';
import { Refusal } from './refusal.ts';
import { publicWritePace, visitorPace } from './visitor-pace.ts';

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
    /** Every endpoint mounted here, for tests that iterate over them. */
    endpoints: Endpoint<unknown, unknown, unknown, unknown>[];
  }
  interface FastifyContextConfig {
    /** The refusal if a body exceeds this route's own limit. */
    tooLarge?: RefusalCode;
  }
}

type Limits = Pick<RouteOptions, 'bodyLimit' | 'config' | 'onRequest'>;

type Answer<E> =
  E extends Endpoint<infer R, infer P, infer Q, infer B, infer Who>
    ? (ctx: CtxOf<Who>, input: Input<P, Q, B>) => Promise<R>
    : never;

/**
 * Implements one endpoint of the contract: identifies and authorizes the caller, parses the input, runs the handler and, except in
 * production, validates the reply. The reply is JSON with status 200; a refusal becomes problem details.
 */
export function route<R, P, Q, B, Who extends Access>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, Who>,
  answer: Answer<Endpoint<R, P, Q, B, Who>>,
  limits: Limits = {},
): void {
  const handle: Handler<Who> = async (ctx, req, reply) => {
    const input = readInput(e, req);
    const body = await onceForRequest(ctx, e, req, input, () =>
      (answer as (ctx: unknown, input: unknown) => Promise<R>)(ctx, input),
    );
    return sendReply(reply, e, body);
  };
  callerRoute(app, e, handle, limits);
}

type Handler<Who extends Access> = (ctx: CtxOf<Who>, req: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Mounts an endpoint that reads its input and writes its reply itself; its caller is known, and its refusals become problem details. */
export function callerRoute<R, P, Q, B, Who extends Access>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, Who>,
  handle: Handler<Who>,
  limits: Limits = {},
): void {
  const handler: RouteHandlerMethod = async (req, reply) => {
    const ctx = await contextFor(app.services, e.access, req, reply);
    try {
      return await handle(ctx, req, reply);
    } catch (error) {
      if (error instanceof Refusal) return answerRefusal(reply, ctx, e, error);
      throw error;
    }
  };
  rawRoute(app, e, handler, limits);
}

/** Sends the reply, checked against the contract except in production. */
export function sendReply<R, P, Q, B>(reply: FastifyReply, e: Endpoint<R, P, Q, B, Access>, body: R): FastifyReply {
  return reply.send(reply.server.services.env.production ? body : z.parse(e.reply, body));
}

/** Mounts an endpoint that writes its reply itself (the hot read); the same tests cover it. */
export function rawRoute<R, P, Q, B, Who extends Access>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, Who>,
  handler: RouteHandlerMethod,
  limits: Limits = {},
): void {
  app.endpoints.push(e);
  const isPublicWrite = e.access === 'anyone' && e.method !== 'GET';
  const pace = isForVisitors(e) ? { onRequest: visitorPace } : isPublicWrite ? { onRequest: publicWritePace } : {};
  app.route({ ...pace, ...limits, method: e.method, url: `/api${withProviderNames(app, e.path)}`, handler });
}

/** The names of the card and e-signature providers are fixed parts of their paths: with another name the path does not exist. */
function withProviderNames({ services }: FastifyInstance, path: string): string {
  const { card, esign } = services.providers;
  return path.replace(/^\/:(card|esign)\//, (_, provider: 'card' | 'esign') => {
    const { name } = { card, esign }[provider];
    return `/:${provider}(^${name}$)/`;
  });
}

/** Implements an endpoint that returns a file; refusals work as with `route`. */
export function fileRoute<R, P, Q, B, Who extends Access>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, Who>,
  answer: (ctx: CtxOf<Who>, input: Input<P, Q, B>) => Promise<FileAnswer>,
  limits: Limits = {},
): void {
  callerRoute(app, e, async (ctx, req, reply) => sendFile(reply, await answer(ctx, readInput(e, req))), limits);
}

/** Parses params, query and body; throws `invalid_input` with one line per field. */
export function readInput<P, Q, B>(
  e: Endpoint<unknown, P, Q, B, Access>,
  req: Pick<FastifyRequest, 'params' | 'query' | 'body'>,
): Input<P, Q, B> {
  const problems: { path: string; message: string }[] = [];
  const read = <T>(where: string, schema: z.ZodMiniType<T> | undefined, given: unknown): T | undefined => {
    if (!schema) return undefined;
    const parsed = z.safeParse(schema, given ?? {});
    if (!parsed.success)
      for (const issue of parsed.error.issues)
        problems.push({ path: [where, ...issue.path].join('.'), message: issue.message });
    else if (!isClean(parsed.data)) problems.push({ path: where, message: 'text contains a NUL or half a character' });
    return parsed.data;
  };
  const input = {
    params: read('params', e.params, req.params),
    query: read('query', e.query, withoutEmpty(req.query, e.query)),
    body: read('body', e.body, req.body),
  };
  if (problems.length > 0) throw new Refusal('invalid_input', { errors: problems.slice(0, 20) });
  return input as Input<P, Q, B>;
}

/** Older programs write `?from=&to=` for optional values that they do not have. */
function withoutEmpty(query: unknown, schema: z.ZodMiniType | undefined): unknown {
  const shape = schema instanceof z.ZodMiniObject ? (schema.shape as Record<string, z.ZodMiniType | undefined>) : {};
  const isAbsent = ([name, value]: [string, unknown]) => value === '' && shape[name]?._zod.optin === 'optional';
  return Object.fromEntries(Object.entries(query ?? {}).filter((entry) => !isAbsent(entry)));
}

/** The ETag in If-None-Match; a compressing proxy may have weakened it. */
export function etagOf(req: Pick<FastifyRequest, 'headers'>): string | null {
  return req.headers['if-none-match']?.replace(/^W\//, '') ?? null;
}

/** PostgreSQL stores no NUL, and half a surrogate pair is not valid text. */
function isClean(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isClean(key) && isClean(inner));
}
