import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { queue, session } from '#contract/index.ts';
import { openBrowser, type TestBrowser } from '#testing/app/test-browser.ts';
import { openLiveClient, type LiveClient } from '#testing/app/live-client.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';
import { cleanUpSessions } from './jobs.ts';

const { testApp, wait } = await openIdleTestApp();
let people = 0;
const readQueue = (browser: TestBrowser) => browser.call(queue.listQueue);

let desk: TestBrowser;
let email: string;
beforeEach(async () => {
  wait(3600);
  email = `socket${++people}@sign-in.test`;
  await testApp.addStaff({ name: 'Dana Whitlock', email }, [testApp.maple]);
  desk = openBrowser(testApp);
  await desk.signIn({ email });
});

let address: string;
const open: LiveClient[] = [];
beforeAll(async () => void (address = await testApp.listen()));
afterAll(() => open.forEach((client) => client.close()));

const connect = async (browser: TestBrowser): Promise<LiveClient> => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const client = await openLiveClient(address, { office: testApp.maple.id }, { cookie });
  open.push(client);
  return client;
};

test('signing out closes the person’s sockets at once, and no others', async () => {
  const mine = await connect(desk);
  const colleague = openBrowser(testApp);
  const theirs = `colleague${people}@sign-in.test`;
  await testApp.addStaff({ name: 'Luis', email: theirs }, [testApp.maple]);
  await colleague.signIn({ email: theirs });
  const other = await connect(colleague);

  await desk.call(session.signOut);
  expect(await mine.closed).toBe('not_signed_in');
  expect(other.isOpen).toBe(true);
  await expect(connect(desk)).rejects.toThrow('not_signed_in');
});

test('sockets of a locked panel get hints of arrivals only', async () => {
  await desk.call(session.lockSession);
  const mine = await connect(desk);
  const hint = mine.nextHint();
  const visit = await testApp.visit({ firstName: 'Ada', lastName: 'Byron' });
  expect(await hint).toEqual({ type: 'checkin', visit: visit.id, arrived: true });
  expect((await readQueue(desk)).status).toBe(401);
});

test('sockets close when the twelve-hour session limit ends', async () => {
  const mine = await connect(desk);
  wait(12 * 3600);
  await cleanUpSessions(testApp.services);
  expect(await mine.closed).toBe('not_signed_in');
});

test('signing out a device closes its sockets, and signing out everywhere closes all of them', async () => {
  const phone = openBrowser(testApp);
  wait(31);
  await phone.signIn({ email });
  const [here, there] = [await connect(desk), await connect(phone)];
  const { devices } = (await desk.call(session.listDevices)).body;
  const deviceId = devices.find(({ current }) => !current)?.id ?? '';
  await desk.call(session.signOutDevice, undefined, {}, { deviceId });
  expect(await there.closed).toBe('not_signed_in');
  expect(here.isOpen).toBe(true);

  await desk.call(session.signOutEverywhere);
  expect(await here.closed).toBe('not_signed_in');
  await expect(connect(desk)).rejects.toThrow('not_signed_in');
});

test('presenting a replaced token for renewal closes the session’s sockets', async () => {
  const old = new Map(desk.cookies);
  wait(52 * 60);
  await desk.call(session.refreshSession);
  const mine = await connect(desk);
  wait(31);
  await openBrowser(testApp, { cookies: old }).call(session.refreshSession);
  expect(await mine.closed).toBe('not_signed_in');
  await expect(connect(desk)).rejects.toThrow('not_signed_in');
});

test('a session between the two sign-in steps gets no socket', async () => {
  const { personId } = await testApp.owner
    .selectFrom('auth.identity')
    .select('personId')
    .where('value', '=', email)
    .executeTakeFirstOrThrow();
  const at = testApp.now();
  await testApp.owner.updateTable('auth.person').set({ authenticatorAt: at }).where('id', '=', personId).execute();
  await expect(connect(desk)).rejects.toThrow('not_signed_in');
});
