import { get, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patient, queue, team } from '#contract/index.ts';
import type { Hint } from '#server/kit/live/hint.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { openLiveClient, type LiveClient } from '#testing/app/live-client.ts';

const testApp = await openTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
let second: TestApp;
let addresses: [string, string];
const screens: LiveClient[] = [];
beforeAll(async () => {
  second = await openTestApp({ beside: testApp, env: { TRUST_PROXY: '127.0.0.1' } });
  addresses = [await testApp.listen(), await second.listen()];
});
afterAll(async () => {
  for (const screen of screens) screen.close();
  await second.close();
  await testApp.close();
});

/** A connected screen and the hints it received. */
async function screen(subscription: object, { at = addresses[0], headers = {} as Record<string, string> } = {}) {
  const client = await openLiveClient(at, subscription, headers);
  screens.push(client);
  return client;
}
const panel = (of = testApp.maple, at = addresses[0]) => screen({ token: of.token, office: of.id }, { at });
/** Hints keep their order: once every screen has this last one, no earlier one is still on its way. */
async function forgetAll(screens: LiveClient[], ...rooms: Hint[]) {
  for (const room of rooms) await testApp.inOffice(testApp.maple, (tx) => sendHint(tx, { ...room, type: 'last' }));
  for (const { hints } of screens) {
    await expect.poll(() => hints.some(({ type }) => type === 'last')).toBe(true);
    hints.length = 0;
  }
}
const phone = (token: string, at = addresses[0]) => screen({ visit: token }, { at });

describe('a move', () => {
  test('a move sends a hint to every panel of the office and the visit’s phone, in both processes, and to nobody else', async () => {
    const visit = await testApp.visit();
    const neighbour = await testApp.visit();
    const foreign = await testApp.visit({ office: testApp.other });
    const hears = [await panel(), await panel(testApp.maple, addresses[1]), await phone(visit.token, addresses[1])];
    const deaf = [await panel(testApp.other), await panel(testApp.other, addresses[1]), await phone(foreign.token)];
    const other = await phone(neighbour.token);
    const [maple, harbor] = [{ office: testApp.maple.id }, { office: testApp.other.id }];
    const rooms = [visit, neighbour, foreign].map(({ id }) => ({ visit: id, type: '' }));
    await forgetAll([...hears, ...deaf, other], { ...maple, type: '' }, { ...harbor, type: '' }, ...rooms);

    await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } });
    for (const { hints } of hears) await expect.poll(() => hints.some(({ type }) => type === 'checkin')).toBe(true);
    await testApp.call(queue.messagePatient, { params: { userCode: visit.patientUserCode }, body: { body: 'Room 2' } });
    for (const { hints } of hears) await expect.poll(() => hints.some(({ type }) => type === 'message')).toBe(true);
    for (const { hints } of deaf) expect(hints).toEqual([]);
    // Others in line learn that the queue moved, not whose visit it was.
    expect(other.hints.every((hint) => hint.type === 'line' && hint.visit === undefined)).toBe(true);
  });

  test('a hint of a move contains type and ids, nothing about the patient', async () => {
    const listening = await panel();
    const visit = await testApp.visit({ firstName: 'CANARY', lastName: 'Unheard' });
    await testApp.call(
      patient.movePatientVisit,
      { params: { token: visit.token }, body: { action: 'cancel' } },
      { as: null },
    );
    await expect.poll(() => listening.hints.length).toBeGreaterThan(1);
    for (const hint of listening.hints)
      expect(Object.keys(hint).filter((key) => !['type', 'visit', 'arrived'].includes(key))).toEqual([]);
    expect(JSON.stringify(listening.hints)).not.toContain('CANARY');
  });

  test('a refused or rolled back move sends no hint', async () => {
    const visit = await testApp.visit({ moves: ['invite'] });
    const listening = await panel();
    await forgetAll([listening], { office: testApp.maple.id, type: '' });
    await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } });
    await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'REINVITED' } });
    await expect.poll(() => listening.hints.filter(({ type }) => type === 'checkin').length).toBe(1);
  });
});

