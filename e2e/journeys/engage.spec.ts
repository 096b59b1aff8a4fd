import { expect, test, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
const fits = async (page: Page, name: string) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  if (!shots) return;
  // The page scrolls inside of the shell: a tall window shows all of it.
  const size = page.viewportSize();
  await page.setViewportSize({ width, height: 2200 });
  await page.screenshot({ path: `${shots}/engage-${name}.png` });
  if (size) await page.setViewportSize(size);
};

async function open(browser: Browser, who: string, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    storageState: sessionFileOf(who),
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const csv = (text: string) => ({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
const masked = (digits: string) => `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;

test('without the Check-in tab, /dashboard is Engage Patients: a message is copied, a list is uploaded and texted', async ({
  browser,
}) => {
  const page = await open(browser, staff.ruth, '/');
  await expect(page).toHaveURL(/\/dashboard\/forms$/);
  await page.getByRole('link', { name: 'Engage Patients' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { name: 'Prepare Your Patients' })).toBeVisible();

  await test.step('a click copies a message with the check-in link', async () => {
    await page.getByRole('button', { name: /^Harbor .*check in on your phone/ }).click();
    await expect(page.getByRole('button', { name: /Copied!/ })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/\/c\/2000000010$/);
    expect(copied.length).toBeLessThan(160);
  });

  await test.step('guides open, and Other leads to support', async () => {
    await page.getByText('Dentrix', { exact: true }).click();
    await expect(page.getByText(/^Sign in to Dentrix Ascend/)).toBeVisible();
    await expect(page.getByRole('list', { name: 'Outbox' }).getByRole('listitem').first()).toBeVisible();
    await fits(page, 'legacy');
    await page.getByRole('link', { name: /^Other/ }).click();
    await expect(page).toHaveURL(/\/settings\/live-customer-support$/);
    await page.goBack();
  });

  await test.step('an uploaded list is checked, started over, uploaded again and sent', async () => {
    const phone = newPhone();
    const file = page.getByLabel('CSV file');
    await file.setInputFiles(csv('hello'));
    await expect(page.getByText('Uploading your file...').first()).toBeVisible();
    await expect(page.getByText('Upload Completed')).toBeVisible();
    await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription(/^Line 1/);
    await page.getByRole('button', { name: 'Start Over' }).click();
    await expect(page.getByText('Upload Completed')).toHaveCount(0);
    await file.setInputFiles(csv(`Phone,Send at\n${phone},\n${masked(phone)},`));
    await expect(page.getByText('Upload Completed')).toBeVisible();
    await fits(page, 'uploaded');
    await page.getByRole('button', { name: 'Send SMS' }).click();
    const sheet = page.getByRole('alertdialog', { name: 'Text 1 person?' });
    await sheet.getByRole('button', { name: 'Text 1 person' }).click();
    await expect(page.getByText('SMS sent', { exact: true })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('button', { name: 'Browse' })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Outbox' })).toContainText(masked(phone));
  });

  await page.goto('/dashboard/engage');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('with the Check-in tab, Engage Patients is a tab of its own, also in Spanish, in the dark and on a phone', async ({
  browser,
}) => {
  const page = await open(browser, staff.dana, '/dashboard/engage', {
    viewport: { width: 360, height: 740 },
    locale: 'es-US',
    colorScheme: 'dark',
  });
  await expect(page.getByRole('heading', { name: 'Contactar pacientes', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Contactar pacientes' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('button', { name: /registre su llegada/ }).first()).toBeVisible();
  await fits(page, 'phone');
});
