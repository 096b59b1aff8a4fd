import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildOperatorApp } from '#server/app.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { isOwnOrigin } from './browser-rules.ts';

const testApp = await openTestApp({ env: { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://front.maple.example' } });
afterAll(() => testApp.close());

const as = { authorization: `Bearer ${testApp.maple.token}` };
const move = (headers: Record<string, string>) =>
  testApp.app.inject({
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
  ])('an unsafe call from our own page, or without a page (%j), is carried out', async (headers) => {
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
  ])('an unsafe call from another site (%j) is refused', async (headers) => {
    const answer = await move(headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'wrong_origin' });
  });

  test('every changing route refuses a call from another site', async () => {
    const unsafe = testApp.routes.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
    expect(unsafe.length).toBeGreaterThan(10);
    for (const { method, url } of unsafe) {
      const answer = await testApp.app.inject({
        method: method as 'POST',
        url: url.replace(/:(card|esign)\b/g, 'local').replace(/:\w+/g, 'x'),
        headers: { ...as, origin: 'https://evil.example' },
        payload: {},
      });
      expect(answer.statusCode, `${method} ${url}`).toBe(403);
    }
  });
});

test('every answer has the headers against foreign scripts, frames and caches', async () => {
  const answers = await Promise.all([
    testApp.app.inject('/healthz'),
    testApp.app.inject('/'),
    testApp.app.inject('/api/session'),
    testApp.app.inject('/api/nothing'),
    testApp.app.inject('/api/users/%zz'),
    testApp.app.inject('/c/2100000001'),
    testApp.app.inject({ url: '/api/virtual-queue/doctor', headers: as }),
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

test('over https the answer tells browsers to use https only', async () => {
  const { headers } = await testApp.app.inject({ url: '/api/session', headers: { 'x-forwarded-proto': 'https' } });
  expect(headers['strict-transport-security']).toContain('max-age=31536000');
});

test.each([
  ['https://front.maple.example', 'https://front.maple.example', true, true],
  ['https://front.maple.example', 'http://10.0.0.7:3000', true, true],
  ['http://front.maple.example', 'http://front.maple.example', true, false],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', true, false],
  ['https://127.0.0.1:3000', 'http://127.0.0.1:3000', false, false],
  ['https://front.maple.example:444', 'https://front.maple.example', false, false],
  ['javascript:alert(1)', 'https://front.maple.example', false, false],
  ['null', 'null', false, false],
  ['', '', false, false],
])('isOwnOrigin of %j for %j is %j, in production %j', (origin, asked, ours, oursInProduction) => {
  const publicUrl = 'https://front.maple.example';
  expect(isOwnOrigin(origin, asked, { publicUrl, production: false })).toBe(ours);
  expect(isOwnOrigin(origin, asked, { publicUrl, production: true })).toBe(oursInProduction);
});

describe('in production', () => {
  let production: TestApp;
  beforeAll(async () => {
    const env = { NODE_ENV: 'production', TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://front.maple.example' };
    production = await openTestApp({ env: { ...env, OPERATOR_PORT: '9464' } });
  });
  afterAll(() => production.close());

  test.each<[Record<string, string>, number]>([
    [{ origin: 'https://front.maple.example' }, 404],
    [{ origin: 'http://front.maple.example' }, 403],
    [{ origin: 'https://evil.example', host: 'evil.example' }, 403],
    [{ origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }, 403],
  ])('in production, an unsafe call with %j is answered %i', async (headers, status) => {
    const answer = await production.app.inject({
      method: 'POST',
      url: '/api/virtual-queue/',
      headers: { authorization: `Bearer ${production.maple.token}`, ...headers },
      payload: { id: '019f2222-2222-7222-8222-222222222222', action: 'INVITED' },
    });
    expect(answer.statusCode).toBe(status);
  });

  test.each(['/metrics', '/api/docs', '/api/openapi.json', '/api/docs/swagger-ui.css'])(
    '%s is on the operator’s port and not on the public one',
    async (url) => {
      const operator = buildOperatorApp(production.app) as FastifyInstance;
      try {
        const answer = await production.app.inject(url);
        expect(answer.statusCode).toBe(404);
        const toOperator = await operator.inject(url);
        expect(toOperator.statusCode).toBe(200);
        expect(toOperator.body).not.toBe(answer.body);
      } finally {
        await operator.close();
      }
    },
  );

  test.each([
    ['localhost:9464', 200],
    ['127.0.0.1:9464', 200],
    ['10.0.0.5:9464', 200],
    ['[fd00::5]:9464', 200],
    ['anteroom:9464', 200],
    ['front.maple.example:9464', 200],
    ['rebound.evil.example:9464', 403],
    ['127.0.0.1.evil.example:9464', 403],
  ])('the operator’s port answers the host name %j with %i', async (host, status) => {
    const operator = buildOperatorApp(production.app) as FastifyInstance;
    try {
      for (const url of ['/metrics', '/api/docs', '/api/openapi.json']) {
        const answer = await operator.inject({ url, headers: { host } });
        expect(answer.statusCode, url).toBe(status);
        if (status === 403) expect(answer.json()).toMatchObject({ code: 'wrong_operator_host' });
      }
    } finally {
      await operator.close();
    }
  });

  test('the operator’s port serves no practice data, and is closed unless OPERATOR_PORT is set', async () => {
    const operator = buildOperatorApp(production.app) as FastifyInstance;
    expect((await operator.inject({ url: '/api/virtual-queue/doctor', headers: as })).statusCode).toBe(404);
    await operator.close();
    expect(production.env.operatorListen).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(buildOperatorApp(testApp.app)).toBeNull();
  });
});

describe('the demo’s pages', () => {
  test.each([
    ['localhost:3000', 200],
    ['127.0.0.1:8080', 200],
    ['[::1]:3000', 200],
    ['front.maple.example', 200],
    ['rebound.evil.example:3000', 403],
    ['front.maple.example.evil.example', 403],
    ['localhost.evil.example', 403],
  ])('the demo’s pages answer the host name %j with %i', async (host, status) => {
    for (const url of ['/dev/outbox.json', '/dev/outbox', '/dev/../dev/outbox.json', '//dev/outbox.json']) {
      const answer = await testApp.app.inject({ url, headers: { host } });
      if (url.startsWith('/dev/o')) expect(answer.statusCode, url).toBe(status);
      else if (status === 403) expect(answer.statusCode, url).not.toBe(200);
    }
    const reply = { method: 'POST' as const, url: '/dev/outbox/reply', payload: { to: '1', from: '2', body: 'x' } };
    const answered = await testApp.app.inject({ ...reply, headers: { host } });
    if (status === 403) expect(answered.json()).toMatchObject({ code: 'wrong_host' });
    else expect(answered.statusCode).not.toBe(403);
  });

  let direct: TestApp;
  beforeAll(async () => void (direct = await openTestApp()));
  afterAll(() => direct.close());

  test.each([
    'x-forwarded-for',
    'forwarded',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
    'x-forwarded-server',
    'x-real-ip',
    'x-client-ip',
    'x-envoy-external-address',
    'cf-connecting-ip',
    'true-client-ip',
    'cdn-loop',
    'via',
  ])(
    'the demo’s pages behind a proxy that rewrites Host to localhost and sends %s are refused, naming the settings',
    async (header) => {
      const headers = { host: 'localhost:3000', [header]: header === 'forwarded' ? 'for=203.0.113.7' : '203.0.113.7' };
      const answer = await direct.app.inject({ url: '/dev/outbox.json', headers });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({
        code: 'proxy_not_set_up',
        title: expect.stringContaining('TRUST_PROXY') as string,
      });
    },
  );

  test('the demo’s pages refuse HTTP/1.0, which nginx speaks without a setting and no browser does', async () => {
    const { hostname, port } = new URL(await direct.listen());
    const statusOf = (version: string) =>
      new Promise<string>((done, fail) => {
        const socket = connect(Number(port), hostname).on('error', fail);
        socket.on('data', (data) => done(data.toString().split(' ')[1] ?? '')).on('data', () => socket.destroy());
        socket.write(`GET /dev/outbox.json HTTP/${version}\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
      });
    expect([await statusOf('1.0'), await statusOf('1.1')]).toEqual(['403', '200']);
  });

  test('the demo’s pages behind a trusted proxy need a PUBLIC_URL that others can reach, except for local visitors', async () => {
    const asked = async (PUBLIC_URL: string, visitor: string) => {
      const proxied = await openTestApp({ env: { DEMO: '1', TRUST_PROXY: '127.0.0.1', PUBLIC_URL } });
      try {
        const headers = { host: 'localhost:3000', 'x-forwarded-for': visitor };
        return (await proxied.app.inject({ url: '/dev/outbox.json', headers })).statusCode;
      } finally {
        await proxied.close();
      }
    };
    expect(await asked('http://localhost:3000', '203.0.113.7')).toBe(403);
    expect(await asked('http://localhost:3000', '127.0.0.1')).toBe(200);
    expect(await asked('https://demo.example', '203.0.113.7')).toBe(200);
  });

  test('a header that a page can set does not open the demo’s pages', async () => {
    const headers = { host: 'rebound.evil.example:3000', 'x-forwarded-host': 'localhost:3000' };
    expect((await testApp.app.inject({ url: '/dev/outbox.json', headers })).statusCode).toBe(403);
  });
});