describe('nobody else gets in', () => {
  test.each<[string, () => object]>([
    ['nobody', () => ({})],
    ['a made-up token', () => ({ token: 'A'.repeat(32), office: testApp.maple.id })],
    ['a made-up link', () => ({ visit: 'A'.repeat(32) })],
    ['another office’s person', () => ({ token: testApp.other.token, office: testApp.maple.id })],
    ['a visit’s id instead of its token', () => ({ visit: testApp.maple.id })],
    ['no text at all', () => ({ token: { $gt: '' }, office: ['x'], visit: 7 })],
  ])('a connection with %s is refused', async (_who, auth) => {
    await expect(screen(auth())).rejects.toThrow('not_signed_in');
  });

  test('an office without a signed agreement receives no hints', async () => {
    const unsigned = await testApp.office({ signed: false });
    await expect(panel(unsigned)).rejects.toThrow('not_signed_in');
  });

  test('an expired link receives no hints', async () => {
    const visit = await testApp.visit();
    testApp.later(3 * 24 * 60);
    await expect(phone(visit.token)).rejects.toThrow('not_signed_in');
    testApp.later(-3 * 24 * 60);
  });

  test('a page of another site cannot connect', async () => {
    const auth = { token: testApp.maple.token, office: testApp.maple.id };
    await expect(screen(auth, { headers: { origin: 'https://evil.example' } })).rejects.toThrow('403');
    await expect(screen(auth, { headers: { origin: addresses[0] } })).resolves.toBeDefined();
  });
});

describe('sockets that do not say who they are', () => {
  /** Opens a WebSocket from an address without subscribing; null if the server refuses it. */
  const openSilent = (address: string) =>
    new Promise<Duplex | null>((done, fail) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'x-forwarded-for': address,
      };
      get(`${addresses[0]}/api/live`, { headers, agent: false })
        .on('upgrade', (_answer: IncomingMessage, socket: Duplex) => done(socket.on('error', () => undefined).resume()))
        .on('response', (answer) => done((answer.resume(), null)))
        .on('error', fail);
    });

  test(
    'silent sockets are capped at 100 per network, closed after 10 s, and no longer count once signed in or gone',
    { timeout: 30_000 },
    async () => {
      // 110 signed-in panels of one network are no problem. One desk after the other, so that never 100 of them are silent at once.
      const desks: LiveClient[] = [];
      for (let desk = 0; desk < 11; desk++) {
        const token = await testApp.signIn(testApp.maple.personId);
        desks.push(...(await Promise.all(Array.from({ length: 10 }, () => panel({ ...testApp.maple, token })))));
      }
      expect(desks.filter(({ isOpen }) => isOpen)).toHaveLength(110);
      const attacker = (i: number) => `2001:db8:7:7::${i.toString(16)}`;
      const opened = await Promise.all(Array.from({ length: 130 }, (_, i) => openSilent(attacker(i))));
      const open = opened.filter((socket) => socket !== null);
      expect(open).toHaveLength(100);
      const closed = open.map((socket) => new Promise<number>((done) => socket.once('close', () => done(Date.now()))));
      const began = Date.now();
      // Another network is not affected.
      expect(await openSilent('2001:db8:8:8::1')).not.toBeNull();
      expect((await panel()).isOpen).toBe(true);
      open[0]?.destroy();
      await expect.poll(async () => (await openSilent(attacker(200))) !== null).toBe(true);
      expect(await openSilent(attacker(201))).toBeNull();
      // The desk in the same network comes in with its cookie, and nobody with a made-up one.
      const withCookie = (session: string) =>
        screen(
          { office: testApp.maple.id },
          { headers: { cookie: `anteroom=${session}`, 'x-forwarded-for': attacker(300) } },
        );
      await expect(withCookie('A'.repeat(32))).rejects.toThrow('429');
      expect((await withCookie(testApp.maple.token)).isOpen).toBe(true);
      const times = await Promise.all(closed.slice(1));
      expect(Math.max(...times) - began).toBeLessThan(12_000);
      expect(Math.min(...times) - began).toBeGreaterThan(7_000);
      expect(await openSilent(attacker(202))).not.toBeNull();
    },
  );

  test('silent sockets do not lock out a signed-in panel of their network; a made-up cookie does not help them', async () => {
    const network = '198.51.100.7';
    const opened = await Promise.all(Array.from({ length: 100 }, () => openSilent(network)));
    expect(opened).not.toContain(null);
    const connect = (token: string, office = testApp.maple.id) =>
      screen({ office }, { headers: { 'x-forwarded-for': network, cookie: `anteroom=${token}` } });
    const panels = await Promise.all([connect(testApp.maple.token), connect(testApp.maple.token)]);
    expect(panels.map(({ isOpen }) => isOpen)).toEqual([true, true]);
    await expect(connect('A'.repeat(32))).rejects.toThrow('429');
    // Another office's person gets past the cap, and no further.
    await expect(connect(testApp.other.token)).rejects.toThrow('not_signed_in');
    for (const socket of opened) socket?.destroy();
  });
});

