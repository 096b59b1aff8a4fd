import { afterAll, describe, expect, test } from 'vitest';
import { openHouse } from '#testing/house.ts';
import { isOwnOrigin } from './browser-rules.ts';

const house = await openHouse({ env: { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://front.maple.example' } });
afterAll(() => house.close());

const as = { authorization: `Bearer ${house.maple.token}` };
const move = (headers: Record<string, string>) =>
  house.app.inject({
    method: 'POST',
    url: '/api/virtual-queue/',
    headers: { ...as, host: 'localhost:3000', ...headers },
    payload: { id: '019f2222-2222-7222-8222-222222222222', action: 'INVITED' },
  });

describe('an unsafe call', () => {
  test.each<Record<string, string>>([
    {},
    { origin: 'http://localhost:3000' },
    { origin: 'https://front.maple.example' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])('from a page of ours, or from no page at all (%j), is carried out', async (headers) => {
    expect((await move(headers)).statusCode).toBe(404);
  });

  test.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://localhost:3001' },
    { origin: 'https://front.maple.example.evil.example' },
    { origin: 'https://evil.example/https://front.maple.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('from another site (%j) is not', async (headers) => {
    const answer = await move(headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'wrong_origin' });
  });

  test('from another site is refused on every route that changes something', async () => {
    const unsafe = house.routes.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
    expect(unsafe.length).toBeGreaterThan(10);
    for (const { method, url } of unsafe) {
      const answer = await house.app.inject({
        method: method as 'POST',
        url: url.replace(/:\w+/g, 'x'),
        headers: { ...as, origin: 'https://evil.example' },
        payload: {},
      });
      expect(answer.statusCode, `${method} ${url}`).toBe(403);
    }
  });
});

test('every answer, good or bad, carries the headers that keep scripts, frames and caches out', async () => {
  const answers = await Promise.all([
    house.app.inject('/healthz'),
    house.app.inject('/'),
    house.app.inject('/api/session'),
    house.app.inject('/api/nothing'),
    house.app.inject('/api/users/%zz'),
    house.app.inject('/c/2100000001'),
    house.app.inject({ url: '/api/virtual-queue/doctor', headers: as }),
    move({ origin: 'https://evil.example' }),
  ]);
  for (const { headers, raw } of answers) {
    const policy = String(headers['content-security-policy']);
    expect(policy, raw.req.url).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toMatch(/connect-src 'self'(;|$)/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-(inline|eval)|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['strict-transport-security']).toBeUndefined();
  }
});

test('over https it asks browsers to come by https only', async () => {
  const { headers } = await house.app.inject({ url: '/api/session', headers: { 'x-forwarded-proto': 'https' } });
  expect(headers['strict-transport-security']).toContain('max-age=31536000');
});

test.each([
  ['https://front.maple.example', 'front.maple.example', true],
  ['http://127.0.0.1:3000', '127.0.0.1:3000', true],
  ['https://front.maple.example:444', 'front.maple.example', false],
  ['javascript:alert(1)', 'front.maple.example', false],
  ['', '', false],
])('%j asked under %j is ours: %j', (origin, host, ours) => {
  expect(isOwnOrigin(origin, host, 'https://front.maple.example')).toBe(ours);
});
