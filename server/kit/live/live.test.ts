import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { livePath } from '#contract/live.ts';
import type { Hint } from './hint.ts';
import { openLive, officeRoom, visitRoom, type Listener } from './live.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { openLiveClient, type LiveClient } from '#testing/app/live-client.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

let cleanups: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(cleanups.map((cleanUp) => cleanUp()));
  cleanups = [];
});

/** A server with the test's lookup. */
async function openServer(
  whoIs: () => Promise<Listener | null>,
  {
    log = testApp.services.log,
    manyAt,
    echo = send,
  }: { log?: FastifyBaseLogger; manyAt?: number; echo?: (hint: Hint) => Promise<unknown> } = {},
) {
  const server = createServer();
  const live = openLive({ databaseUrl: appUrlOf(testApp.url), echo, log, manyAt });
  await live.open(server, {
    whoIs,
    personOf: async () => null,
    allowOrigin: () => true,
    networksOf: () => ({ network: 'loopback', site: null }),
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: LiveClient[] = [];
  cleanups.push(async () => {
    for (const client of clients) client.close();
    await live.close();
    server.close();
  });
  const connect = async () => {
    const client = await openLiveClient(address, {});
    clients.push(client);
    return client;
  };
  return { live, address, connect };
}

const send = (hint: Hint) => testApp.inOffice(testApp.maple, (tx) => sendHint(tx, hint));
const listener = (change: Partial<Listener> = {}): Listener => ({
  rooms: ['office:1'],
  limits: [],
  sessionId: null,
  ...change,
});

test('a process listens once a hint of its own has come back, and no screen hears of that', async () => {
  let echoes = 0;
  let isLost = true;
  const heard: Hint[] = [];
  const { live, connect } = await openServer(async () => listener(), {
    echo: async (hint) => void ((echoes += 1), isLost || (await send(hint))),
  });
  live.onHint((hint) => heard.push(hint));
  const screen = await connect();
  await expect.poll(() => echoes, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(live.listening).toBe(false);
  isLost = false;
  await expect.poll(() => live.listening, { timeout: 10_000 }).toBe(true);
  await send({ office: '1', type: 'last' });
  await expect.poll(() => screen.hints.map(({ type }) => type)).toEqual(['last']);
  expect(heard.map(({ type }) => type)).toEqual(['last']);
});

test('an echo of another process proves nothing', async () => {
  const { live } = await openServer(async () => listener(), {
    echo: () => send({ type: 'echo', echo: 'of another process' }),
  });
  await new Promise((done) => setTimeout(done, 1_000));
  expect(live.listening).toBe(false);
});

test('a screen is asked to try again when its rooms cannot be looked up', async () => {
  const { connect, live } = await openServer(async () =>
    listener({ roomsLost: () => Promise.reject(new Error('the database is away')) }),
  );
  await expect(connect()).rejects.toThrow('try_again');
  expect(live.panels).toBe(0);
});

test('a screen is asked to try again when nobody can be looked up', async () => {
  const { connect } = await openServer(() => Promise.reject(new Error('the database is away')));
  await expect(connect()).rejects.toThrow('try_again');
});

test('a phone gets no hints of a room that it lost during the lookup', async () => {
  const { connect } = await openServer(async () =>
    listener({ rooms: [officeRoom('1'), visitRoom('2')], roomsLost: async () => [visitRoom('2')] }),
  );
  const phone = await connect();
  const hint = phone.nextHint();
  await send({ visit: '2', type: 'message' });
  await send({ office: '1', type: 'last' });
  expect(await hint).toEqual({ type: 'last' });
});

test.each<[string, Hint, Partial<Listener>]>([
  ['session ends', { type: 'session', session: 's1' }, { sessionId: 's1' }],
  ['person is removed', { type: 'team', office: '1', removed: 'p1' }, { rooms: ['office:1', 'office:1:p1'] }],
])('a panel is refused when its %s during the lookup', async (_what, hint, of) => {
  const { live, connect } = await openServer(async () => {
    const received = new Promise<void>((done) => live.onHint(({ type }) => type === hint.type && done()));
    await send(hint);
    await received;
    return listener(of);
  });
  const reason = await connect().then(
    (panel) => panel.closed,
    (error: Error) => error.message,
  );
  expect(reason).toBe('not_signed_in');
  expect(live.panels).toBe(0);
});

test('a page that says more than its subscription is closed', async () => {
  const { live, connect } = await openServer(async () => listener());
  const page = await connect();
  page.socket.send('{"join":"office:2"}');
  expect(await page.closed).toBe('only_listens');
  await expect.poll(() => live.panels).toBe(0);
});

test.each([
  ['no JSON', 'hello', 'no_subscription'],
  ['no object', '7', 'no_subscription'],
  ['null', 'null', 'no_subscription'],
  ['too long', `{"visit":"${'x'.repeat(2_000)}"}`, '1009'],
])('a page whose first message is %s is closed', async (_what, message, reason) => {
  const { address } = await openServer(async () => listener());
  const socket = new WebSocket(address.replace('http', 'ws') + livePath);
  socket.on('open', () => socket.send(message));
  const closed = await new Promise<string>((done) =>
    socket.on('close', (code, text) => done(text.toString() || String(code))),
  );
  expect(closed).toBe(reason);
});

test('a page that offers compression gets none', async () => {
  const { address } = await openServer(async () => listener());
  const page = await openLiveClient(address, {}, { 'sec-websocket-extensions': 'permessage-deflate' });
  expect(page.socket.extensions).toBe('');
  page.close();
});

test('many connections are logged once, and so are connections beyond a limit', async () => {
  const warn = vi.fn<FastifyBaseLogger['warn']>();
  const log = { warn } as unknown as FastifyBaseLogger;
  const { live, connect } = await openServer(async () => listener({ limits: [{ key: 'visit', atMost: 3 }] }), {
    log,
    manyAt: 3,
  });
  const pages = [];
  for (let i = 0; i < 6; i++) pages.push(await connect());
  await expect.poll(() => live.panels).toBe(3);
  expect(warn.mock.calls.map(([fields, message]) => [fields, String(message).slice(0, 20)])).toEqual([
    [{ connections: 3 }, 'the live connections'],
    [{ connections: 4 }, 'a visit, a session o'],
  ]);
  const reasons = await Promise.all(pages.slice(0, 3).map(({ closed }) => closed));
  expect(reasons).toEqual(Array(3).fill('too_many_connections'));
});

test('closing asks every page to try again, and later ones are refused', async () => {
  const { live, connect } = await openServer(async () => listener());
  const pages = await Promise.all([connect(), connect()]);
  await live.close();
  expect(await Promise.all(pages.map(({ closed }) => closed))).toEqual(['try_again', 'try_again']);
  await expect(connect()).rejects.toThrow('503');
});

test('closing does not wait for a page that does not answer', async () => {
  const { live, connect } = await openServer(async () => listener());
  const page = await connect();
  page.socket.pause();
  const from = performance.now();
  await live.close();
  expect(performance.now() - from).toBeLessThan(3_000);
  page.socket.terminate();
});
