import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen, type Hearing } from './socket.ts';

let over: (() => unknown)[] = [];
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(over.map((end) => end()));
  over = [];
});

/** A Socket.IO server as ours is, and a page that listens to it. */
async function line({ port = 0, mayCome = true, tryAgainMs = 20 as number | null } = {}) {
  const http: HttpServer = createServer();
  const io = new Server(http, { transports: ['websocket'], pingInterval: 40, pingTimeout: 40 });
  const came: unknown[] = [];
  let isWelcome = mayCome;
  io.use((socket, next) => {
    came.push(socket.handshake.auth);
    next(isWelcome ? undefined : new Error('not_signed_in'));
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const heard: unknown[] = [];
  const alive = vi.fn<() => void>();
  const hearing: Hearing = {
    stood: () => heard.push('stood'),
    told: (name, body) => heard.push([name, body]),
    alive,
    cut: () => heard.push('cut'),
    refused: (why) => (heard.push(why), tryAgainMs),
  };
  const leave = listen({ visit: 'a-token' }, hearing, at);
  over.push(leave, () => io.close());
  const hears = (...expected: unknown[]) =>
    vi.waitFor(() => expect(heard).toEqual(expected), { timeout: 5_000, interval: 10 });
  return { io, http, came, heard, alive, leave, hears, welcome: () => (isWelcome = true) };
}

const connectionOf = (io: Server) => [...io.sockets.sockets.values()][0]?.conn;

test('says who listens, hears what is told, and stays as long as both are there', async () => {
  const { io, came, alive, hears } = await line();
  await hears('stood');
  io.emit('updates', { type: 'checkin', visit: 'é' });
  await hears('stood', ['updates', { type: 'checkin', visit: 'é' }]);
  await vi.waitFor(() => expect(alive.mock.calls.length).toBeGreaterThan(3));
  expect(came).toEqual([{ visit: 'a-token' }]);
  expect(io.engine.clientsCount).toBe(1);
});

test('a cut line is told, and comes back', async () => {
  const { io, hears } = await line();
  await hears('stood');
  connectionOf(io)?.close();
  await hears('stood', 'cut', 'stood');
});

test('a server that falls silent is as good as gone', async () => {
  const { io, hears } = await line();
  await hears('stood');
  Object.assign(connectionOf(io) ?? {}, { sendPacket: () => undefined });
  await hears('stood', 'cut', 'stood');
});

test('refused, it asks again when told to; ended by the server it does not', async () => {
  const { io, hears, welcome, came } = await line({ mayCome: false });
  await hears('not_signed_in', 'not_signed_in');
  welcome();
  await vi.waitFor(() => expect(io.sockets.sockets.size).toBe(1));
  io.disconnectSockets(true);
  const times = came.length;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect([came.length, io.engine.clientsCount]).toEqual([times, 0]);
});

test('left, it is silent', async () => {
  const { io, leave, hears, heard } = await line();
  await hears('stood');
  leave();
  await vi.waitFor(() => expect(io.engine.clientsCount).toBe(0));
  expect(heard).toEqual(['stood']);
});
