import { expect, test, type Page } from '@playwright/test';
import { checkedIn, fillIn, imHere, maple, newName } from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { arrives, cardOf, choose, desk, isAccessible } from '#e2e/helpers/queue-desk.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/waits-${name}.png` });
};
const fits = async (page: Page) => {
  await isAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
};

/** These calls are refused because a limit is reached; it is free again after 40 minutes. */
const limits = (page: Page, path: string, title: string) =>
  page.route(path, (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({
          status: 429,
          headers: { 'retry-after': '2400' },
          contentType: 'application/problem+json',
          body: JSON.stringify({ type: 'urn:anteroom:problem:too_many_texts', status: 429, title }),
        }),
  );
const wait = 'You can try again in 40 minutes.';

test('the desk reads when it can try again: in the row, at the message, at the form, in the dialog and in a toast', async ({
  browser,
}) => {
  const page = await desk(browser);
  const { name } = await arrives(page, 'Wanda');
  await choose(page, name);
  await limits(page, '**/api/virtual-queue/', 'Too many texts.');
  await page.getByRole('button', { name: 'Invite Patient' }).click();
  await expect(cardOf(page, name)).toContainText(`Not invited. Too many texts. ${wait}`);
  await fits(page);
  await shoot(page, 'row');

  await limits(page, '**/onemd/api/v2/message/**', 'Too many texts.');
  const box = page.getByLabel('Message to patient');
  await box.fill('Room 3 is ready');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(box).toHaveAccessibleDescription(new RegExp(wait));
  await expect(box).toHaveValue('Room 3 is ready');

  await limits(page, '**/ask-form', 'Too many texts.');
  await page.keyboard.press('Escape');
  await choose(page, name);
  await page
    .getByRole('button', { name: /^Request/ })
    .first()
    .click();
  await expect(page.getByText(`was not asked for. Too many texts. ${wait}`).first()).toBeVisible();
  await fits(page);

  await limits(page, '**/addCheckin', 'Too many texts.');
  await page.getByRole('button', { name: 'Text a new patient' }).click();
  const dialog = page.getByRole('dialog', { name: 'Text a new patient' });
  await dialog.getByLabel('Mobile number').pressSequentially(newPhone());
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog.getByLabel('Mobile number')).toHaveAccessibleDescription(new RegExp(wait));
  await expect(page.getByText(`Too many texts. ${wait}`).last()).toBeVisible();
  await fits(page);
  await shoot(page, 'dialog');
  await page.context().close();
});

test('a patient reads when to try again, in Spanish on a small phone too', async ({ browser }) => {
  for (const [locale, words] of [
    ['en-US', wait],
    ['es-US', 'Puede intentarlo de nuevo en 40 minutos.'],
  ] as const) {
    const context = await browser.newContext({ locale, viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    const page = await context.newPage();
    await limits(page, '**/api/checkin/*', 'Too many tries.');
    await page.goto(`/c/${maple}`);
    if (locale === 'en-US') {
      await fillIn(page, newName());
      await imHere(page).click();
    } else {
      await page.getByLabel('Nombre').first().fill('Ada');
      await page.getByLabel('Apellido').first().fill('Qa');
      await page.getByLabel('Número de celular').pressSequentially(newPhone());
      await page.getByLabel('Fecha de nacimiento').first().pressSequentially('04021990');
      await page.getByRole('button', { name: 'Ya llegué' }).click();
    }
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
    await fits(page);
    await shoot(page, `check-in-${locale}`);
    await context.close();
  }
});

test('a patient whose tap is refused by a limit reads when to try again', async ({ page }) => {
  const token = await checkedIn(newName());
  await page.goto(`/visit/${token}`);
  await limits(page, `**/api/visit/${token}`, 'Too many tries.');
  await page.getByRole('button', { name: 'Still waiting?' }).click();
  await expect(page.getByText(`Too many tries. ${wait}`)).toBeVisible();
});
