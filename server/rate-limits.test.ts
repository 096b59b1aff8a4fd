import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#testing/app/test-app.ts';

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

test('the check-in limit counts the /64 of an address, not the address', async () => {
  const url = `/api/checkin/${testApp.maple.npi}`;
  const payload = {
    firstName: 'Ada',
    lastName: 'Byron',
    birthDate: '1990-12-10',
    phone: '+12125550199',
    household: [],
    language: 'en',
  };
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

/** The argument lists of every `limits.take(…)`, `limits.takeEach(…)` and `takeInTransaction(…)`. */
function limitCalls(source: string): string[] {
  return [...source.matchAll(/(?:limits\.take(?:Each)?|\btakeInTransaction)\(/g)].map(({ index, 0: start }) => {
    let depth = 1;
    let end = index + start.length;
    while (depth > 0 && end < source.length) {
      if (source[end] === '(') depth++;
      if (source[end] === ')') depth--;
      end++;
    }
    return source.slice(index + start.length, end);
  });
}
