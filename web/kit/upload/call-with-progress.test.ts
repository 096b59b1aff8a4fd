import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CallError } from '#web/kit/call.ts';
import { callWithProgress } from './call-with-progress.ts';

const saveNote = endpoint({
  method: 'POST',
  path: '/notes/:day',
  summary: '',
  access: 'office',
  params: z.object({ day: z.string() }),
  body: z.object({ text: z.string() }),
  reply: z.object({ id: z.int() }),
});
const savePhoto = endpoint({
  method: 'POST',
  path: '/photos',
  summary: '',
  access: 'office',
  query: z.object({ kind: z.string() }),
  takes: ['image/png'],
  reply: z.object({ id: z.int() }),
});

let requests: SentRequest[] = [];
/** The request that `callWithProgress` sent last. */
const lastRequest = () => requests.at(-1) ?? new SentRequest();
class SentRequest {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void; onload?: () => void } = {};
  headers: Record<string, string> = {};
  opened: string[] = [];
  body: unknown;
  status = 0;
  response: unknown = null;
  onload = () => undefined;
  onerror = () => undefined;
  onabort = () => undefined;
  constructor() {
    requests.push(this);
  }
  open(...opened: string[]) {
    this.opened = opened;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader = (name: string) => (name === 'retry-after' && this.status === 429 ? '30' : null);
  send(body: unknown) {
    this.body = body;
  }
  abort() {
    this.onabort();
  }
  answer(status: number, response: unknown) {
    this.status = status;
    this.response = response;
    this.onload();
  }
}

beforeEach(() => {
  requests = [];
  vi.stubGlobal('XMLHttpRequest', SentRequest);
  vi.stubGlobal('document', { documentElement: { lang: 'es' } });
});
afterEach(() => vi.unstubAllGlobals());

const options = { signal: new AbortController().signal, onProgress: () => undefined };
const png = new Blob(['x'], { type: 'image/png' });

test('callWithProgress sends JSON in the language of the screen and returns the answer', async () => {
  const saved = callWithProgress(saveNote, { params: { day: 'a/b' }, body: { text: 'Hi' } }, options);
  expect(lastRequest().opened).toEqual(['POST', '/api/notes/a%2Fb']);
  expect(lastRequest().headers).toMatchObject({ 'content-type': 'application/json', 'accept-language': 'es' });
  expect(lastRequest().body).toBe('{"text":"Hi"}');
  lastRequest().answer(200, { id: 7 });
  expect(await saved).toEqual({ id: 7 });
});

test('callWithProgress sends a file as it is, with its media type', () => {
  void callWithProgress(savePhoto, { query: { kind: 'card' } }, { ...options, file: png });
  expect(lastRequest().opened).toEqual(['POST', '/api/photos?kind=card']);
  expect(lastRequest().headers['content-type']).toBe('image/png');
  expect(lastRequest().body).toBe(png);
});

test('callWithProgress sends a file of an unknown type as bytes', () => {
  void callWithProgress(savePhoto, { query: { kind: 'card' } }, { ...options, file: new Blob(['x']) });
  expect(lastRequest().headers['content-type']).toBe('application/octet-stream');
});

test('callWithProgress reports the share sent', () => {
  const parts: number[] = [];
  void callWithProgress(
    savePhoto,
    { query: { kind: 'card' } },
    { ...options, file: png, onProgress: (part) => parts.push(part) },
  );
  lastRequest().upload.onprogress?.({ loaded: 1, total: 4 });
  lastRequest().upload.onprogress?.({ loaded: 2, total: 0 });
  lastRequest().upload.onload?.();
  expect(parts).toEqual([0.25, 0, 1]);
});

test('callWithProgress throws a refusal with its code and the seconds to wait', async () => {
  const saved = callWithProgress(savePhoto, { query: { kind: 'card' } }, { ...options, file: png });
  lastRequest().answer(429, { type: 'urn:anteroom:problem:too_many_requests', title: 'Too many' });
  await expect(saved).rejects.toMatchObject({ status: 429, code: 'too_many_requests', retryAfterSeconds: 30 });
});

test('callWithProgress fails when the page of a guest network answers with 200', async () => {
  const saved = callWithProgress(savePhoto, { query: { kind: 'card' } }, { ...options, file: png });
  lastRequest().answer(200, null);
  await expect(saved).rejects.not.toBeInstanceOf(CallError);
});

test('callWithProgress throws a CallError with status 0 without a network', async () => {
  const saved = callWithProgress(savePhoto, { query: { kind: 'card' } }, { ...options, file: png });
  lastRequest().onerror();
  await expect(saved).rejects.toMatchObject({ status: 0, code: 'offline' });
});

test('callWithProgress ends with the reason of an abort', async () => {
  const abort = new AbortController();
  const saved = callWithProgress(savePhoto, { query: { kind: 'card' } }, { ...options, signal: abort.signal });
  abort.abort(new Error('the patient chose another photo'));
  await expect(saved).rejects.toThrow('the patient chose another photo');
});
