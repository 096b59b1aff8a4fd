import type { FastifyInstance } from 'fastify';
import type { Access, Endpoint, Input } from '#contract/endpoint.ts';
import type { AnyoneCtx, CtxOf, EpisodeLink, VisitLink, VisitorToken } from '#server/context.ts';
import { keyedHash } from '#server/kit/crypto/secret.ts';
import { callerRoute, etagOf, readInput, sendReply } from './route.ts';

/** A reply with its ETag; `body` is null if the caller has it already: then nothing is disclosed. */
export interface VersionedReply<T> {
  etag: string;
  body: T | null;
}

/** A request that may be answered with 304: the ETag of the answer that its caller has already, and how to make the ETag of a new one. */
export interface ConditionalRequest {
  etag: string | null;
  etagOf(version: unknown): string;
}

interface Disclosure {
  /** Runs only if the body is sent: an answer that the caller has already discloses nothing and gets no audit entry. */
  onSend?: () => Promise<unknown>;
  /** What the ETag is of, if not of the whole body: the clock of an answer changes nothing. */
  version?: unknown;
}

type CallerCtx = AnyoneCtx & Partial<VisitLink & EpisodeLink & VisitorToken & { officeId: string }>;

/**
 * A 304 says that a guess at the answer is right, and writes no audit entry. So the ETag is keyed: only who was sent this answer, to this
 * question in this session, can have it.
 */
export function conditionalRequest(
  ctx: CallerCtx,
  e: Pick<Endpoint<unknown, unknown, unknown, unknown, Access>, 'method' | 'path'>,
  input: unknown,
  etag: string | null,
): ConditionalRequest {
  const { visitorId, episodeId, tokenId, caller, officeId } = ctx;
  const asker = visitorId ?? episodeId ?? tokenId ?? caller?.sessionId ?? '';
  const question = [officeId ?? '', asker, e.method, e.path, JSON.stringify(input)];
  return {
    etag,
    etagOf(version) {
      const mac = keyedHash(ctx.env.secrets.session, 'etag', ...question, JSON.stringify(version));
      return `"${mac.toString('base64url').slice(0, 22)}"`;
    },
  };
}

/** A body with its ETag, or the ETag alone if the caller has this version. If `conditional` is null, nobody asked for an ETag, and the body is sent. */
export async function versionedReply<T>(
  body: T,
  conditional: ConditionalRequest | null,
  { onSend, version = body }: Disclosure = {},
): Promise<VersionedReply<T>> {
  const etag = conditional?.etagOf(version) ?? '';
  if (conditional !== null && etag === conditional.etag) return { etag, body: null };
  await onSend?.();
  return { etag, body };
}

/** A read that is repeated, some of them POST so that no name is in an address: 304 if the caller has what it would answer. */
export function versionedRoute<R, P, Q, B, Who extends Access>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, Who>,
  read: (ctx: CtxOf<Who>, input: Input<P, Q, B>, conditional: ConditionalRequest) => Promise<VersionedReply<R>>,
): void {
  callerRoute(app, e, async (ctx, req, reply) => {
    const input = readInput(e, req);
    const { etag, body } = await read(ctx, input, conditionalRequest(ctx, e, input, etagOf(req)));
    reply.header('etag', etag);
    return body === null ? reply.code(304).send() : sendReply(reply, e, body);
  });
}
