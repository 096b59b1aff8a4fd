import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#testing/app/test-app.ts';
import { rateLimitKey } from './kit/http/rate-limits.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

/** Statuses of `count` requests, each from another address in one /64. */
async function fromOneNetwork(count: number, request: { method: 'GET' | 'POST'; url: string; payload?: object }) {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) {
    const remoteAddress = `2001:db8:1:2::${(i + 1).toString(16)}`;
    statuses.push((await testApp.app.inject({ ...request, remoteAddress })).statusCode);
  }
  return statuses;
}

const arrival = {
  firstName: 'Ada',
  lastName: 'Byron',
  birthDate: '1990-12-10',
  household: [],
  language: 'en',
};

test('the check-in limit counts the /64 of an address, not the address', async () => {
  const url = `/api/checkin/${testApp.maple.npi}`;
  const payload = { ...arrival, phone: '+12125550199' };
  const taken = { name: 'checkin-network', points: 240, seconds: 3600 };
  for (let i = 0; i < 238; i++) await testApp.services.limits.take(taken, `${testApp.maple.id} 2001:db8:1:2`);
  expect(await fromOneNetwork(3, { method: 'POST', url, payload })).toEqual([200, 200, 429]);
});

test('the shared link limit counts the /64 of an address, not the address', async () => {
  const taken = { name: 'share-opens', points: 300, seconds: 3600 };
  for (let i = 0; i < 299; i++) await testApp.services.limits.take(taken, '2001:db8:1:2');
  const statuses = await fromOneNetwork(2, { method: 'GET', url: `/api/forms/shared-forms?token=${'A'.repeat(32)}` });
  expect(statuses).toEqual([404, 429]);
});

test('the networks of one /48 share a limit 32 times as wide, and another /48 is not counted', async () => {
  const limit = { name: 'site-test', points: 1, seconds: 3600 };
  const take = (network: string) => testApp.services.limits.takeForNetwork(limit, network).then(() => 'taken', (error: Error) => error.message); // prettier-ignore
  const networks = Array.from({ length: 40 }, (_, i) => `2001:db8:7:${i.toString(16)}`);
  // A network that was refused takes nothing from the others of its /48.
  for (let i = 0; i < 40; i++) await take('2001:db8:7:0');
  const taken = await Promise.all(networks.slice(1).map(take));
  expect(taken.filter((outcome) => outcome === 'taken')).toHaveLength(31);
  expect(await take('2001:db8:8:0')).toBe('taken');
  expect(await take('198.51.100.1')).toBe('taken');
});

test('a stranger with a /48 cannot check in without end', async () => {
  const taken = { name: 'checkin-network-site', points: 240 * 32, seconds: 3600 };
  const key = rateLimitKey(taken, `${testApp.maple.id} 2001:db8:9/48`);
  await testApp.services.pool.query('insert into rate_limit (key, points, expire) values ($1, $2, $3)', [
    key,
    taken.points,
    Date.now() + 3_600_000,
  ]);
  const url = `/api/checkin/${testApp.maple.npi}`;
  const payload = { ...arrival, phone: '+12125550177' };
  const checkIn = (remoteAddress: string) => testApp.app.inject({ method: 'POST', url, payload, remoteAddress });
  expect((await checkIn('2001:db8:9:1::1')).statusCode).toBe(429);
  expect((await checkIn('2001:db8:a:1::1')).statusCode).toBe(200);
});

/** A file with a rate limit that reads the full address for something else: the log of a shared link. */
const readsTheAddress = ['server/features/sharing/open-shared-form.ts'];

test('no rate limit in the source is keyed by a full address', async () => {
  for await (const file of glob('server/**/*.ts')) {
    if (file.endsWith('.test.ts')) continue;
    const source = readFileSync(file, 'utf8').replaceAll(/networkOfAddress\([\w.]+\)/g, 'NETWORK');
    const calls = limitCalls(source);
    for (const call of calls) expect(call, file).not.toMatch(/address\b|\bip\b/i);
    if (calls.length > 0 && !readsTheAddress.includes(file))
      expect(source, file).not.toMatch(/http\.address|req\.ip\b/);
  }
});

/** The argument lists of every `limits.take…(…)` and `takeInTransaction(…)`. */
function limitCalls(source: string): string[] {
  return [...source.matchAll(/(?:limits\.take(?:Each|ForNetwork)?|\btakeInTransaction)\(/g)].map(
    ({ index, 0: start }) => {
      let depth = 1;
      let end = index + start.length;
      while (depth > 0 && end < source.length) {
        if (source[end] === '(') depth++;
        if (source[end] === ')') depth--;
        end++;
      }
      return source.slice(index + start.length, end);
    },
  );
}
