import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { textLimits } from '#contract/texting.ts';
import { checkInByApi, fillIn, checkInButton, maple, newName, waitsFor } from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { checkInPatient, cardOf, selectPatient, openDesk, expectAccessible } from '#e2e/helpers/queue-desk.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/waits-${name}.png` });
};
const fits = async (page: Page) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
};

/** Refuses these calls with a limit that is free again after 40 minutes. */
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

test('the desk sees when it can try again: at the message, at the form, in the dialog and in a toast', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const { name } = await checkInPatient(page, 'Wanda');
  await selectPatient(page, name);
  await limits(page, '**/onemd/api/v2/message/**', 'Too many texts.');
  const box = page.getByLabel('Message to patient');
  await box.fill('Room 3 is ready');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(box).toHaveAccessibleDescription(new RegExp(wait));
  await expect(box).toHaveValue('Room 3 is ready');

  await limits(page, '**/ask-form', 'Too many texts.');
  await page.keyboard.press('Escape');
  await selectPatient(page, name);
  await page.getByRole('button', { name: 'Request Insurance Card' }).click();
  await expect(page.getByText(`Insurance Card was not requested. Too many texts. ${wait}`).first()).toBeVisible();
  await fits(page);

  await limits(page, '**/addCheckin', 'Too many texts.');
  await page.getByRole('button', { name: 'Text a patient' }).click();
  const dialog = page.getByRole('dialog', { name: 'Text a patient' });
  await dialog.getByLabel('Mobile number').pressSequentially(newPhone());
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog.getByLabel('Mobile number')).toHaveAccessibleDescription(new RegExp(wait));
  await expect(page.getByText(`Too many texts. ${wait}`).last()).toBeVisible();
  await fits(page);
  await shoot(page, 'dialog');
  await page.context().close();
});

test('an invite whose text is over a limit moves the patient, and says why no text was sent and when to try again', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const { name, phone } = await checkInPatient(page, 'Hilda');
  await selectPatient(page, name);
  const queue = (await (await page.request.get('/api/virtual-queue/doctor')).json()) as {
    username: string;
    patientUserCode: string;
  }[];
  const code = queue.find(({ username }) => username === phone)?.patientUserCode;
  const headers = { origin: new URL(page.url()).origin };
  for (let n = 0; n < textLimits.perNumber.points; n++) {
    const sent = await page.request.post(`/api/onemd/api/v2/message/${code}`, { headers, data: { body: `Note ${n}` } });
    expect(sent.ok(), await sent.text()).toBe(true);
  }

  await page.getByRole('button', { name: 'Invite Patient' }).click();
  const toast = page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('listitem')
    .filter({ hasText: 'Invited, but not texted' });
  await expect(toast).toContainText(
    'This number has reached its limit of texts for this hour. Please call the patient.',
  );
  await expect(toast).toContainText(/You can try again in (59|60) minutes\./);
  await expect(cardOf(page, name)).toContainText('Invited');
  await expect(cardOf(page, name)).toContainText(
    'Not texted: this number has reached its limit of texts for this hour',
  );
  await expect(page.getByRole('list', { name: 'Conversation' })).toContainText(
    /Held back: this number has reached its limit of texts for this hour\. You can try again in (59|60) minutes\./,
  );
  await fits(page);
  await shoot(page, 'held-invite');
  await page.setViewportSize({ width: 360, height: 740 });
  await fits(page);
  await shoot(page, 'held-invite-360');
  await page.context().close();
});

test('a patient sees when to try again, in Spanish on a small phone too', async ({ browser }) => {
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
      await checkInButton(page).click();
    } else {
      await page.getByRole('radio', { name: 'Yo' }).check();
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

test('a patient whose tap is over a limit sees when to try again', async ({ page }) => {
  const token = await checkInByApi(newName());
  await waitsFor(page, token, 11);
  await page.goto(`/visit/${token}`);
  await limits(page, `**/api/visit/${token}`, 'Too many tries.');
  await page.getByRole('button', { name: 'Still waiting?' }).click();
  await expect(page.getByText(`Too many tries. ${wait}`)).toBeVisible();
});

test('a menu opened by keyboard while a page loads keeps the focus and its keys', async ({ browser }) => {
  const page = await openDesk(browser);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/messages-page-[^/]+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('button', { name: 'Profile' }).press('Enter');
  const items = page.getByRole('menu').getByRole('menuitem');
  await expect(items.first()).toBeFocused();
  release();
  await expect(page.getByRole('heading', { name: 'Messages', level: 1 })).toBeAttached();
  await expect(page).toHaveTitle(/Messages/);
  await page.keyboard.press('End');
  await expect(items.last()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Profile' })).toBeFocused();
});
