import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import cookie from '@fastify/cookie';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLiveClient } from '#testing/app/live-client.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { bareApp } from './app.ts';
import { patientBoot } from './features/patient/page-boot.ts';
import { hashToken } from './kit/crypto/secret.ts';
import { pageRoutes } from './pages.ts';

let testApp: TestApp;
let address: string;
beforeAll(async () => {
  testApp = await openTestApp({ paced: true });
  address = await testApp.listen();
});
afterAll(() => testApp.close());

let networks = 0;
const newNetwork = () => `10.2.0.${++networks}`;
const madeUpToken = () => randomBytes(36).toString('base64url');
const get = (url: string, remoteAddress: string) => testApp.app.inject({ url, remoteAddress });
const statusesOf = (answers: { statusCode: number }[]) =>
  [...new Set(answers.map(({ statusCode }) => statusCode))].sort();
const refusedOf = <A extends { statusCode: number }>(answers: A[]) =>
  answers.filter(({ statusCode }) => statusCode === 429);

test('a network with made-up links is refused without a database round trip, and another network is not', async () => {
  const network = newNetwork();
  let trips = 0;
  const count = () => (trips += 1);
  testApp.services.pool.on('acquire', count);
  // A path that cannot be a token is refused before the look-up, so any round trip here comes from the pace.
  const answers = await Promise.all(Array.from({ length: 600 }, (_, i) => get(`/api/visit/${i}`, network)));
  testApp.services.pool.off('acquire', count);
  expect(trips).toBe(0);
  expect(statusesOf(answers)).toEqual([400, 429]);
  // 60 at once and 60 a second for five seconds.
  expect(refusedOf(answers).length).toBeGreaterThan(150);
  expect((await get(`/api/checkin/${testApp.maple.npi}`, newNetwork())).statusCode).toBe(200);
});

test('live connections with made-up links are paced by network; a phone that was let in a moment ago is not held up', async () => {
  const { token } = await testApp.visit();
  await get(`/api/visit/${token}`, newNetwork());
  let refused = 0;
  const began = performance.now();
  const until = began + 2_000;
  const flood = Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() < until) {
        const error = await openLiveClient(address, { visit: madeUpToken() }).catch((reason: Error) => reason);
        if ((error as Error).message === 'not_signed_in') refused += 1;
      }
    }),
  );
  await sleep(1_500);
  const from = performance.now();
  const phone = await openLiveClient(address, { visit: token });
  const tookMs = performance.now() - from;
  phone.close();
  await flood;
  const seconds = (performance.now() - began) / 1_000;
  // 60 at once and 60 a second, and what was under way at the end.
  expect(refused).toBeLessThan(60 + seconds * 60 + 16);
  expect(tookMs).toBeLessThan(1_000);
});

// Each of these waits five seconds for its own networks, so they run concurrently.
test.concurrent('a visit that is read too often is refused from any network, and another visit is not', async () => {
  const [one, other] = [await testApp.visit(), await testApp.visit()];
  const [here, elsewhere] = [newNetwork(), newNetwork()];
  const url = `/api/visit/${one.token}`;
  const flood = Promise.all(
    Array.from({ length: 150 }, (_, i) => get(i % 3 ? url : `${url}/forms`, i % 2 ? here : elsewhere)),
  );
  expect((await get(`/api/visit/${other.token}`, here)).statusCode).toBe(200);
  const answers = await flood;
  expect(statusesOf(answers)).toEqual([200, 429]);
  const refused = refusedOf(answers);
  // 30 at once and 4 a second for five seconds.
  expect(refused.length).toBeGreaterThan(80);
  expect(refused[0]?.json()).toMatchObject({ code: 'too_many_tries' });
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
});

test.concurrent('200 phones of one waiting room that poll at once are all answered', async () => {
  const network = newNetwork();
  const visits = await Promise.all(Array.from({ length: 8 }, () => testApp.visit()));
  const looks = Array.from({ length: 200 }, (_, i) => get(`/api/visit/${visits[i % 8]?.token}`, network));
  expect(statusesOf(await Promise.all(looks))).toEqual([200]);
});

