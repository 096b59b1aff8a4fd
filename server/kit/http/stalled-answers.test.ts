import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer, WebSocket } from 'ws';
import { readEnv } from '#server/env.ts';
import { bareApp } from '#server/app.ts';
import { endStalledAnswers, stalledAnswerMs } from './stalled-answers.ts';

/** More than the buffers of a loopback connection hold. */
const large = Buffer.alloc(40_000_000, 'a');
const stalledMs = 300;

const closeLater: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closeLater.splice(0)) await close();
});

async function listen(answer: RequestListener, limitMs = stalledMs): Promise<{ server: Server; port: number }> {
  const server = createServer(answer);
  endStalledAnswers(server, limitMs);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closeLater.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** A client that sends a request and does not read. */
function pausedClient(port: number) {
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nhost: anteroom\r\n\r\n');
  closeLater.push(() => client.destroy());
  return client;
}

const answerTo = (port: number, options: object = {}) =>
  new Promise<IncomingMessage>((done, fail) => get({ port, host: '127.0.0.1', ...options }, done).once('error', fail));

async function sizeOf(answer: IncomingMessage, pauseMs = 0): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return bytes;
}

test('the connection of a client that stops reading its answer is closed', async () => {
  const closed = Promise.withResolvers<number>();
  const { port } = await listen((_req, res) => {
    const from = Date.now();
    res.once('close', () => closed.resolve(Date.now() - from));
    res.end(large);
  });
  pausedClient(port);
  const ms = await Promise.race([closed.promise, sleep(20 * stalledMs)]);
  expect(ms, 'the time until its connection was closed').toBeGreaterThanOrEqual(stalledMs - 10);
});

test('a client that reads slowly gets its whole answer', async () => {
  // Long enough for a client that a busy machine keeps waiting.
  const limitMs = 1_000;
  const { port } = await listen((_req, res) => res.end(large), limitMs);
  // Each pause is shorter than the limit, and all of them are longer.
  const from = Date.now();
  expect(await sizeOf(await answerTo(port), 4)).toBe(large.length);
  expect(Date.now() - from).toBeGreaterThan(2 * limitMs);
});

test('an answer that takes long to be made arrives, also in parts', async () => {
  const { port } = await listen((_req, res) => {
    setTimeout(() => res.write('first'), 3 * stalledMs);
    setTimeout(() => res.end('second'), 6 * stalledMs);
  });
  expect(await sizeOf(await answerTo(port))).toBe('firstsecond'.length);
});

test('a WebSocket without messages stays open', async () => {
  const { server, port } = await listen((_req, res) => res.end());
  const sockets = new WebSocketServer({ server });
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(client, 'open');
  await sleep(3 * stalledMs);
  expect(client.readyState).toBe(WebSocket.OPEN);
  client.terminate();
  sockets.close();
});

test('the product’s server closes stalled connections', async () => {
  const app = bareApp(readEnv({ DEMO: '1', LOG_LEVEL: 'silent', PUBLIC_URL: 'http://localhost:3000' }));
  const limits: number[] = [];
  app.get('/', (req) => {
    limits.push(req.raw.socket.timeout ?? 0);
    return 'Hello';
  });
  const url = await app.listen({ port: 0 });
  await fetch(url);
  expect(limits).toEqual([stalledAnswerMs]);
  await app.close();
});
