import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatSettings } from '#contract/index.ts';
import type { ChatSettings } from '#contract/practice/chat-settings.ts';
import type { WidgetBoot } from '#contract/website-chat.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { bareApp } from './app.ts';
import { answerHeaders, browserRules } from '#server/kit/http/browser-rules.ts';
import { answerErrors } from '#server/kit/http/problem.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { widgetRoutes } from './widget-pages.ts';

const t = await openTestApp();
const root = await mkdtemp(join(tmpdir(), 'anteroom-widget-'));
const script = `(() => ${JSON.stringify('chat '.repeat(100))})()`;
await writeFile(join(root, 'widget.js'), script);
await writeFile(join(root, 'widget.html'), '<title>Chat</title><!--boot-->');

/** The routes on stand-ins of the built files, with the app's headers and its services. */
const app = bareApp(t.services.env);
answerErrors(app);
await app.register(cookie);
app.decorate('services', t.services);
browserRules(app);
widgetRoutes(app, root);
afterAll(async () => {
  await app.close();
  await t.close();
  await rm(root, { recursive: true });
});

const settings: ChatSettings = {
  chatEnabled: true,
  origins: ['https://maple.example', 'http://localhost:8080'],
  color: '#0f5f8c',
  greeting: { en: 'Hi!', es: '¡Hola!' },
  hours: null,
};
const saveSettings = async (changes: Partial<ChatSettings> = {}, as: TestOffice = t.maple) => {
  const { status } = await t.call(chatSettings.saveChatSettings, { body: { ...settings, ...changes } }, { as });
  expect(status).toBe(200);
};
beforeAll(() => saveSettings());

const open = (npi: string) => app.inject({ url: `/widget/${npi}?lang=es`, headers: { accept: 'text/html' } });
const policyOf = ({ headers }: Awaited<ReturnType<typeof open>>) => String(headers['content-security-policy']);
const ancestorsOf = (answer: Awaited<ReturnType<typeof open>>) => /frame-ancestors ([^;]*)/.exec(policyOf(answer))?.[1];
const bootOf = ({ body }: Awaited<ReturnType<typeof open>>) =>
  JSON.parse(/id="boot">(.*)<\/script>/.exec(body)?.[1] ?? 'null') as WidgetBoot | null;

test('the page of the widget lets the practice’s websites and our own pages frame it, and nobody else', async () => {
  const answer = await open(t.maple.npi);
  expect(answer.statusCode).toBe(200);
  expect(ancestorsOf(answer)).toBe("'self' https://maple.example http://localhost:8080");
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  });
  expect(answer.headers).not.toHaveProperty('x-frame-options');
  const unframed = (policy: string) => policy.replace(/frame-ancestors [^;]*/, '');
  expect(unframed(policyOf(answer))).toBe(unframed(answerHeaders['content-security-policy']));
});

test('the page embeds what the practice shows before consent, and not its list of websites', async () => {
  const answer = await open(t.maple.npi);
  expect(bootOf(answer)?.front).toMatchObject({
    officeName: 'Maple Street Pediatrics',
    color: '#0f5f8c',
    isOpen: true,
  });
  expect(answer.body).not.toContain('maple.example');
});

test('another practice’s websites may not frame the page, and a practice without websites shows it only to our own pages', async () => {
  await saveSettings({ origins: [] }, t.other);
  expect(ancestorsOf(await open(t.other.npi))).toBe("'self'");
  await saveSettings({ origins: ['https://harbor.example'] }, t.other);
  expect(ancestorsOf(await open(t.other.npi))).toBe("'self' https://harbor.example");
  expect(ancestorsOf(await open(t.maple.npi))).not.toContain('harbor');
});

test('a website that the practice removes may not frame the page any more', async () => {
  await saveSettings({ origins: ['https://maple.example'] });
  expect(ancestorsOf(await open(t.maple.npi))).toBe("'self' https://maple.example");
  await saveSettings();
});

test('a chat that is off, a practice that is not confirmed and an unknown NPI get one and the same page', async () => {
  const off = await t.office({ name: 'Closed Practice', chatSettings: { origins: ['https://off.example'] } });
  const chatOn = { chatEnabled: true };
  const limited = await t.office({ name: 'New Practice', confirmedBy: null, settings: chatOn });
  const unsigned = await t.office({ name: 'Unsigned Practice', signed: false, settings: chatOn });
  const answers = await Promise.all([off.npi, limited.npi, unsigned.npi, '2999999999', 'abc'].map(open));
  for (const answer of answers) {
    expect([answer.statusCode, bootOf(answer), ancestorsOf(answer)]).toEqual([404, { front: null }, '*']);
    expect(answer.body).toBe(answers[0]?.body);
    expect(policyOf(answer)).toBe(policyOf(answers[0] as typeof answer));
  }
});

test('a network that asks for the page too often gets one without data, which asks again by itself', async () => {
  const { visitorPace } = t.services;
  const wait = async () => Promise.reject(new Refusal('too_many_tries', undefined, 7));
  await open(t.maple.npi);
  t.services.visitorPace = { ...visitorPace, wait };
  const [answer, unknown] = [await open(t.maple.npi), await open('2999999998')];
  t.services.visitorPace = visitorPace;
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '7']);
  // Otherwise the practice's own website would say that it is not on the list.
  expect([bootOf(answer), ancestorsOf(answer)]).toEqual([null, "'self' https://maple.example http://localhost:8080"]);
  expect([bootOf(unknown), ancestorsOf(unknown)]).toEqual([null, "'self'"]);
});

const loadScript = (headers: Record<string, string> = {}) => app.inject({ url: '/widget.js', headers });

test('every website may load the script, which browsers keep for an hour', async () => {
  const answer = await loadScript();
  expect([answer.statusCode, answer.body]).toEqual([200, script]);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'accept-encoding',
  });
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  expect(answer.headers).not.toHaveProperty('set-cookie');
  expect((await loadScript({ origin: 'https://anywhere.example', 'sec-fetch-site': 'cross-site' })).statusCode).toBe(
    200,
  );
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
])('a browser that accepts %s gets the script as %s', async (accepted, encoding) => {
  const { headers } = await loadScript({ 'accept-encoding': accepted });
  expect(headers['content-encoding']).toBe(encoding);
});

test('an unchanged script is answered with 304', async () => {
  const { headers } = await loadScript();
  const again = await loadScript({ 'if-none-match': String(headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect((await loadScript({ 'if-none-match': '"old"' })).statusCode).toBe(200);
});
