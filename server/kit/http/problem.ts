import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import { problemType, type RefusalCode } from '#contract/refusals.ts';
import type { Language } from '#contract/shapes.ts';
import type { AnyoneCtx, EpisodeScope, OfficeScope } from '#server/context.ts';
import { UnsafeLogin } from '#server/kit/db/app-login.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { answerHeaders } from './browser-rules.ts';
import { isAbortedByOthers, isDatabaseAway } from '#server/kit/db/db.ts';
import { takeInTransaction, type Limit } from './rate-limits.ts';
import { Refusal } from './refusal.ts';

/** What the phone of an episode is refused again and again is one entry for five minutes, because a program could repeat it for 30 days. */
const refusedEntries = { name: 'episode-refused-entries', points: 1, seconds: 300 } as const satisfies Limit;

/**
 * Answers a refusal as problem details, and writes it into the office's audit log in a separate transaction. A website's visitor is a
 * stranger, whose refused calls disclose nothing and must not fill the log.
 */
export async function answerRefusal(
  reply: FastifyReply,
  ctx: AnyoneCtx & Partial<EpisodeScope>,
  e: Endpoint<unknown, unknown, unknown, unknown, Access>,
  refusal: Refusal,
): Promise<FastifyReply> {
  const { audit } = e;
  const { episodeId } = ctx;
  if (audit && e.access !== 'visitor' && ctx.officeId && ctx.transaction && ctx.actor) {
    const scope = ctx as AnyoneCtx & OfficeScope;
    const subject = (refusal.current as { id?: string } | undefined)?.id ?? null;
    const key = [scope.officeId, episodeId, audit, refusal.code].join(' ');
    await scope.transaction(async (tx) => {
      const [isRepeated] = episodeId ? await takeInTransaction(tx, ctx.now(), [[refusedEntries, key]]) : [];
      if (!isRepeated) await writeAuditEntry(tx, scope, { action: audit, subject, outcome: refusal.code });
    });
  }
  return sendProblem(reply, refusal, ctx.language);
}

export function sendProblem(reply: FastifyReply, refusal: Refusal, language: Language): FastifyReply {
  const { code, status, current, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  return reply
    .code(status)
    .type('application/problem+json')
    .send({
      type: problemType(code),
      title: refusal.says(language),
      status,
      code,
      ...(current !== undefined && { current }),
    });
}

const languageOf = (req: FastifyRequest): Language =>
  /^\s*es/i.test(req.headers['accept-language'] ?? '') ? 'es' : 'en';

/** A malformed URL (half an escape) never reaches a route. The answer does not repeat it, because it may contain a token. */
export function answerBadAddress(_error: FastifyError, req: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply.headers(answerHeaders), new Refusal('invalid_input'), languageOf(req));
}

/** Refusals by the HTTP layer itself, as our codes. */
const codeOf: Record<number, RefusalCode> = {
  404: 'not_found',
  413: 'too_large',
  415: 'not_json',
  429: 'too_many_tries',
};

/** Errors outside a handler become problem details too; only bugs are answered 500 and logged as errors. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, req, reply) => {
    const language = languageOf(req);
    if (error instanceof Refusal) return sendProblem(reply, error, language);
    if (isDatabaseAway(error)) {
      if (error instanceof UnsafeLogin) req.log.error({ code: error.code }, error.message);
      else req.log.warn({ code: error.code }, 'database unavailable');
      return sendProblem(reply, new Refusal('overloaded', undefined, 2), language);
    }
    if (isAbortedByOthers(error)) {
      // Not retried here: what a handler did beside its transaction would happen twice.
      req.log.warn({ code: error.code, route: req.routeOptions.url }, 'transaction aborted for another');
      return sendProblem(reply, new Refusal('overloaded', undefined, 1), language);
    }
    if (error.statusCode && error.statusCode < 500) {
      const status = error.statusCode;
      const { tooLarge } = req.routeOptions.config;
      const code = (status === 413 ? tooLarge : undefined) ?? codeOf[status] ?? 'invalid_input';
      return reply
        .code(status)
        .type('application/problem+json')
        .send({ type: problemType(code), title: new Refusal(code).says(language), status, code });
    }
    req.log.error({ err: error, route: req.routeOptions.url }, 'unhandled error');
    return reply
      .code(500)
      .type('application/problem+json')
      .send({
        type: problemType('bug'),
        title: language === 'es' ? 'Algo salió mal de nuestro lado.' : 'Something went wrong on our side.',
        status: 500,
        code: 'bug',
        requestId: req.id,
      });
  });
}
