import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

test.use({ storageState: sessionFileOf(staff.dana), permissions: ['clipboard-read', 'clipboard-write'] });

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
};
const calls = '**/api/office/chat-settings';

test('the website chat is set up: websites, color, greeting, hours, and the line for the website', async ({ page }) => {
  const saved = async () => (await page.request.get('/api/office/chat-settings')).json() as Promise<object>;
  await page.goto('/dashboard/settings/widget');
  await expect(page.getByRole('heading', { level: 1, name: 'Website chat' })).toBeVisible();
  await expect(page.getByText('that you usually answer within 15 minutes.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Change it in the message settings' })).toHaveAttribute(
    'href',
    '/dashboard/settings/messages',
  );
  const {
    npi: _npi,
    host: _host,
    expectedReplyMinutes: _minutes,
    ...before
  } = (await saved()) as Record<string, object>;
  await page.getByRole('button', { name: /^Copy: For your web designer/ }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^<script src="http:\/\/[^"]+\/widget\.js" data-office="1234567893" async><\/script>$/,
  );
  await expect(page.getByText(/^script-src http:\S+; frame-src http:\S+$/)).toBeVisible();

  const address = page.getByLabel('Address of your website');
  await address.fill('our site');
  await address.press('Enter');
  await expect(page.getByText('Enter the address of a website, such as https://www.example.com.')).toBeVisible();
  await address.fill('New-Site.example/contact');
  await page.getByRole('button', { name: 'Add website' }).click();
  const websites = page.getByRole('list', { name: 'Your websites' });
  await expect(websites).toContainText('https://new-site.example');
  await page.getByLabel('Color of the button and the header').fill('#ffd54f');
  await expect(page.getByText(/hard to see/)).toBeVisible();
  await page.getByLabel('In English').fill('Hi, how can we help?');
  await page.getByRole('switch', { name: 'The same as your opening hours' }).uncheck();
  await page.getByLabel('Monday: opens').fill('18:00');
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expect(page.getByText('Closing must be later than opening.')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'chat-settings-errors');

  await page.getByLabel('Monday: opens').fill('09:00');
  await page.route(calls, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  await save.click();
  await expect(page.getByText('Not saved:')).toBeVisible();
  await expect(websites).toContainText('https://new-site.example');
  await page.unroute(calls);
  await save.click();
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.reload();
  await expect(websites).toContainText('https://new-site.example');
  await expect(page.getByLabel('In English')).toHaveValue('Hi, how can we help?');

  // A colleague at another desk changes them back, while something is typed here.
  await page.getByLabel('In Spanish').fill('¡Hola!');
  expect((await page.request.put('/api/office/chat-settings', { data: before })).ok()).toBe(true);
  await expect(page.getByRole('alert').filter({ hasText: 'A colleague changed these settings' })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'chat-settings-colleague');
  await page.getByRole('button', { name: 'Show theirs' }).click();
  await expect(websites.getByText('https://new-site.example')).toBeHidden();
  await page.getByRole('button', { name: 'Remove https://www.maple.test' }).click();
  await expect(page.getByText('Add your website: until then, the chat is not shown anywhere.')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'chat-settings-nowhere');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(websites).toContainText('https://www.maple.test');

  // Nobody answers today: the chat says when, and can be written in. It does not start without a connection.
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'America/New_York' }).format(
    Date.now() + 86_400_000,
  );
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const hours = days.map((day) => (day === weekday ? { open: '09:00', close: '17:00' } : null));
  const put = (data: object) => page.request.put('/api/office/chat-settings', { data });
  expect((await put({ ...before, hours })).ok()).toBe(true);
  try {
    await page.goto('/widget/1234567893');
    await expect(page.getByText('We’re closed today.')).toBeVisible();
    await expect(page.getByText(/^You can write now. We’ll answer starting \w+day, .* at 9:00\sAM/)).toBeVisible();
    await expectAccessible(page);
    await shoot(page, 'widget-consent-closed');
    await page.route('**/api/website-chat/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Start chat' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'The chat could not be started.' })).toBeVisible();
    await expectAccessible(page);
    await shoot(page, 'widget-not-started');
  } finally {
    await put(before);
  }
});

test('in Spanish on a phone: the settings, and the page that shows the chat', async ({ browser }) => {
  const context = await browser.newContext({
    storageState: sessionFileOf(staff.luis),
    locale: 'es-US',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  const page = await context.newPage();
  await page.goto('/dashboard/settings/widget');
  const tryIt = page.getByRole('link', { name: 'Probarlo en una página de prueba' });
  await expect(tryIt).toBeVisible();
  await expect(page.getByText('que ustedes suelen responder en 15 minutos.')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'chat-settings-es');
  if (shots) await page.getByText('que ustedes suelen responder').scrollIntoViewIfNeeded();
  await shoot(page, 'chat-settings-reply-time-es');
  const [shown] = await Promise.all([context.waitForEvent('page'), tryIt.click()]);
  await expect(shown.getByRole('heading', { name: 'Página de prueba del chat del sitio web' })).toBeVisible();
  await expect(shown.locator('script[src="/widget.js"][data-office="1234567893"]')).toBeAttached();
  await expectAccessible(shown);
  await shoot(shown, 'chat-test-page-es');
  await shown.getByRole('button', { name: 'Chatee con nosotros' }).click();
  await expect(shown.frameLocator('iframe[title=Chat]').getByRole('button', { name: 'Iniciar el chat' })).toBeVisible();
  await expectAccessible(shown);
  await shoot(shown, 'chat-test-page-open-es');
  await shown.goto('/widget-test/2000000010');
  await expect(shown.getByRole('heading', { name: 'El chat está desactivado' })).toBeVisible();
  await expectAccessible(shown);
});
