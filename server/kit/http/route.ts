import type { FastifyInstance, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import * as z from 'zod/mini';
import { isForVisitors, type Access, type Endpoint, type Input } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { CtxOf, Services } from '#server/context.ts';
import { contextFor } from './request-context.ts';
import { sendFile, type FileAnswer } from './file-answer.ts';
import { once } from './idempotency.ts';
import { visitorPace } from './pace-requests.ts';
import { answerRefusal } from './problem.ts';
import { Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
    /** Every endpoint mounted here, for the tests that walk them. */
    endpoints: Endpoint<unknown, unknown, unknown, unknown>[];
  }
  interface FastifyContextConfig {
    /** The refusal of a body above this route's own limit. */
    tooLarge?: RefusalCode;
  }
}

type Limits = Pick<RouteOptions, 'bodyLimit' | 'config' | 'onRequest'>;

type Answer<E> =
  E extends Endpoint<infer R, infer P, infer Q, infer B, infer Who>
    ? (ctx: CtxOf<Who>, input: Input<P, Q, B>) => Promise<R>
    : never;

/**
 * Answers one endpoint of the contract: who asks and may they, the input parsed, the verb, and (but in production) the reply checked.
 * The reply's 200 body is JSON; a refusal becomes problem details.
 */
export function route<R, P, Q, B, Who extends Access>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, Who>,
  answer: Answer<Endpoint<R, P, Q, B, Who>>,
  limits: Limits = {},
): void {
  const handler: RouteHandlerMethod = async (req, reply) => {
    const ctx = await contextFor(app.services, e.access, req, reply);
    try {
      const input = readInput(e, req);
      const body = await once(ctx, e, req, input, () =>
        (answer as (ctx: unknown, input: unknown) => Promise<R>)(ctx, input),
      );
      return reply.send(app.services.env.production ? body : z.parse(e.reply, body));
    } catch (error) {
      if (error instanceof Refusal) return answerRefusal(reply, ctx, e, error);
      throw error;
    }
  };
  rawRoute(app, e, handler, limits);
}

/** Mounts an endpoint that writes its answer itself (the hot read); it is walked by the same tests as all others. */
export function rawRoute<R, P, Q, B, Who extends Access>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, Who>,
  handler: RouteHandlerMethod,
  limits: Limits = {},
): void {
  app.endpoints.push(e as never);
  const pace = isForVisitors(e) ? { onRequest: visitorPace } : {};
  app.route({ ...pace, ...limits, method: e.method, url: `/api${e.path}`, handler });
}

/** Answers an endpoint that gives a file: everything a refusal is, is as with `route`. */
export function fileRoute<R, P, Q, B, Who extends Access>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, Who>,
  answer: (ctx: CtxOf<Who>, input: Input<P, Q, B>) => Promise<FileAnswer>,
): void {
  rawRoute(app, e, async (req, reply) => {
    const ctx = await contextFor(app.services, e.access, req, reply);
    try {
      return sendFile(reply, await answer(ctx, readInput(e, req)));
    } catch (error) {
      if (error instanceof Refusal) return answerRefusal(reply, ctx, e, error);
      throw error;
    }
  });
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
    else if (!isClean(parsed.data)) problems.push({ path: where, message: 'text holds a NUL or half a character' });
    return parsed.data;
  };
  const input = {
    params: read('params', e.params, req.params),
    query: read('query', e.query, req.query),
    body: read('body', e.body, req.body),
  };
  if (problems.length > 0) throw new Refusal('invalid_input', { errors: problems.slice(0, 20) });
  return input as Input<P, Q, B>;
}

/** The ETag the caller has; a proxy that compresses answers weakens it on the way. */
export function etagOf(req: Pick<FastifyRequest, 'headers'>): string | null {
  return req.headers['if-none-match']?.replace(/^W\//, '') ?? null;
}

/** PostgreSQL keeps no NUL, and half a surrogate pair is no text. */
function isClean(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isClean(key) && isClean(inner));
}
