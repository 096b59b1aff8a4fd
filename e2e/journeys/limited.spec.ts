import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { freshlySignedIn } from '#e2e/helpers/fresh-sign-in.ts';
import { tabTo } from '#e2e/helpers/new-practice.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { checkInPatient, selectPatient, openDesk, expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff } from '#e2e/helpers/staff.ts';

const maple = '1234567893';
/** The number that the demo's NPPES sample lists for Maple. */
const listedPhone = '+12125550199';
const questionnaire = {
  resourceType: 'Questionnaire',
  id: 'limited-sleep',
  title: 'Sleep diary',
  status: 'active',
  item: [{ linkId: '1', type: 'boolean', text: 'Do you sleep well?' }],
};

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/limited-${name}.png` });
};

/** In the demo every practice is confirmed, so an operator command limits one for this journey. */
async function operator(...words: string[]): Promise<void> {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR, DEMO: '1' };
  await promisify(execFile)(process.execPath, ['server/cli.ts', ...words], { env, timeout: 30_000 });
}

test.beforeAll(() => operator('office', 'limit', maple));
test.afterAll(() => operator('office', 'confirm', maple));

const fits = async (page: Page) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
};

test('a limited practice cannot send its own text or use its own forms, and confirms itself with a code, by keyboard', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const banner = page.getByRole('alert').filter({ hasText: 'Your practice is not confirmed yet.' });
  await expect(banner).toBeVisible();

  await test.step('a message keeps its text when it is refused', async () => {
    const { name } = await checkInPatient(page, 'Lena');
    await selectPatient(page, name);
    const box = page.getByLabel('Message to patient');
    await box.fill('Please call me back on my own number.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(box).toHaveAccessibleDescription(/it can only send our standard texts/);
    await expect(box).toHaveValue('Please call me back on my own number.');
    await fits(page);
    await shoot(page, 'message');
  });

  await test.step('a custom text for a new patient stays in the dialog', async () => {
    await page.getByRole('button', { name: 'Text a patient' }).click();
    const dialog = page.getByRole('dialog', { name: 'Text a patient' });
    await dialog.getByLabel('Mobile number').pressSequentially(newPhone());
    const words = dialog.getByLabel('Message (optional)');
    await words.fill('You won a prize.');
    await page.keyboard.press('Tab');
    await tabTo(page, dialog.getByRole('button', { name: 'Send' }));
    await page.keyboard.press('Enter');
    await expect(words).toHaveAccessibleDescription(/it can only send our standard texts/);
    await expect(words).toHaveValue('You won a prize.');
    await fits(page);
    await shoot(page, 'new-patient');
    await page.keyboard.press('Escape');
  });

  await test.step('its own questionnaire is loaded, and is not switched on', async () => {
    const origin = { origin: new URL(page.url()).origin };
    const loaded = await page.request.post('/api/office/forms', {
      headers: origin,
      data: { text: JSON.stringify(questionnaire) },
    });
    expect(loaded.ok(), await loaded.text()).toBe(true);
    await page.goto('/dashboard/settings/forms');
    await page.getByRole('button', { name: 'Ask patients for it Sleep diary' }).press('Enter');
    await expect(page.getByRole('switch', { name: 'Ask for Sleep diary' })).toBeChecked();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('patients cannot fill in your own forms')).toBeVisible();
    await fits(page);
    await shoot(page, 'forms');
    await page.request.put('/api/office/forms/own/limited-sleep', { headers: origin, data: { version: 0 } });
  });

  await test.step('the code sent to the listed phone confirms it', async () => {
    await page.goto('/dashboard');
    await tabTo(page, banner.getByRole('link', { name: 'Confirm your practice' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('It ends in 99.')).toBeVisible();
    await fits(page);
    await shoot(page, 'settings');
    await tabTo(page, page.getByRole('button', { name: 'Text me the code' }));
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Verification Code')).toBeFocused();
    await fits(page);
    await shoot(page, 'code');
    await page.keyboard.type(await codeSentTo(page, listedPhone));
    await expect(page.getByText('Your practice is confirmed.')).toBeVisible();
    await expect(banner).toBeHidden();
    await fits(page);
    await shoot(page, 'confirmed');
  });
  await page.context().close();
  await operator('office', 'limit', maple);
});

test('the team form of a limited practice asks for an email address only, and a refused number stays typed', async ({
  browser,
}) => {
  const page = await freshlySignedIn(browser, staff.dana);
  const emailOnly = page.getByText('you can invite colleagues by email only, not by text');
  const byPhone = page.getByRole('button', { name: 'Use Mobile Number' });
  await page.goto('/dashboard/settings/team');
  await expect(emailOnly).toBeVisible();
  await expect(byPhone).toHaveCount(0);
  await fits(page);
  await shoot(page, 'team');

  await test.step('a practice that becomes limited while a number is typed', async () => {
    await operator('office', 'confirm', maple);
    await page.reload();
    await expect(emailOnly).toHaveCount(0);
    await byPhone.click();
    const digits = newPhone();
    const field = page.getByLabel('Mobile Number');
    await field.pressSequentially(digits);
    await page.getByLabel('Name (optional)').fill('Nora Vance');
    const typed = await field.inputValue();
    await operator('office', 'limit', maple);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'invite colleagues by email only' })).toBeVisible();
    await expect(field).toHaveValue(typed);
    await expect(page.getByLabel('Name (optional)')).toHaveValue('Nora Vance');
    await fits(page);
    await shoot(page, 'team-refused');
  });
  await page.context().close();
});

test('the desk and the check-in page of a limited practice on a phone, in Spanish, in the dark', async ({
  browser,
}) => {
  const phone = { locale: 'es-US', colorScheme: 'dark', viewport: { width: 360, height: 740 } } as const;
  const page = await openDesk(browser, 'luis', phone);
  await expect(page.getByRole('alert').filter({ hasText: 'Su consultorio aún no está confirmado.' })).toBeVisible();
  await fits(page);
  await shoot(page, 'es-queue');
  await page.getByRole('link', { name: 'Confirme su consultorio' }).click();
  await expect(page.getByText('Termina en 99.')).toBeVisible();
  await fits(page);
  await shoot(page, 'es-settings');
  const writeToUs = page.getByText('Atención al cliente en vivo.', { exact: false }).and(page.locator('p'));
  await expect(writeToUs).toBeVisible();
  // Without OPERATOR_EMAIL nobody reads what a practice writes, so the page does not offer it.
  await page.route('**/api/support', (route) => route.fulfill({ json: { canWrite: false, phone: null } }));
  await page.reload();
  await expect(page.getByText('Termina en 99.')).toBeVisible();
  await expect(writeToUs).toHaveCount(0);
  await page.goto(`/c/${maple}`);
  await expect(page.getByRole('note')).toContainText('aún no está confirmado');
  await fits(page);
  await shoot(page, 'es-checkin');
  await page.context().close();
});