test.concurrent('a phone and a panel that were let in a moment ago do not wait for strangers of their network', async () => {
  const network = newNetwork();
  const [{ token }, newcomer] = [await testApp.visit(), await testApp.visit()];
  const headers = { cookie: `__Host-anteroom=${testApp.maple.token}` };
  const look = () => get(`/api/visit/${token}`, network);
  const askSession = () => testApp.app.inject({ url: '/api/session', remoteAddress: network, headers });
  expect(statusesOf([await look(), await askSession()])).toEqual([200]);
  const flood = Promise.all(Array.from({ length: 600 }, () => get(`/api/visit/${madeUpToken()}`, network)));
  // A phone that the server does not know yet is one of the strangers.
  expect((await get(`/api/visit/${newcomer.token}`, network)).statusCode).toBe(429);
  const answers = [];
  for (let i = 0; i < 5; i++) answers.push(await look(), await askSession());
  expect(statusesOf(answers)).toEqual([200]);
  expect(refusedOf(await flood).length).toBeGreaterThan(150);
});

test.concurrent.each([
  ['a check-in page', () => `/api/checkin/${testApp.maple.npi}`],
  ['the public settings', () => '/api/config/public'],
  ['an invitation', () => `/api/invitations/${'A'.repeat(32)}`],
  ['the session', () => '/api/session'],
])('%s is paced for visitors who are not signed in', async (_what, url) => {
  const network = newNetwork();
  const answers = await Promise.all(Array.from({ length: 600 }, () => get(url(), network)));
  expect(refusedOf(answers).length).toBeGreaterThan(0);
});

test.concurrent('the page for a network over the limit embeds nothing and retries by itself', async () => {
  const root = await mkdtemp(join(tmpdir(), 'anteroom-pace-'));
  for (const name of ['panel', 'patient']) await writeFile(join(root, `${name}.html`), `${name} <!--boot--> page`);
  await writeFile(join(root, 'sw.js'), '');
  const app = bareApp(testApp.services.env);
  await app.register(cookie);
  app.decorate('services', testApp.services);
  pageRoutes(
    app,
    { panel: async () => null, patient: (req, reply) => patientBoot(testApp.services, req, reply) },
    root,
  );
  const network = newNetwork();
  const open = (remoteAddress: string) => app.inject({ url: `/c/${testApp.maple.npi}`, remoteAddress });
  const answers = await Promise.all(Array.from({ length: 600 }, () => open(network)));
  const [refused] = refusedOf(answers);
  expect(refused?.headers).toMatchObject({ 'retry-after': expect.any(String), 'content-type': /html/ });
  expect(refused?.body).toBe('patient  page');
  expect((await open(newNetwork())).body).toContain('"officeName"');
  await app.close();
  await rm(root, { recursive: true });
});

test.concurrent('long bodies from one network to a public endpoint are spread over time, and another network is not held up', async () => {
  const body = JSON.stringify({ email: 'x'.repeat(59_000) });
  const send = (payload: string, remoteAddress: string) =>
    testApp.app.inject({
      method: 'POST',
      url: '/api/sign-in/code',
      headers: { 'content-type': 'application/json' },
      payload,
      remoteAddress,
    });
  const here = newNetwork();
  const from = performance.now();
  const flood = Promise.all(Array.from({ length: 20 }, () => send(body, here)));
  await send('{}', newNetwork());
  const elsewhereMs = performance.now() - from;
  const statuses = (await flood).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([400]));
  // 1.2 MB: half a megabyte at once, then 250 kB a second.
  expect(performance.now() - from).toBeGreaterThan(1_500);
  expect(elsewhereMs).toBeLessThan(1_000);
});

const askAsStaff = (token: string, url: string, remoteAddress: string) =>
  testApp.app.inject({ url, remoteAddress, headers: { cookie: `__Host-anteroom=${token}` } });

