import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { call, CallError, forgetReplies, setOffice } from './call.ts';
import { serverNow } from './clock.ts';

const list = endpoint({
  method: 'GET',
  path: '/visits/:day',
  summary: '',
  access: 'office',
  params: z.object({ day: z.string() }),
  query: z.object({ q: z.optional(z.string()) }),
  reply: z.array(z.string()),
});
const add = endpoint({
  method: 'POST',
  path: '/visits',
  summary: '',
  access: 'office',
  body: z.object({ name: z.string() }),
  reply: z.string(),
});

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
const answer = (body: unknown, init: ResponseInit = {}) =>
  fetched.mockResolvedValueOnce(new Response(body === null ? null : JSON.stringify(body), init));
const sent = (n = 0) => ({
  url: fetched.mock.calls[n]?.[0],
  headers: fetched.mock.calls[n]?.[1].headers as Headers,
  body: fetched.mock.calls[n]?.[1].body,
});

beforeEach(() => {
  vi.stubGlobal('fetch', fetched.mockReset());
  vi.stubGlobal('document', { documentElement: { lang: 'es' } });
});
afterEach(() => {
  forgetReplies();
  setOffice(null);
  vi.unstubAllGlobals();
});

test('call sends the endpoint, the office and the language', async () => {
  setOffice('1234567893');
  answer(['Ada']);
  expect(await call(list, { params: { day: 'a/b' }, query: { q: 'x y' } })).toEqual(['Ada']);
  expect(sent().url).toBe('/api/visits/a%2Fb?q=x+y');
  expect(sent().headers.get('x-office')).toBe('1234567893');
  expect(sent().headers.get('accept-language')).toBe('es');
});

test('call returns the same object for a 304, and only for the same office', async () => {
  answer(['Ada'], { headers: { etag: '"1"' } });
  const first = await call(list, { params: { day: '1' } });
  answer(null, { status: 304 });
  expect(await call(list, { params: { day: '1' } })).toBe(first);
  expect(sent(1).headers.get('if-none-match')).toBe('"1"');

  setOffice('2000000010');
  answer([]);
  await call(list, { params: { day: '1' } });
  expect(sent(2).headers.get('if-none-match')).toBeNull();
});

test('a search that has an ETag asks only whether the answer to the same words has changed', async () => {
  const search = endpoint({ ...add, path: '/visits/search', etag: true });
  answer('Ada', { headers: { etag: '"1"' } });
  const first = await call(search, { body: { name: 'a' } });
  answer(null, { status: 304 });
  expect(await call(search, { body: { name: 'a' } })).toBe(first);
  expect(sent(1).headers.get('if-none-match')).toBe('"1"');
  answer('Bea', { headers: { etag: '"2"' } });
  await call(search, { body: { name: 'b' } });
  expect(sent(2).headers.get('if-none-match')).toBeNull();
});

test('call throws a refusal with its code, message and current state', async () => {
  answer({ type: 'urn:anteroom:problem:visit_moved_on', title: 'Too late', visit: { id: 7 } }, { status: 409 });
  const error = await call(add, { body: { name: 'Ada' } }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ status: 409, code: 'visit_moved_on', message: 'Too late', body: { visit: { id: 7 } } });
});

test('call throws a CallError with status 0 without a network, but not for an abort', async () => {
  fetched.mockRejectedValueOnce(new TypeError('fetch failed'));
  await expect(call(add, { body: { name: 'Ada' } })).rejects.toMatchObject({ status: 0, code: 'offline' });
  fetched.mockRejectedValueOnce(new DOMException('', 'AbortError'));
  await expect(call(add, { body: { name: 'Ada' } }, { signal: AbortSignal.abort() })).rejects.toThrow(DOMException);
});

test("call throws a CallError for a proxy's error page too", async () => {
  fetched.mockResolvedValueOnce(new Response('<html>', { status: 502 }));
  await expect(call(add, { body: { name: 'Ada' } })).rejects.toMatchObject({ status: 502 });
});

test('only an answer from 400 to 499 says that the call changed nothing', async () => {
  const outcomes: [number, boolean][] = [];
  for (const status of [400, 409, 429, 500, 502, 503, 504]) {
    answer(null, { status });
    const error = await call(add, { body: { name: 'Ada' } }).catch((thrown: unknown) => thrown as CallError);
    outcomes.push([status, error instanceof CallError && error.isRefusal]);
  }
  fetched.mockRejectedValueOnce(new TypeError('fetch failed'));
  await expect(call(add, { body: { name: 'Ada' } })).rejects.toMatchObject({ isRefusal: false });
  expect(outcomes.filter(([, isRefusal]) => isRefusal).map(([status]) => status)).toEqual([400, 409, 429]);
});

test("call corrects a clock that is a day off by the answer's date", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000);
  answer('ok', { headers: { date: tomorrow.toUTCString() } });
  await call(add, { body: { name: 'Ada' } });
  expect(Math.abs(serverNow() - tomorrow.getTime())).toBeLessThan(5_000);
});
