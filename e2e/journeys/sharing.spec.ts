import { readFile } from 'node:fs/promises';
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '#e2e/helpers/journey.ts';
import { consentAnswers, submitForm } from '#e2e/helpers/filed-forms.ts';
import { checkInByApi, loseNetwork, maple, newName } from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, permissions: ['clipboard-read', 'clipboard-write'] });

const broken = 'It looks like there was a problem loading these forms. Please contact support if this issue persists.';
const over = 'It looks like your access to this form has expried. Please ask the patient to share the form again.';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const fits = async (page: Page) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
};
const somebody = async (browser: Browser, options: BrowserContextOptions = {}) =>
  (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();

/** Holds files of the page back until the function it returns is called. */
async function holdBack(page: Page, files: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/assets/${files}`, (route) => promise.then(() => route.continue()));
  return resolve;
}

test('a phone creates a link, a school opens it, and the patient sees that and revokes it', async ({
  page,
  context,
  browser,
}) => {
  const name = newName();
  const token = await checkInByApi(name);
  await page.goto(`/visit/${token}`);
  const share = page.getByRole('link', { name: 'Share forms with a school or specialist' });
  await page.getByRole('link', { name: 'COVID Screening Not started' }).click();
  await expect(share).toBeHidden();
  await page.getByRole('checkbox', { name: 'None of these' }).check();
  for (const no of await page.getByRole('radio', { name: 'No', exact: true }).all()) await no.check();
  await press(page, 'Submit');
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await submitForm(page, token, 'consent', consentAnswers);
  await press(page, 'Back to your visit');
  // With one form only, that form would be chosen already.
  await expect(page.getByRole('link', { name: 'Consent Done' })).toBeVisible();
  await share.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Share your forms' })).toBeFocused();
  await expect(page.getByText('You haven’t shared anything yet.')).toBeVisible();
  await fits(page);

  await press(page, 'Create link');
  await expect(page.getByText('Select at least one form.')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'COVID Screening' })).toBeFocused();
  await fits(page);
  await page.getByRole('checkbox', { name: 'COVID Screening' }).check();
  await page.getByLabel('Who is it for?').fill('Elm School');
  await loseNetwork(context, page);
  await press(page, 'Create link');
  await expect(page.getByText('No connection. Nothing was lost')).toBeVisible();
  await page.getByRole('link', { name: 'Back to your visit' }).click();
  await share.click();
  await expect(page.getByLabel('Who is it for?')).toHaveValue('Elm School');
  await expect(page.getByRole('checkbox', { name: 'COVID Screening' })).toBeChecked();
  await expect(page.getByRole('radio', { name: '3 days' })).toBeChecked();
  await context.setOffline(false);
  await press(page, 'Create link');
  await expect(page.getByRole('heading', { name: 'Your link is ready' })).toBeFocused();
  await press(page, 'Copy');
  await expect(page.getByText('Link copied.')).toBeVisible();
  const address = await page.getByLabel('Link', { exact: true }).inputValue();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await expect(page.getByText('Not opened yet')).toBeVisible();
  await fits(page);

  const preview = await page.request.get(address);
  expect(preview.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  });
  const secret = new URL(address).searchParams.get('token') ?? '';
  for (const word of [name, secret, 'Maple']) expect(await preview.text()).not.toContain(word);

  const school = await somebody(browser);
  await school.goto(address);
  await expect(school.getByRole('heading', { name: 'Shared Forms' })).toBeVisible();
  await expect(school.getByText('Maple Street Pediatrics')).toBeVisible();
  await expect(school.getByText(name)).toBeVisible();
  expect(new URL(school.url())).toMatchObject({ pathname: '/forms/shared', search: '' });
  await fits(school);
  await school.reload();
  await press(school, 'View Forms');
  await expect(school.getByRole('heading', { level: 1, name: 'Shared Forms' })).toBeFocused();
  await expect(school.getByRole('listitem')).toHaveText(/COVID Screening/);
  await fits(school);
  const [file] = await Promise.all([school.waitForEvent('download'), press(school, 'Download COVID Screening')]);
  expect(file.suggestedFilename()).toMatch(/^\d{4}-\d\d-\d\d .+ COVID Screening\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
  const [tab] = await Promise.all([school.waitForEvent('popup'), press(school, 'View COVID Screening')]);
  await tab.close();
  await school.goBack();
  await expect(school.getByRole('button', { name: 'View Forms' })).toBeVisible();
  await school.goForward();

  const opened = page.getByText(/^Opened 4 times/);
  await opened.click();
  await expect(page.getByText('Chrome on Linux').first()).toBeVisible();
  await fits(page);

  const guesser = await somebody(browser);
  const elsewhere = address.replace(maple, '2000000010');
  for (const wrong of [elsewhere, address.replace(secret, 'A'.repeat(32)), '/forms/shared', '/form-error']) {
    await guesser.goto(wrong);
    await expect(guesser.getByText(broken)).toBeVisible();
    expect(guesser.url()).toMatch(/\/(form-error|forms\/shared)$/);
  }
  await fits(guesser);
  await guesser.context().close();

  const link = page.getByRole('listitem').filter({ hasText: 'Elm School' });
  await link.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page.getByRole('button', { name: 'Keep sharing' })).toBeFocused();
  await fits(page);
  await page.keyboard.press('Escape');
  await expect(link.getByRole('button', { name: 'Stop sharing' })).toBeFocused();
  await link.getByRole('button', { name: 'Stop sharing' }).click();
  await press(page, 'Stop sharing');
  await expect(link.getByText(/^Stopped by you/)).toBeVisible();
  await expect(link.getByRole('heading', { name: 'Elm School' })).toBeFocused();
  await expect(page.getByLabel('Link', { exact: true })).toBeHidden();
  await fits(page);
  await press(school, 'Download COVID Screening');
  await expect(school.getByText(over)).toBeVisible();
  await expect(school).toHaveURL(/\/form-expired$/);
  await fits(school);
  await school.goto(address);
  await expect(school.getByText(over)).toBeVisible();
  await school.context().close();

  await page.getByRole('checkbox', { name: 'Consent' }).check();
  await page.getByLabel('Who is it for?').fill('Dr. Oak');
  await press(page, 'Create link');
  await expect(page.getByRole('heading', { name: 'Your link is ready' })).toBeVisible();
  const desk = await somebody(browser, { storageState: sessionFileOf(staff.dana) });
  await desk.goto('/dashboard/forms?type=consent');
  await desk.getByLabel('Patient name').fill(name);
  await desk.getByLabel('Patient name').press('Enter');
  await desk.getByRole('button', { name: new RegExp(`^View ${name}`) }).click();
  const shared = desk.getByRole('region', { name: 'Shared by the patient' });
  await expect(shared.getByText('Dr. Oak')).toBeVisible();
  await expectAccessible(desk);
  await shared.getByRole('button', { name: 'Revoke link' }).click();
  await expectAccessible(desk);
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Revoke link' }).click();
  await expect(shared.getByText(/^Revoked by the practice/)).toBeVisible();
  await expect(page.getByText(/^Revoked by the practice/)).toBeVisible();
  await desk.context().close();
});

test('sharing fits in Spanish, in the dark, at 320 px and with large text', async ({ browser }) => {
  const page = await somebody(browser, {
    colorScheme: 'dark',
    locale: 'es-US',
    viewport: { width: 320, height: 640 },
  });
  const token = await checkInByApi('W'.repeat(40), newPhone(), 'محمد');
  await page.addInitScript(() => {
    navigator.share = async (sheet) => void (document.body.dataset.sent = sheet?.url);
  });
  // The language is chosen before the visit's page is there, and its texts come after it.
  const [visitPage, spanish] = [await holdBack(page, 'visit-*.js'), await holdBack(page, 'es-*.js')];
  await page.goto(`/visit/${token}/forms/share`);
  await press(page, 'Español');
  visitPage();
  await expect(page.getByText('Forms can be shared')).toBeVisible();
  spanish();
  await expect(page.getByText('Los formularios se pueden compartir una vez enviados.')).toBeVisible();
  await fits(page);
  await submitForm(page, token, 'consent', consentAnswers);
  await page.reload();
  await expect(page.getByRole('checkbox')).toBeChecked();
  await page.getByLabel('¿Para quién es?').fill('L'.repeat(120));
  await page.getByRole('radio', { name: '30 días' }).check();
  await press(page, 'Crear enlace');
  await expect(page.getByRole('heading', { name: 'Su enlace está listo' })).toBeVisible();
  await fits(page);
  const address = await page.getByLabel('Enlace', { exact: true }).inputValue();
  await press(page, 'Compartir enlace');
  await expect(page.locator('body')).toHaveAttribute('data-sent', address);
  await page.getByRole('button', { name: /^Dejar de compartir/ }).click();
  await page.evaluate(() => (document.documentElement.style.fontSize = '28px'));
  await fits(page);
  await page.goto(address);
  await press(page, 'Ver formularios');
  await expect(page.getByRole('button', { name: /^Descargar/ })).toBeVisible();
  await fits(page);
  await page.goto('/form-expired');
  await expect(page.getByText(/Parece que su acceso/)).toBeVisible();
  await fits(page);
  await page.context().close();
});