test.each([
  ['a staff call', '/api/office/confirmation'],
  ['the queue', '/api/virtual-queue/doctor'],
])('%s is refused to a network that sent many made-up sessions, and not to another network', async (_what, url) => {
  const network = newNetwork();
  await Promise.all(Array.from({ length: 200 }, () => askAsStaff(madeUpToken(), url, network)));
  const answers = await Promise.all(Array.from({ length: 100 }, () => askAsStaff(madeUpToken(), url, network)));
  expect(statusesOf(answers)).toEqual([429]);
  expect(Number(answers[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await askAsStaff(madeUpToken(), url, newNetwork())).statusCode).toBe(401);
});

test('a panel whose session is known does not wait for made-up sessions of its network', async () => {
  const network = newNetwork();
  const url = '/api/office/confirmation';
  expect((await askAsStaff(testApp.maple.token, url, network)).statusCode).toBe(200);
  await Promise.all(Array.from({ length: 200 }, () => askAsStaff(madeUpToken(), url, network)));
  const from = performance.now();
  expect((await askAsStaff(testApp.maple.token, url, network)).statusCode).toBe(200);
  expect((await askAsStaff(testApp.maple.token, '/api/virtual-queue/doctor', network)).statusCode).toBe(200);
  expect(performance.now() - from).toBeLessThan(1_000);
});

test('a panel that a server process has not seen does not wait for made-up sessions of its network', async () => {
  // As after a restart: this process has issued none of these tokens.
  const process = await openTestApp({
    beside: testApp,
    paced: true,
    env: { SESSION_SECRET: testApp.env.secrets.session },
  });
  const network = newNetwork();
  const ask = (token: string, url: string, more: object = {}) =>
    process.app.inject({ url, remoteAddress: network, headers: { cookie: `__Host-anteroom=${token}` }, ...more });
  await Promise.all(Array.from({ length: 300 }, () => ask(madeUpToken(), '/api/office/confirmation')));
  const visits = Promise.all(Array.from({ length: 600 }, () => ask(madeUpToken(), `/api/visit/${madeUpToken()}`)));
  const from = performance.now();
  const { token } = testApp.other;
  const answers = [
    await ask(token, '/api/session'),
    await ask(token, '/api/office/confirmation'),
    await ask(token, '/api/virtual-queue/doctor'),
  ];
  expect(statusesOf(answers)).toEqual([200]);
  // A browser whose session ended can sign in again.
  const ended = await testApp.signIn(testApp.other.personId);
  await endSession(ended);
  const payload = { email: `again-${randomUUID()}@maple.test` };
  expect((await ask(ended, '/api/sign-in/code', { method: 'POST', payload })).statusCode).toBe(200);
  expect(performance.now() - from).toBeLessThan(2_000);
  await visits;
  await process.close();
});

const endSession = (token: string) =>
  testApp.owner
    .updateTable('auth.session')
    .set({ endedAt: testApp.now() })
    .where('tokenHash', '=', hashToken(token))
    .execute();

test('the token of a session that ended is refused after many requests, from any network', async () => {
  const network = newNetwork();
  const token = await testApp.signIn(testApp.other.personId);
  const url = '/api/office/confirmation';
  expect((await askAsStaff(token, url, network)).statusCode).toBe(200);
  await endSession(token);
  const answers = await Promise.all(Array.from({ length: 200 }, () => askAsStaff(token, url, network)));
  expect(statusesOf(answers)).toEqual([401]);
  expect((await askAsStaff(token, url, newNetwork())).statusCode).toBe(429);
  expect((await askAsStaff(testApp.maple.token, url, network)).statusCode).toBe(200);
});

test('live connections with made-up sessions are paced', async () => {
  const errors = new Map<string, number>();
  const until = performance.now() + 2_000;
  const flood = Array.from({ length: 16 }, async () => {
    while (performance.now() < until) {
      const error = await openLiveClient(address, { token: madeUpToken() }).catch((reason: Error) => reason);
      const { message } = error as Error;
      errors.set(message, (errors.get(message) ?? 0) + 1);
    }
  });
  await Promise.all(flood);
  // 100 at once, 10 a second until the last one was answered, and what was under way.
  expect(errors.get('not_signed_in')).toBeLessThan(100 + 10 * 10 + 16);
});
