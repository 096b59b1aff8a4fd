import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { queue, session, signIn } from '#contract/index.ts';
import { openBrowser, type TestBrowser } from '#testing/browser.ts';
import { openStillHouse } from '#testing/still-house.ts';
import { endSessions } from './jobs.ts';

const { house, wait } = await openStillHouse();
let people = 0;
const readQueue = (browser: TestBrowser) => browser.call(queue.listQueue);

let desk: TestBrowser;
let email: string;
beforeEach(async () => {
  wait(3600);
  email = `socket${++people}@sign-in.test`;
  await house.addStaff({ name: 'Dana Whitlock', email }, [house.maple]);
  desk = openBrowser(house);
  await desk.signIn({ email });
});

let address: string;
const open: Socket[] = [];
beforeAll(async () => void (address = await house.listen()));
afterAll(() => open.forEach((socket) => socket.disconnect()));

const listen = async (browser: TestBrowser): Promise<Socket> => {
  const socket = io(address, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { office: house.maple.id },
    extraHeaders: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  open.push(socket);
  await new Promise<void>((done, fail) => socket.on('connect', done).on('connect_error', fail));
  return socket;
};
const cut = (socket: Socket) => new Promise<string>((done) => socket.on('disconnect', done));

test('sockets are cut at once when the person signs out, and no other', async () => {
  const mine = await listen(desk);
  const colleague = openBrowser(house);
  const theirs = `colleague${people}@sign-in.test`;
  await house.addStaff({ name: 'Luis', email: theirs }, [house.maple]);
  await colleague.signIn({ email: theirs });
  const other = await listen(colleague);

  const gone = cut(mine);
  await desk.call(signIn.signOut);
  expect(await gone).toBe('io server disconnect');
  expect(other.connected).toBe(true);
  await expect(listen(desk)).rejects.toThrow('not_signed_in');
});

test('sockets behind the lock hear that somebody arrived, and no more than that', async () => {
  await desk.call(signIn.lockSession);
  const mine = await listen(desk);
  const hint = new Promise<object>((done) => mine.once('updates', done));
  const visit = await house.visit({ firstName: 'Ada', lastName: 'Byron' });
  expect(await hint).toEqual({ type: 'checkin', visit: visit.id, arrived: true });
  expect((await readQueue(desk)).status).toBe(401);
});

test('sockets are cut when the twelve hours are over', async () => {
  const mine = await listen(desk);
  const gone = cut(mine);
  wait(12 * 3600);
  await endSessions(house.house);
  expect(await gone).toBe('io server disconnect');
});

test('sockets of a device that is signed out from elsewhere are cut, and all of them by signing out everywhere', async () => {
  const phone = openBrowser(house);
  wait(31);
  await phone.signIn({ email });
  const [here, there] = [await listen(desk), await listen(phone)];
  const { devices } = (await desk.call(session.listDevices)).body;
  const gone = cut(there);
  const deviceId = devices.find(({ current }) => !current)?.id ?? '';
  await desk.call(session.signOutDevice, undefined, {}, { deviceId });
  expect(await gone).toBe('io server disconnect');
  expect(here.connected).toBe(true);

  const goneToo = cut(here);
  await desk.call(session.signOutEverywhere);
  expect(await goneToo).toBe('io server disconnect');
  await expect(listen(desk)).rejects.toThrow('not_signed_in');
});

test('sockets are cut when a replaced token is presented for renewal again', async () => {
  const old = new Map(desk.cookies);
  wait(52 * 60);
  await desk.call(session.refreshSession);
  const mine = await listen(desk);
  const gone = cut(mine);
  wait(31);
  await openBrowser(house, { cookies: old }).call(session.refreshSession);
  expect(await gone).toBe('io server disconnect');
  await expect(listen(desk)).rejects.toThrow('not_signed_in');
});

test('between the two steps of signing in there is no socket', async () => {
  const { personId } = await house.owner
    .selectFrom('auth.identity')
    .select('personId')
    .where('value', '=', email)
    .executeTakeFirstOrThrow();
  const at = house.now();
  await house.owner.updateTable('auth.person').set({ authenticatorAt: at }).where('id', '=', personId).execute();
  await expect(listen(desk)).rejects.toThrow('not_signed_in');
});