describe('a connection too many', () => {
  const closeCodeOf = ({ socket }: LiveClient) => new Promise<number>((done) => socket.once('close', done));
  /** Connects repeatedly, in groups, because a network may have only 100 sockets without a subscription. */
  const connectAll = async (subscriptions: object[], headers: Record<string, string> = {}) => {
    const clients: LiveClient[] = [];
    for (let i = 0; i < subscriptions.length; i += 50)
      clients.push(
        ...(await Promise.all(subscriptions.slice(i, i + 50).map((subscription) => screen(subscription, { headers })))),
      );
    return clients;
  };
  const openOf = (clients: LiveClient[]) => clients.filter(({ isOpen }) => isOpen).length;

  test("a connection over a visit's limit closes the visit’s oldest, which may retry; those of other visits stay open", async () => {
    const [visit, other] = [await testApp.visit(), await testApp.visit()];
    const first = await phone(visit.token);
    const otherPhone = await phone(other.token);
    const closed = closeCodeOf(first);
    const phones = await connectAll(Array<object>(20).fill({ visit: visit.token }));
    expect(await closed).toBe(1013);
    expect(openOf(phones)).toBe(20);
    expect(otherPhone.isOpen).toBe(true);
    await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } });
    for (const { hints } of phones) await expect.poll(() => hints.some(({ type }) => type === 'checkin')).toBe(true);
    expect((await phone(visit.token)).isOpen).toBe(true);
    await expect.poll(() => openOf(phones)).toBe(19);
  });

  test("a connection over a session's limit closes the session’s oldest; a colleague’s stay open", async () => {
    const { maple } = testApp;
    const personId = await testApp.addStaff({ name: 'Nora', email: 'nora-many-tabs@maple.test' }, [maple]);
    const [token, otherToken] = [await testApp.signIn(personId), await testApp.signIn(personId)];
    const first = await panel({ ...maple, token });
    const others = [await panel(), await panel({ ...maple, token: otherToken })];
    const closed = closeCodeOf(first);
    const panels = await connectAll(Array<object>(50).fill({ token, office: maple.id }));
    expect(await closed).toBe(1013);
    expect(openOf(panels)).toBe(50);
    expect(openOf(others)).toBe(2);
  });

  test(
    "a phone over a network's limit closes the network's oldest phone; panels and other networks keep theirs",
    { timeout: 60_000 },
    async () => {
      const headers = { 'x-forwarded-for': '198.51.100.20' };
      const visits = await Promise.all(Array.from({ length: 50 }, () => testApp.visit()));
      const tokens = Array.from({ length: 1_000 }, (_, i) => ({ visit: visits[i % 50]?.token }));
      const desk = await screen({ token: testApp.maple.token, office: testApp.maple.id }, { headers });
      const elsewhere = await phone((await testApp.visit()).token);
      const phones = await connectAll(tokens, headers);
      expect(openOf(phones)).toBe(1_000);
      const honest = await testApp.visit();
      const honestPhones = await connectAll(Array<object>(3).fill({ visit: honest.token }), headers);
      // The first 50 connected at once, in any order.
      await expect.poll(() => openOf(phones.slice(0, 50))).toBe(47);
      expect(openOf([...phones.slice(50), ...honestPhones])).toBe(953);
      expect([desk.isOpen, elsewhere.isOpen]).toEqual([true, true]);
      for (const { socket } of phones) socket.terminate();
    },
  );
});

test('a removed member gets no more hints of that office in any process; their other practice and colleagues still do', async () => {
  const { maple, other } = testApp;
  const personId = await testApp.addStaff({ name: 'Luis', email: 'luis-taken-off@maple.test' }, [maple, other]);
  const token = await testApp.signIn(personId);
  const luis = { ...maple, token, personId };
  const off = [await panel(luis), await panel(luis, addresses[1])];
  const stay = [await panel(), await panel({ ...other, token, personId }, addresses[1])];
  await testApp.call(team.removeColleague, { params: { personId } });
  expect(await Promise.all(off.map(({ closed }) => closed))).toEqual(['not_signed_in', 'not_signed_in']);
  await testApp.visit();
  await expect.poll(() => stay[0]?.hints.some(({ type }) => type === 'checkin')).toBe(true);
  for (const { hints } of off) expect(hints.filter(({ type }) => type === 'checkin')).toEqual([]);
  for (const { isOpen } of stay) expect(isOpen).toBe(true);
  await expect(panel(luis)).rejects.toThrow('not_signed_in');
});

test('when the database’s connection is cut, the process listens again and tells every screen to refetch', async () => {
  const visit = await testApp.visit();
  const screens = [await panel(), await phone(visit.token)];
  for (const { hints } of screens) hints.length = 0;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(testApp.owner);
  await expect.poll(() => testApp.services.live.listening, { timeout: 5_000 }).toBe(true);
  for (const { hints } of screens)
    await expect.poll(() => hints.some(({ type }) => type === 'refetch'), { timeout: 5_000 }).toBe(true);
  await expect.poll(async () => (await testApp.app.inject('/readyz')).statusCode).toBe(200);
  await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } });
  for (const { hints } of screens) await expect.poll(() => hints.some(({ type }) => type === 'checkin')).toBe(true);
});
