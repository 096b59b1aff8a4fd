import type { FastifyInstance } from 'fastify';
import type { Access, Endpoint, Input } from '#contract/endpoint.ts';
import type { TestOffice } from './test-office.ts';

export interface Reply<R> {
  status: number;
  body: R & { code?: string; title?: string; current?: unknown };
  headers: Record<string, unknown>;
}

export interface CallOptions {
  /** The caller: an office's member (default: the first office's), a token, or nobody. */
  as?: TestOffice | { token: string } | null;
  headers?: Record<string, string>;
}

type WithoutUndefined<T> = { [K in keyof T as [T[K]] extends [undefined] ? never : K]: T[K] };

/** A function that calls endpoints of the contract over HTTP, as a member of the first office unless told otherwise. */
export function callEndpoint(app: FastifyInstance, firstOffice: TestOffice) {
  return async <R, P, Q, B, Who extends Access>(
    e: Endpoint<R, P, Q, B, Who>,
    input: WithoutUndefined<Input<P, Q, B>> = {} as WithoutUndefined<Input<P, Q, B>>,
    { as = firstOffice, headers = {} }: CallOptions = {},
  ): Promise<Reply<R>> => {
    const {
      params = {},
      query = {},
      body,
    } = input as { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };
    const path = e.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
    const search = new URLSearchParams(query).toString();
    const answer = await app.inject({
      method: e.method,
      url: `/api${path}${search && `?${search}`}`,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(as && 'npi' in as && { 'x-office': as.id }),
        ...headers,
      },
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = /json/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      body: (isJson ? answer.json() : answer.body) as Reply<R>['body'],
      headers: answer.headers,
    };
  };
}
