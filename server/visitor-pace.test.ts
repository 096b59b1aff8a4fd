import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { bareApp } from './app.ts';
import { patientBoot } from './features/patient/page-boot.ts';
import { pages } from './kit/http/pages.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await openTestApp({ paced: true });
});
afterAll(() => testApp.close());

let networks = 0;
const newNetwork = () => `10.2.0.${++networks}`;
const get = (url: string, remoteAddress: string) => testApp.app.inject({ url, remoteAddress });
const statusesOf = (answers: { statusCode: number }[]) =>
  [...new Set(answers.map(({ statusCode }) => statusCode))].sort();
const refusedOf = <A extends { statusCode: number }>(answers: A[]) =>
  answers.filter(({ statusCode }) => statusCode === 429);

test('a visit that is read too often is refused from any network, and another visit is not', async () => {
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
  // 60 at once and 4 a second for five seconds.
  expect(refused.length).toBeGreaterThan(50);
  expect(refused[0]?.json()).toMatchObject({ code: 'too_many_tries' });
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
});

test('a network that asks with made-up links is refused without a database trip, and another network is not', async () => {
  const network = newNetwork();
  let trips = 0;
  const count = () => (trips += 1);
  testApp.services.pool.on('acquire', count);
  // An address that cannot be a token is refused before it is looked up, so any trip here is one of the pace.
  const answers = await Promise.all(Array.from({ length: 600 }, (_, i) => get(`/api/visit/${i}`, network)));
  testApp.services.pool.off('acquire', count);
  expect(trips).toBe(0);
  expect(statusesOf(answers)).toEqual([400, 429]);
  // 60 at once and 60 a second for five seconds.
  expect(refusedOf(answers).length).toBeGreaterThan(150);
  expect((await get(`/api/checkin/${testApp.maple.npi}`, newNetwork())).statusCode).toBe(200);
});

test('200 phones of one waiting room that all look at once are all answered', async () => {
  const network = newNetwork();
  const visits = await Promise.all(Array.from({ length: 4 }, () => testApp.visit()));
  const looks = Array.from({ length: 200 }, (_, i) => get(`/api/visit/${visits[i % 4]?.token}`, network));
  expect(statusesOf(await Promise.all(looks))).toEqual([200]);
});

test.each([
  ['a check-in page', () => `/api/checkin/${testApp.maple.npi}`],
  ['the public settings', () => '/api/config/public'],
  ['an invitation', () => `/api/invitations/${'A'.repeat(32)}`],
  ['the session', () => '/api/session'],
])('%s is paced for whoever is not signed in', async (_what, url) => {
  const network = newNetwork();
  const answers = await Promise.all(Array.from({ length: 600 }, () => get(url(), network)));
  expect(refusedOf(answers).length).toBeGreaterThan(0);
});

test('the page of a network that asks too often carries nothing and asks again by itself', async () => {
  const root = await mkdtemp(join(tmpdir(), 'anteroom-pace-'));
  for (const name of ['panel', 'patient']) await writeFile(join(root, `${name}.html`), `${name} <!--boot--> page`);
  await writeFile(join(root, 'sw.js'), '');
  const app = bareApp(testApp.services.env);
  await app.register(cookie);
  app.decorate('services', testApp.services);
  pages(app, { panel: async () => null, patient: (req, reply) => patientBoot(testApp.services, req, reply) }, root);
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
