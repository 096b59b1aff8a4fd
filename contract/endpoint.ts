import * as z from 'zod/mini';
import type { RefusalCode } from './refusals.ts';

/**
 * Who may call: `anyone`; a signed-in `person`; a person of an `office` whose agreement is signed;
 * or the phone that holds a `visit` token (the `token` path parameter).
 */
export type Access = 'anyone' | 'person' | 'office' | 'visit';

/** One HTTP call, described once: the server answers it, the browser makes it, OpenAPI lists it. */
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
  /** The refusals a caller may branch on, beyond those every endpoint of this access shares. */
  refusals?: readonly RefusalCode[];
  /** It comes with an ETag and answers 304 to an unchanged one. */
  etag?: true;
  /** It makes something new: callers may send an Idempotency-Key. */
  creates?: true;
  /** The body is the bytes of a file of one of these media types, not JSON. */
  takes?: readonly string[];
  /** The 200 body is a file of this media type, not JSON. */
  gives?: string;
  /** The office sees that its patients' data was read or changed under this name. */
  audit?: string;
}

export interface Input<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
}

/** Keeps the types of what it is given; nothing else happens here. */
export function endpoint<Reply, Who extends Access, Params = undefined, Query = undefined, Body = undefined>(
  described: Endpoint<Reply, Params, Query, Body, Who>,
) {
  return described;
}

/** Calls that a stranger can make in any number, so they are paced: all of a visit's, and what anyone may read. */
export const isForVisitors = ({ access, method }: Pick<Endpoint, 'access' | 'method'>) =>
  access === 'visit' || (access === 'anyone' && method === 'GET');

/** True for what `endpoint()` made: used where the whole contract is walked. */
export function isEndpoint(value: unknown): value is Endpoint<unknown, unknown, unknown, unknown> {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;
}
