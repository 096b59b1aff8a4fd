import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io } from 'socket.io-client';
import { afterAll, expect, test } from 'vitest';
import { openLive } from '#server/kit/live.ts';
import { appUrlOf } from '#testing/app-url.ts';
import { openHouse } from '#testing/house.ts';

const house = await openHouse();
afterAll(() => house.close());

test('a screen is asked to try again when its rooms cannot be looked up', async () => {
  const server = createServer();
  const live = openLive(appUrlOf(house.url), house.house.log);
  await live.open(server, {
    whoIs: async () => ({
      rooms: ['office:1'],
      sessionId: null,
      roomsLost: () => Promise.reject(new Error('the database is away')),
    }),
    allowOrigin: () => true,
    personOf: async () => null,
    networkOf: () => 'loopback',
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const socket = io(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    transports: ['websocket'],
    reconnection: false,
  });
  const refusal = await new Promise<Error>((done) => socket.once('connect_error', done));
  expect(refusal.message).toBe('try_again');
  socket.disconnect();
  await live.close();
});
