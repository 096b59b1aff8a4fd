import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { heartbeatMessage } from '#contract/live.ts';
import { sendTo, startHeartbeats } from './socket.ts';

let cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanUp of cleanups) cleanUp();
  cleanups = [];
});

/** Both ends of a WebSocket. */
async function openPair(options: { autoPong?: boolean } = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const connected = new Promise<WebSocket>((done) => server.once('connection', done));
  await new Promise((done) => server.once('listening', done));
  const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
  const messages: string[] = [];
  page.on('message', (data: Buffer) => messages.push(data.toString()));
  page.on('error', () => undefined);
  const socket = await connected;
  const closed = new Promise<number>((done) => socket.once('close', done));
  cleanups.push(() => {
    page.terminate();
    socket.terminate();
    server.close();
  });
  return { socket, page, messages, closed };
}

test('a page that reads too slowly is cut, and its unsent hints are dropped', async () => {
  const { socket, page, closed } = await openPair();
  await new Promise((done) => page.once('open', done));
  page.pause();
  const message = Buffer.alloc(32_768, 'x');
  let sent = 0;
  // The network's own buffers take some megabytes first.
  for (; socket.readyState === socket.OPEN && sent < 2_000; sent++) {
    sendTo(socket, message);
    expect(socket.bufferedAmount).toBeLessThan(128 * 1024);
    await new Promise((done) => setImmediate(done));
  }
  expect(await closed).toBe(1006);
  expect(sent).toBeLessThan(2_000);
});

test('a page that answers pings stays connected and sees the heartbeats', async () => {
  const { socket, messages } = await openPair();
  const heartbeats = startHeartbeats(new Set([socket]), 50);
  cleanups.push(heartbeats.stop);
  await expect.poll(() => messages.length).toBeGreaterThan(4);
  expect(new Set(messages)).toEqual(new Set([JSON.stringify({ type: heartbeatMessage })]));
  expect(socket.readyState).toBe(socket.OPEN);
});

test('a page that does not answer a ping is cut at the next heartbeat', async () => {
  const { socket, closed } = await openPair({ autoPong: false });
  const heartbeats = startHeartbeats(new Set([socket]), 50);
  cleanups.push(heartbeats.stop);
  expect(await closed).toBe(1006);
});
