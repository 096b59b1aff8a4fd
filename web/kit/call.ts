import type { Endpoint } from '#contract/endpoint.ts';
import { learnServerTime } from './clock.ts';
import { noteConnected, noteDisconnected } from './connection.ts';

/** The server's refusal, or no answer at all: `status` 0, `code` `offline`. */
export class CallError extends Error {
  override name = 'CallError';
  readonly status: number;
  /** The refusal's code: the last part of `type`. */
  readonly code: string;
  readonly type: string;
  readonly title: string;
  readonly detail: string | undefined;
  /** The whole problem document; a 409 contains the current state. */
  readonly body: Record<string, unknown>;
  /** Seconds until a retry makes sense, if the server sent them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: Record<string, unknown>, retryAfter: string | null = null) {
    const { type = 'about:blank', title = '', detail } = body as { type?: string; title?: string; detail?: string };
    super(detail ?? title);
    this.status = status;
    this.type = type;
    this.code = type.slice(type.lastIndexOf(':') + 1);
    this.title = title;
    this.detail = detail;
    this.body = body;
    this.retryAfterSeconds = Number(retryAfter) || undefined;
  }

  /** The server refused and changed nothing. After any other error the call may have had its effect: a retry needs the same Idempotency-Key. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}

/** Only the parts an endpoint takes are allowed; a part without required fields may be omitted. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? object
  : object extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T };
export type CallInput<P, Q, B> = Part<'params', P> & Part<'query', Q> & Part<'body', B>;
/** The body type of an endpoint. */
export type BodyOf<E> = E extends Endpoint<infer _R, infer _P, infer _Q, infer B> ? B : never;
interface Options {
  signal?: AbortSignal;
  /** Makes a retry idempotent: send the same key again if the answer to a creating call was lost. */
  idempotencyKey?: string;
  /** The answer to this call if the page has asked for it already; undefined if it got none. */
  early?: Promise<Response | undefined> | undefined;
  /** The request is sent even if the page closes; for small bodies only. */
  keepalive?: boolean;
  /** Instead of the token of all calls, for a chat that is not the running one. */
  visitorToken?: string;
}
type Args<I> = object extends I ? [input?: I, options?: Options] : [input: I, options?: Options];
type Loose = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

let office: string | null = null;
/** Sets the office of all later calls (`X-Office`); null before one is known. */
export function setOffice(idOrNpi: string | null): void {
  office = idOrNpi;
}

let visitorToken: string | null = null;
/** Sets the chat's token that all later calls of a website visitor carry; null before and after the chat. */
export function setVisitorToken(token: string | null): void {
  visitorToken = token;
}

let build: string | undefined;
/** Sets the build of this page, which all later calls say (`X-Build`). */
export function setBuild(id: string | undefined): void {
  build = id;
}

/** The headers of every request: the language on screen, the office or the visitor's token, and the page's build. */
export function headersOf(accept: string): Headers {
  const headers = new Headers({ accept, 'accept-language': document.documentElement.lang });
  if (office) headers.set('x-office', office);
  if (build) headers.set('x-build', build);
  if (visitorToken) headers.set('authorization', `Bearer ${visitorToken}`);
  return headers;
}

/** The last answer with an ETag for each URL and, for a search, its body; a 304 returns the same object. */
const replies = new Map<string, { etag: string; data: unknown }>();
const keptAtMost = 50;

/** Clears the cached answers, on sign-out and when the panel locks. */
export function forgetReplies(): void {
  replies.clear();
}

/** Keeps an answer that the server wrote into the page, so that the first call of the same kind asks only whether it has changed. */
export function rememberReply<R, P, Q, B>(
  e: Endpoint<R, P, Q, B>,
  { params }: { params: P },
  reply: { etag: string; data: R },
): void {
  keepReply(`${office ?? ''} ${urlOf(e.path, params as Record<string, unknown>)} `, reply.etag, reply.data);
}

/** Calls an endpoint of the contract. Throws CallError for a refusal and for a lost network. */
export async function call<R, P, Q, B>(
  e: Endpoint<R, P, Q, B>,
  ...[input, options]: Args<CallInput<P, Q, B>>
): Promise<R> {
  const { params, query, body } = (input ?? {}) as Loose;
  const url = urlOf(e.path, params, query);
  const sent = body === undefined ? null : JSON.stringify(body);
  const key = `${office ?? ''} ${url} ${sent ?? ''}`;
  const isRead = e.method === 'GET' || e.etag === true;
  const old = isRead ? replies.get(key) : undefined;

  const headers = headersOf('application/json');
  if (old) headers.set('if-none-match', old.etag);
  if (options?.visitorToken) headers.set('authorization', `Bearer ${options.visitorToken}`);
  if (options?.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey);
  if (body !== undefined) headers.set('content-type', 'application/json');

  const send = async () => {
    const res = await sendRequest(url, {
      method: e.method,
      headers,
      body: sent,
      keepalive: options?.keepalive ?? false,
      signal: options?.signal ?? null,
    });
    learnServerTime(res.headers.get('date'));
    return res;
  };
  const res = await (options?.early ? earlyAnswer(options.early, send) : send());
  // A page that locked meanwhile keeps nothing of an answer that nobody could cancel.
  options?.signal?.throwIfAborted();
  noteConnected();
  if (res.status === 304 && old) return old.data as R;

  const data = await readJson(res);
  if (!res.ok) throw refusedBy(res, data);
  if (import.meta.env.DEV) e.reply.parse(data);
  if (isRead) keepReply(key, res.headers.get('etag'), data);
  return data as R;
}

/** The answer that the page has asked for. Its date is no longer the server's time, so the clock does not learn from it. */
const earlyAnswer = async (early: Promise<Response | undefined>, send: () => Promise<Response>) =>
  (await early) ?? send();

/** The URL of a call. */
export function urlOf(path: string, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `/api${filled}${search.size ? `?${search}` : ''}`;
}

/** Sends a request; an unreachable network is a CallError. */
export async function sendRequest(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    noteDisconnected();
    throw new CallError(0, { type: 'urn:anteroom:problem:offline' });
  }
}

export const refusedBy = (res: Response, data: unknown) =>
  new CallError(res.status, (data ?? {}) as Record<string, unknown>, res.headers.get('retry-after'));

export async function readJson(res: Response): Promise<unknown> {
  const text = await res.text();
  if (!text) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function keepReply(key: string, etag: string | null, data: unknown): void {
  replies.delete(key);
  if (!etag) return;
  replies.set(key, { etag, data });
  const oldest = replies.keys().next().value;
  if (replies.size > keptAtMost && oldest !== undefined) replies.delete(oldest);
}
