import { afterAll, beforeAll, expect, test } from 'vitest';
import { languages } from '#contract/shapes.ts';
import { tourPath } from '#contract/tour.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';

let t: TestApp;
beforeAll(
  async () =>
    void (t = await openTestApp({ env: { PRODUCT_NAME: 'Waiting <Room>', PUBLIC_URL: 'https://room.test' } })),
);
afterAll(() => t.close());

const get = (url: string, headers: Record<string, string> = {}) => t.app.inject({ url, headers });

test.each(languages)(
  'the tour in %s may be indexed, names its address and loads nothing from elsewhere',
  async (lang) => {
    const { statusCode, headers, body } = await get(tourPath(lang));
    expect(statusCode).toBe(200);
    expect(headers['x-robots-tag']).toBeUndefined();
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain(`<html lang="${lang}">`);
    expect(body).not.toMatch(/noindex|<Room>|\{product\}|<style|style=| on\w+=|src="(?!\/)/);
    expect(body).toMatch(/<meta name="description" content="[^"]{100,}">/);
    const canonical = lang === 'en' ? 'https://room.test/tour' : 'https://room.test/tour?lang=es';
    expect(body).toContain(`<link rel="canonical" href="${canonical}">`);
    expect((await get('/sitemap.xml')).body).toContain(`<loc>${canonical}</loc>`);
  },
);

test('the tour states the prices of the plans, the trial and HIPAA, and leads to the sign-up and to the queue', async () => {
  const { body } = await get('/tour');
  for (const text of ['$99', '$149', '$199', '14 days', 'Business Associate Agreement']) expect(body).toContain(text);
  expect(body).toContain('<a class="button filled" href="/#set-up">Set up my practice</a>');
  expect(body).toContain('<a class="button" href="#queue">See the demo queue</a>');
});

test('the tour shows no figures while the card provider has no prices or does not answer', async () => {
  const { card } = t.services.providers;
  const readPrices = card.readPrices.bind(card);
  card.readPrices = async () => [null, null, null];
  t.later(120);
  const { statusCode, body } = await get('/tour');
  card.readPrices = readPrices;
  expect(statusCode).toBe(200);
  expect(body).not.toContain('$');
  expect(body).toContain('You see the price before you choose a plan.');
});

test('the tour does not wait for a card provider that hangs', async () => {
  const { card } = t.services.providers;
  const readPrices = card.readPrices.bind(card);
  card.readPrices = () => new Promise(() => {});
  t.later(120);
  const began = performance.now();
  const { statusCode, body } = await get('/tour');
  card.readPrices = readPrices;
  expect(statusCode).toBe(200);
  expect(body).toContain('You see the price before you choose a plan.');
  expect(performance.now() - began).toBeLessThan(2_000);
  t.later(61 * 60);
});

test('strangers who open the tour at once ask the card provider once, and again a minute after it failed', async () => {
  const { card } = t.services.providers;
  const readPrices = card.readPrices.bind(card);
  let asked = 0;
  card.readPrices = async () => {
    asked++;
    return [null, null, null];
  };
  t.later(120);
  await Promise.all(Array.from({ length: 20 }, () => get('/tour')));
  expect(asked).toBe(1);
  card.readPrices = readPrices;
  t.later(2);
  expect((await get('/tour')).body).toContain('$99');
});

test('the tour without a language is in the browser’s, and its style and script are there', async () => {
  expect((await get('/tour', { 'accept-language': 'es-MX,es;q=0.9' })).body).toContain('<html lang="es">');
  const { body } = await get('/tour?lang=fr');
  expect(body).toContain('<html lang="en">');
  const files = [...body.matchAll(/(?:href|src)="(\/tour\/[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(files).toHaveLength(2);
  for (const path of files) expect((await get(path)).statusCode).toBe(200);
});

test('search engines list no other page', async () => {
  for (const path of ['/', '/document?file=terms.pdf', '/document/en/terms.pdf', '/api/docs', '/dev/outbox'])
    expect((await get(path)).headers['x-robots-tag'], path).toContain('noindex');
  expect((await get('/robots.txt')).body).toContain('Sitemap: https://room.test/sitemap.xml');
});
