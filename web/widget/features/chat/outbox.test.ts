import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openOutbox, type Outgoing } from './outbox.ts';

/** What the browser keeps for the frame. */
const kept = new Map<string, File>();
vi.mock('./kept-pictures.ts', () => ({
  keepPicture: async (id: string, file: File) => void kept.set(id, file),
  keptPicture: async (id: string) => kept.get(id) ?? null,
  forgetPicture: async (id: string) => void kept.delete(id),
}));
vi.mock('#web/kit/upload/call-with-progress.ts', () => ({
  callWithForm: async (_call: object, _input: object, form: FormData, { signal }: { signal: AbortSignal }) => {
    const clientId = String(form.get('clientId'));
    uploads.push({ clientId, body: (form.get('attachment') as File).name });
    if (isUploadStuck)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('left'))));
    return { ...saved, clientId, body: 'picture' };
  },
}));
let uploads: SentMessage[] = [];
let isUploadStuck = false;

interface SentMessage {
  clientId: string;
  body: string;
}
const saved = {
  id: '019f1111-1111-7111-8111-111111111111',
  sequence: 1,
  at: '2026-11-23T12:00:00.000Z',
  from: 'visitor',
  picture: null,
};
let sent: SentMessage[] = [];
/** Answers the nth request: a status, or null for a lost connection. */
let answerOf: (n: number) => number | null = () => 200;
let unsent: Outgoing[] = [];
let arrived: string[] = [];
const stop = () => new AbortController();
const photo = new File(['png'], 'door.png', { type: 'image/png' });

beforeEach(() => {
  vi.useFakeTimers();
  [sent, unsent, arrived, uploads] = [[], [], [], []];
  isUploadStuck = false;
  kept.clear();
  answerOf = () => 200;
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('document', { documentElement: { lang: 'en' } });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    const message = JSON.parse(body) as SentMessage;
    sent.push(message);
    const status = answerOf(sent.length);
    if (status === null) throw new TypeError('the connection is lost');
    return Response.json(status === 200 ? { ...saved, ...message } : { title: 'Too fast.' }, { status });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = (signal = stop().signal, isEnd = false) =>
  openOutbox('1234567893', signal, {
    onChange: (now) => (unsent = now),
    onSent: ({ body }) => arrived.push(body),
    onRefused: () => isEnd,
  });
const bodies = () => sent.map(({ body }) => body);
const settle = () => vi.advanceTimersByTimeAsync(60_000);

test('a message whose answer was lost is sent again with the same id, before the next one', async () => {
  answerOf = (n) => (n <= 2 ? null : 200);
  const outbox = open();
  outbox.add('First', null);
  outbox.add('Second', null);
  await settle();
  expect(bodies()).toEqual(['First', 'First', 'First', 'Second']);
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(2);
  expect([arrived, unsent]).toEqual([['First', 'Second'], []]);
});

test('a refused message stays and does not hold up the next one; it can be sent again', async () => {
  answerOf = (n) => (n === 1 ? 429 : 200);
  const outbox = open();
  outbox.add('First', null);
  outbox.add('Second', null);
  await settle();
  expect(arrived).toEqual(['Second']);
  expect(unsent).toMatchObject([{ body: 'First', state: 'refused' }]);
  outbox.sendAgain(unsent[0]?.clientId ?? '');
  await settle();
  expect([arrived, unsent]).toEqual([['Second', 'First'], []]);
  expect(sent[2]?.clientId).toBe(sent[0]?.clientId);
});

test('words that a reload interrupts are sent by the next page with the same id', async () => {
  answerOf = () => null;
  const page = stop();
  open(page.signal).add('First', null);
  await vi.advanceTimersByTimeAsync(10);
  page.abort();
  answerOf = () => 200;
  open().start();
  await settle();
  expect(arrived).toEqual(['First']);
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(1);
});

test('a refused message waits for the visitor after a reload too, with the reason', async () => {
  answerOf = () => 429;
  const page = stop();
  open(page.signal).add('First', null);
  await settle();
  page.abort();
  answerOf = () => 200;
  const reloaded = open();
  reloaded.start();
  await settle();
  expect(bodies()).toEqual(['First']);
  expect(unsent).toMatchObject([{ body: 'First', state: 'refused', error: { status: 429, title: 'Too fast.' } }]);
  reloaded.sendAgain(unsent[0]?.clientId ?? '');
  await settle();
  expect([arrived, unsent]).toEqual([['First'], []]);
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(1);
});

test('a picture that a reload interrupts is sent by the next page with the same id, before later words', async () => {
  isUploadStuck = true;
  const page = stop();
  const before = open(page.signal);
  before.add('', photo);
  before.add('Second', null);
  await vi.advanceTimersByTimeAsync(10);
  page.abort();
  isUploadStuck = false;
  open().start();
  await settle();
  expect(uploads.map(({ body }) => body)).toEqual(['door.png', 'door.png']);
  expect(uploads[1]?.clientId).toBe(uploads[0]?.clientId);
  expect([arrived, unsent, kept.size]).toEqual([['picture', 'Second'], [], 0]);
});

test('a picture that the browser did not keep is not forgotten without a word', async () => {
  isUploadStuck = true;
  const page = stop();
  open(page.signal).add('My door', photo);
  await vi.advanceTimersByTimeAsync(10);
  page.abort();
  kept.clear();
  const reloaded = open();
  reloaded.start();
  await settle();
  expect(unsent).toMatchObject([{ body: 'My door', picture: null, state: 'refused', isPictureLost: true }]);
  expect([sent, uploads.length]).toEqual([[], 1]);
  expect(reloaded.takeAll()).toEqual({ texts: ['My door'], picture: null });
});

test('a chat that has ended sends nothing more, and gives back the words and the picture', async () => {
  answerOf = () => 401;
  const outbox = open(stop().signal, true);
  outbox.add('First', null);
  outbox.add('Second', null);
  await settle();
  expect(bodies()).toEqual(['First']);
  outbox.add('', photo);
  expect(outbox.takeAll()).toEqual({ texts: ['First', 'Second'], picture: photo });
  await settle();
  expect([unsent, kept.size]).toEqual([[], 0]);
});
