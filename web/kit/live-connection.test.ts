import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws';
import { closeCodes, heartbeatMessage, livePath, readyMessage } from '#contract/live.ts';
import { openConnection } from './live-connection.ts';

let cleanups: (() => unknown)[] = [];
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(-0.48)); // the first retry follows after 20 ms
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await Promise.all(cleanups.map((cleanUp) => cleanUp()));
  cleanups = [];
});

/** A server with our protocol, and a page connected to it. Its patience is longer than any pause of a busy machine, unless a test shortens it. */
async function openPage({ accepts = true, heartbeatMs = 40, silenceMs = 45_000 } = {}) {
  const http = createServer();
  const server = new WebSocketServer({ server: http, path: livePath });
  const received: string[] = [];
  const state = { accepts, isSilent: false };
  server.on('connection', (socket: ServerSocket) => {
    socket.on('message', (data: Buffer) => {
      received.push(data.toString());
      if (!state.accepts) return socket.close(closeCodes.notSignedIn, 'not_signed_in');
      if (!state.isSilent) socket.send(JSON.stringify({ type: readyMessage }));
    });
    const heartbeat = setInterval(() => {
      if (!state.isSilent) socket.send(JSON.stringify({ type: heartbeatMessage }));
    }, heartbeatMs);
    socket.on('close', () => clearInterval(heartbeat));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const events: unknown[] = [];
  const onAlive = vi.fn<() => void>();
  const leave = openConnection(
    { visit: 'a-token' },
    {
      onOpen: () => events.push('open'),
      onHint: (hint) => events.push(hint),
      onAlive,
      onLost: () => events.push('lost'),
    },
    { address, silenceMs, checkEveryMs: 20 },
  );
  cleanups.push(leave, () => {
    for (const socket of server.clients) socket.terminate();
    http.close();
  });
  const expectEvents = (...expected: unknown[]) =>
    vi.waitFor(() => expect(events).toEqual(expected), { timeout: 5_000, interval: 10 });
  const sendToAll = (message: object) => {
    for (const socket of server.clients) socket.send(JSON.stringify(message));
  };
  return { server, received, state, events, onAlive, leave, expectEvents, sendToAll };
}

test('a page subscribes with one message, receives hints, and stays connected while heartbeats arrive', async () => {
  const { server, received, onAlive, expectEvents, sendToAll } = await openPage();
  await expectEvents('open');
  sendToAll({ type: 'checkin', visit: 'é' });
  await expectEvents('open', { type: 'checkin', visit: 'é' });
  // Three times 30 seconds, by the clock of the page, in each of which it hears the server: longer than its patience of 45.
  const began = Date.now();
  for (const seconds of [30, 60, 90]) {
    vi.spyOn(Date, 'now').mockReturnValue(began + seconds * 1000);
    const heard = onAlive.mock.calls.length;
    await vi.waitFor(() => expect(onAlive.mock.calls.length).toBeGreaterThan(heard + 1), { timeout: 5_000 });
  }
  await expectEvents('open', { type: 'checkin', visit: 'é' });
  expect(received).toEqual(['{"visit":"a-token"}']);
  expect(server.clients.size).toBe(1);
});

test('a page reconnects after its connection was cut', async () => {
  const { server, expectEvents } = await openPage();
  await expectEvents('open');
  for (const socket of server.clients) socket.terminate();
  await expectEvents('open', 'lost', 'open');
});

test.each([
  ['leaves for a restart', closeCodes.restart],
  ['asks to try again', closeCodes.tryAgain],
])('a page reconnects if the server %s', async (_what, code) => {
  const { server, expectEvents } = await openPage();
  await expectEvents('open');
  for (const socket of server.clients) socket.close(code, 'try_again');
  await expectEvents('open', 'lost', 'open');
});

test('a page reconnects if the server falls silent without closing', async () => {
  const { state, expectEvents } = await openPage({ silenceMs: 1_000 });
  await expectEvents('open');
  state.isSilent = true;
  await expectEvents('open', 'lost');
  state.isSilent = false;
  await expectEvents('open', 'lost', 'open');
});

test('a page whose laptop slept reconnects at the next check', async () => {
  const { expectEvents, server } = await openPage({ heartbeatMs: 60_000 });
  await expectEvents('open');
  const asleepMs = 60_000;
  const wake = Date.now() + asleepMs;
  vi.spyOn(Date, 'now').mockReturnValue(wake);
  await expectEvents('open', 'lost', 'open');
  await vi.waitFor(() => expect(server.clients.size).toBe(1));
});

test('a clock that is set back does not cut the connection', async () => {
  const { events, expectEvents } = await openPage();
  await expectEvents('open');
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(events).toEqual(['open']);
});

test('a page closes its connection when the browser goes offline, and reconnects when it is online', async () => {
  const target = new EventTarget();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
  vi.spyOn(Math, 'random').mockReturnValue(1_000); // no retry by itself in this test
  const { server, expectEvents } = await openPage();
  await expectEvents('open');
  target.dispatchEvent(new Event('offline'));
  await expectEvents('open', 'lost');
  await vi.waitFor(() => expect(server.clients.size).toBe(0));
  target.dispatchEvent(new Event('online'));
  await expectEvents('open', 'lost', 'open');
});

test('a refused page does not reconnect', async () => {
  const { received, server, expectEvents } = await openPage({ accepts: false });
  await expectEvents('lost');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([received.length, server.clients.size]).toEqual([1, 0]);
});

test('a page whose session ended does not reconnect', async () => {
  const { received, server, expectEvents } = await openPage();
  await expectEvents('open');
  for (const socket of server.clients) socket.close(closeCodes.notSignedIn, 'not_signed_in');
  await expectEvents('open', 'lost');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([received.length, server.clients.size]).toEqual([1, 0]);
});

test('a page that leaves closes its connection and gets no more events', async () => {
  const { server, leave, expectEvents, events } = await openPage();
  await expectEvents('open');
  leave();
  await vi.waitFor(() => expect(server.clients.size).toBe(0));
  expect(events).toEqual(['open']);
});
