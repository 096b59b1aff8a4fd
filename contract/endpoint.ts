import * as z from 'zod/mini';
import type { AuditAction } from './audit-actions.ts';
import type { RefusalCode } from './refusals.ts';

/**
 * Who may call: `anyone`; a signed-in `person`; a person of an `office` whose agreement is signed;
 * the phone that holds a `visit` token or an `episode` token (the `token` path parameter); or the `visitor` of a website who holds a chat's
 * token (the bearer token of the Authorization header).
 */
export type Access = 'anyone' | 'person' | 'office' | 'visit' | 'episode' | 'visitor';

/** One HTTP endpoint, described once: the server implements it, the browser calls it, OpenAPI lists it. */
export interface Endpoint<
  Reply = unknown,
  Params = undefined,
  Query = undefined,
  Body = undefined,
  Who extends Access = Access,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, parameters as `:name`. A trailing slash is optional for callers. */
  path: string;
  summary: string;
  access: Who;
  params?: z.ZodMiniType<Params>;
  query?: z.ZodMiniType<Query>;
  body?: z.ZodMiniType<Body>;
  reply: z.ZodMiniType<Reply>;
  /** The refusals a caller may branch on, besides those shared by all endpoints with this access. */
  refusals?: readonly RefusalCode[];
  /** The reply has an ETag; an unchanged one is answered with 304. */
  etag?: true;
  /** It creates something: callers may send an Idempotency-Key. */
  creates?: true;
  /** The body is a file of one of these media types, not JSON. */
  takes?: readonly string[];
  /** The body may be `multipart/form-data` too: these fields, and a file named `attachment`. */
  multipart?: z.ZodMiniObject;
  /** The 200 body is a file of this media type, not JSON. */
  gives?: string;
  /** The action under which the office's audit log lists this read or change of patient data. */
  audit?: AuditAction;
}

export interface Input<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
}

/** Returns its argument; exists only for its types. */
export function endpoint<Reply, Who extends Access, Params = undefined, Query = undefined, Body = undefined>(
  described: Endpoint<Reply, Params, Query, Body, Who>,
) {
  return described;
}

/** Endpoints that strangers can call without limit, so they are rate limited: those of a visit, an episode or a visitor, and public reads. */
export const isForVisitors = ({ access, method }: Pick<Endpoint, 'access' | 'method'>) =>
  access === 'visit' || access === 'episode' || access === 'visitor' || (access === 'anyone' && method === 'GET');

/** True for objects made by `endpoint()`; used to list the whole contract. */
export function isEndpoint(value: unknown): value is Endpoint<unknown, unknown, unknown, unknown> {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;
}
