import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Access, Endpoint, Input } from '#contract/endpoint.ts';
import type { CtxOf } from '#server/context.ts';
import { callerRoute, etagOf, readInput, sendReply } from './route.ts';

/** A reply with its ETag; `body` is null if the caller has it already: then nothing is disclosed. */
export interface VersionedReply<T> {
  etag: string;
  body: T | null;
}

const etagOfBody = (body: unknown) =>
  `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`;

interface Disclosure {
  /** Runs only if the body is sent: an answer that the caller has already discloses nothing and gets no audit entry. */
  onSend?: () => Promise<unknown>;
  /** What the ETag is of, if not of the whole body: the clock of an answer changes nothing. */
  version?: unknown;
}

/** A body with its ETag, or the ETag alone if it is the `known` one. */
export async function versionedReply<T>(
  body: T,
  known: string | null,
  { onSend, version = body }: Disclosure = {},
): Promise<VersionedReply<T>> {
  const etag = etagOfBody(version);
  if (etag === known) return { etag, body: null };
  await onSend?.();
  return { etag, body };
}

/** A read that is repeated, some of them POST so that no name is in an address: 304 if the caller has what it would answer. */
export function versionedRoute<R, P, Q, B, Who extends Access>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, Who>,
  read: (ctx: CtxOf<Who>, input: Input<P, Q, B>, known: string | null) => Promise<VersionedReply<R>>,
): void {
  callerRoute(app, e, async (ctx, req, reply) => {
    const { etag, body } = await read(ctx, readInput(e, req), etagOf(req));
    reply.header('etag', etag);
    return body === null ? reply.code(304).send() : sendReply(reply, e, body);
  });
}
