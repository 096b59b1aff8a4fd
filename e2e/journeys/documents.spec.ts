import { expect, test } from '#e2e/helpers/journey.ts';
import { documentPath, publicDocuments } from '#contract/documents.ts';
import { wholeBrowser } from '#e2e/helpers/browsers.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';

test.use({ launchOptions: wholeBrowser });

const hostsAskedBy = new Map<string, Set<string>>();

test.beforeEach(({ context }, { testId }) => {
  const hosts = new Set<string>();
  hostsAskedBy.set(testId, hosts);
  // The browser's PDF viewer loads internal pages, which are not network requests.
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (/^https?:$/.test(protocol)) hosts.add(host);
  });
});
test.afterEach(({ baseURL }, { testId }) => {
  expect([...(hostsAskedBy.get(testId) ?? [])]).toEqual([new URL(baseURL ?? '').host]);
});

test('on a wide screen a document opens in the browser’s viewer, or as text, by keyboard alone', async ({ page }) => {
  await page.goto(documentPath('terms.pdf'));
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  const viewer = page.locator('iframe[title="Terms of Service"]');
  await expect(viewer).toHaveAttribute('src', /^\/document\/en\/terms\.pdf/);
  await expect(page.getByRole('heading', { name: '1. What Anteroom does' })).toBeHidden();
  await page.getByRole('button', { name: 'Show as text' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: '1. What Anteroom does' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show as PDF' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(viewer).toBeVisible();
  await page.getByRole('link', { name: 'Español' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Términos del servicio' })).toBeVisible();
  await page.getByRole('link', { name: 'Aviso de privacidad' }).click();
  await expect(page).toHaveURL(documentPath('privacy.pdf', 'es'));
});

test.describe('on a phone in the dark', () => {
  test.use({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
    locale: 'es-MX',
  });

  test('every document is readable text in the phone’s language; an unpublished one is not found', async ({ page }) => {
    for (const file of publicDocuments) {
      await page.goto(documentPath(file));
      await expect(page.locator('html')).toHaveAttribute('lang', 'es');
      await expect(page.getByRole('article')).toBeVisible();
      await expect(page.locator('iframe')).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await expectAccessible(page);
    }
    for (const file of [
      'https://evil.test/a.pdf',
      '//evil.test/a.pdf',
      '../../package.json',
      'javascript:alert(1)',
      '',
    ]) {
      const answer = await page.goto(`/document?file=${encodeURIComponent(file)}`);
      expect(answer?.status()).toBe(404);
      await expect(page.getByRole('heading', { name: 'No se encontró el documento' })).toBeVisible();
    }
    await expectAccessible(page);
  });
});
