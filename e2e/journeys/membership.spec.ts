import { expect, test, type Browser, type BrowserContextOptions, type Page } from '#e2e/helpers/journey.ts';
import { forgetLanguage, speak } from '#e2e/helpers/language.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
const fits = async (page: Page, name: string) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  if (!shots) return;
  const size = page.viewportSize();
  await page.setViewportSize({ width, height: 1700 });
  await page.screenshot({ path: `${shots}/membership-${name}.png` });
  if (size) await page.setViewportSize(size);
};

async function open(browser: Browser, who: string, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext({ storageState: sessionFileOf(who), ...options })).newPage();
  await page.goto(path);
  return page;
}

test('a trial without a card is warned of; a card is added, the plan upgraded, canceled and re-activated', async ({
  browser,
}) => {
  const page = await open(browser, staff.ruth, '/dashboard/forms');
  await forgetLanguage(page);
  const warning = page.getByRole('alert').filter({ hasText: 'trial ends in 3 days' });
  await expect(warning).toContainText('Visit Membership to re-activate.');
  await warning.getByRole('link', { name: 'Fix Issue' }).click();
  await expect(page.getByRole('heading', { name: 'Membership', exact: true })).toBeVisible();
  await expect(page.getByText('All prices are per provider')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Add a payment method to get started' })).toBeVisible();

  const frame = page.frameLocator('iframe');
  await test.step('the card form names what is wrong', async () => {
    await frame.getByLabel('Card Number').fill('4242');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByLabel('Cardholder Name')).toHaveAccessibleDescription('Field cannot be empty');
    await expect(frame.getByText('Invalid Card Number')).toBeVisible();
    await expect(frame.getByText('Invalid Expiry Date')).toBeVisible();
    await expect(frame.getByText('Invalid CVC')).toBeVisible();
    await fits(page, 'card-errors');
  });

  await test.step('a declined card is refused, a good one is saved and locked', async () => {
    await page.getByLabel('Cardholder Name').fill('Ruth Okafor');
    await frame.getByLabel('Card Number').fill('4000 0000 0000 0002');
    await frame.getByLabel('Expiry Date').fill('12 / 39');
    await frame.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('alert').filter({ hasText: "We couldn't verify your payment method." })).toBeVisible();
    await frame.getByLabel('Card Number').fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Your payment method was saved.')).toBeVisible();
    await expect(page.getByLabel('Card Number')).toHaveValue('Visa •••• 4242');
    await expect(page.getByText(/^Free until .*, your next billing date/)).toBeVisible();
    await fits(page, 'trial');
    await speak(page, 'es');
    await expect(page.getByText(/^Gratis hasta el .*, su próxima fecha de cobro/)).toBeVisible();
    await expect(page.getByText('Se guardó su forma de pago.')).toBeVisible();
    await fits(page, 'trial-es');
    await speak(page, 'en');
  });

  await test.step('an upgrade shows its cost first', async () => {
    await page.getByRole('button', { name: 'Switch: Prime' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Due today')).toBeVisible();
    await dialog.getByLabel('Number of providers').fill('2');
    await expect(dialog.getByText('$398.00 a month')).toBeVisible();
    await fits(page, 'upgrade');
    await dialog.getByRole('button', { name: 'Switch' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('2 providers')).toBeVisible();
  });

  await test.step('the plan is canceled and re-activated', async () => {
    await page.getByRole('button', { name: 'Cancel Plan: Prime' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Plan' }).click();
    await expect(page.getByText('Your plan ends on')).toBeVisible();
    await fits(page, 'canceled');
    await page.getByRole('button', { name: 'Re-Activate Plan: Prime' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Re-Activate Plan' }).click();
    await expect(page.getByText('your next billing date')).toBeVisible();
  });

  await page.getByRole('main').getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/dashboard\/forms$/);
});

test('a card form whose page does not load gives up, and says so', async ({ browser }) => {
  const page = await open(browser, staff.dana, '/dashboard/forms');
  await page.clock.install();
  await page.route('**/card/assets/page.js', (route) => route.abort());
  await page.goto('/payments');
  await page.getByRole('button', { name: 'Edit Details' }).click();
  await page.getByLabel('Cardholder Name').fill('Dana Whitlock');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.clock.fastForward(11_000);
  await expect(page.getByRole('alert').filter({ hasText: "We couldn't verify your payment method." })).toBeVisible();
});

test('a paying practice sees its plan, card, invoices and what a smaller plan lacks, in Spanish on a phone, in the dark, from the profile menu', async ({
  browser,
}) => {
  const page = await open(browser, staff.dana, '/dashboard', { colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('menuitem', { name: 'Membership' }).click();
  await expect(page.getByText('Next billing date:')).toBeVisible();
  await fits(page, 'dark');
  await page.getByRole('button', { name: 'Switch: Pilot' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The new plan does not include:')).toBeVisible();
  await expect(dialog.getByText(/^You keep your current features until /)).toBeVisible();
  await fits(page, 'downgrade');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /Download PDF of invoice/ })
      .first()
      .click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^invoice-.*\.pdf$/);

  const phone = await open(browser, staff.luis, '/payments', { viewport: { width: 390, height: 844 } });
  await expect(phone.getByRole('heading', { name: 'Planes de membresía' })).toBeVisible();
  await expect(phone.getByLabel('Número de tarjeta')).toHaveValue('Visa •••• 4242');
  await fits(phone, 'es');
});
