import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { wholeBrowser } from '#e2e/helpers/browsers.ts';
import { fillIn, checkInButton, newName } from '#e2e/helpers/patient-phone.ts';
import { patientTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { checkInPatient, cardOf, selectPatient, openDesk, expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

test.use({ launchOptions: wholeBrowser });

const rowsOf = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: /Arrived|Llegó/ });
const fits = async (page: Page) => {
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
};

async function read<T>(answer: Awaited<ReturnType<Page['request']['get']>>): Promise<T> {
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as T;
}

/** What the office texted to a number, newest first. */
const textsTo = async (page: Page, phone: string) =>
  (await read<{ body: string }[]>(await page.request.get('/dev/outbox.json', { params: { to: phone } }))).map(
    ({ body }) => body,
  );

/** How many forms of one of today's families Harbor has. The demo fills its forms after the start, one visit after the other. */
async function formsFiledBy(page: Page, patientName: string): Promise<number | undefined> {
  const patients = await read<{ patientName: string; formsFiled: number }[]>(
    await page.request.get('/api/queue/2000000010'),
  );
  return patients.find((one) => one.patientName === patientName)?.formsFiled;
}

/** A texted patient checks in on their phone; returns a function that submits their screening. */
async function comesByLink(page: Page, firstName: string) {
  const headers = { origin: new URL(page.url()).origin };
  const phone = `+1${newPhone()}`;
  await read(await page.request.post('/api/appointments/addCheckin', { headers, data: { phone } }));
  await expect.poll(() => textsTo(page, phone)).toHaveLength(1);
  const token = /\/([\w-]{22,64})\s*$/.exec((await textsTo(page, phone))[0] ?? '')?.[1] ?? '';
  const phonePage = await page.context().newPage();
  await phonePage.goto(`/c/t/${token}`);
  await expect(checkInButton(phonePage)).toBeVisible();
  await phonePage.close();
  const data = { firstName, lastName: 'Qa', birthDate: '1990-04-02', household: [], language: 'en' };
  await read(await page.request.post(`/api/visit/${token}/arrive`, { headers, data }));
  return async (symptom: string) => {
    const { members } = await read<{ members: { memberId: string; forms: Record<string, string>[] }[] }>(
      await page.request.get(`/api/visit/${token}/forms`),
    );
    const definitionId = members[0]?.forms.find(({ formType }) => formType === 'covid-screening')?.definitionId;
    const form = `/api/visit/${token}/forms/${members[0]?.memberId}/covid-screening`;
    const answers = {
      symptoms: [{ code: symptom }],
      positive: [false],
      waiting: [false],
      contact: [{ code: 'no' }],
    };
    await read(await page.request.put(form, { headers, data: { definitionId, version: 0, page: 0, answers } }));
    await read(await page.request.post(`${form}/submit`, { headers, data: { version: 1 } }));
  };
}

test.describe('the older forms screen', () => {
  test.use({ storageState: sessionFileOf(staff.ruth), acceptDownloads: true });

  test("the older forms screen lists today's arrivals; a popup opens, downloads and zips each one's forms", async ({
    page,
  }) => {
    test.setTimeout(120_000);
    await page.goto('/');
    await expect(page).toHaveURL(/\/dashboard\/forms$/);
    const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'America/New_York' }).format();
    await expect(page.getByText(today)).toBeVisible();
    await expect(page.getByRole('link', { name: 'View Forms' })).toHaveAttribute('aria-current', 'page');
    await expect(rowsOf(page)).toHaveCount(10);
    await expect(page.getByText(/^1 - 10 of \d+$/)).toBeVisible();
    await expectAccessible(page);

    await page.emulateMedia({ media: 'print' });
    await expect(rowsOf(page).nth(11)).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    await expect(rowsOf(page)).toHaveCount(10);

    const name = newName();
    const file = await comesByLink(page, name);
    const row = rowsOf(page).first();
    await expect(row).toContainText(`${name} Qa`);
    await expect(row).toContainText('No forms');
    const key = row.getByRole('button', { name: `View Forms ${name} Qa` });
    await expect(key).toHaveAttribute('aria-disabled', 'true');
    await file('cough');
    await expect(key).not.toHaveAttribute('aria-disabled', 'true', { timeout: 60_000 });
    await key.press('Enter');
    const popup = page.getByRole('dialog', { name: `Forms for ${name} Qa` });
    expect(page.url()).not.toContain(name);
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone: 'America/New_York' }).format();
    const form = popup.getByRole('button', { name: `${day} COVID Review` });
    await expect(form.first()).toBeVisible();
    await expectAccessible(page);
    const [tab] = await Promise.all([page.waitForEvent('popup'), form.first().press('Enter')]);
    await expect.poll(() => tab.url()).toContain('/files/');
    await tab.close();
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      popup.getByRole('button', { name: `Download ${day} COVID Review` }).click(),
    ]);
    expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-');
    await expect(popup.getByRole('button', { name: 'Download All' })).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(key).toBeFocused();
    await expect(row).toContainText('COVID Review');

    await page.getByRole('button', { name: 'Next' }).press('Enter');
    await expect(page).toHaveURL(/page=2$/);
    await expect(page.getByText(/^11 - \d+ of \d+$/)).toBeVisible();
    await page.goBack();
    await expect(page.getByText(/^1 - 10 of \d+$/)).toBeVisible();
    await expect.poll(() => formsFiledBy(page, 'Patience Owusu'), { timeout: 60_000 }).toBe(3);
    await rowsOf(page).filter({ hasText: 'Patience Owusu' }).getByRole('button').click();
    const family = page.getByRole('dialog', { name: 'Forms for Patience Owusu' });
    await expect(family.getByRole('button', { name: /COVID Clear/ }).first()).toBeVisible();
    await family.getByText('Kofi Owusu').click();
    await expect(family.getByRole('button', { name: new RegExp(`^${day} COVID Clear`) })).toHaveCount(2);
    const [zip] = await Promise.all([
      page.waitForEvent('download'),
      family.getByRole('button', { name: 'Download All' }).click(),
    ]);
    expect((await readFile(await zip.path())).toString('latin1').split('PK\x01\x02')).toHaveLength(4);
    await page.goBack();
    await expect(family).toBeHidden();

    await page.route('**/api/forms/user?**', (route) => route.fulfill({ status: 503, json: { title: 'Not now.' } }));
    await key.click();
    await expect(popup.getByText('The forms could not be loaded')).toBeVisible();
    await page.unroute('**/api/forms/user?**');
    await popup.getByRole('button', { name: 'Try again' }).click();
    await expect(form.first()).toBeVisible();
    await page.keyboard.press('Escape');
    await page.route('**/api/queue/*', (route) => route.fulfill({ json: [] }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(
      page.getByText('No Forms Available. Form submissions will appear here as soon as patients check-in.', {
        exact: true,
      }),
    ).toBeVisible();
    await expectAccessible(page);
    await page.goto('/dashboard/form-types');
    await expect(page).toHaveURL(/\/dashboard\/forms$/);
  });

  test('a patient checks in by the poster and appears in the older list at once, without a Check-in tab', async ({
    page,
    browser,
  }) => {
    await page.goto('/');
    await expect(page).toHaveURL(/\/dashboard\/forms$/);
    await expect(page.getByRole('link', { name: 'Check-in' })).toHaveCount(0);
    await expect(rowsOf(page)).toHaveCount(10);
    const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, storageState: undefined });
    const hand = await phone.newPage();
    await hand.goto('/c/2000000010');
    const name = newName();
    await fillIn(hand, name);
    await checkInButton(hand).click();
    await expect(hand.getByRole('heading', { level: 1 })).toHaveText('You’re checked in');
    await expect(rowsOf(page).first()).toContainText(`${name} Qa`);
    await phone.close();
  });

  test.describe('on a small dark phone, in Spanish', () => {
    test.use({ viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'es-US' });

    test('the older list and its popup fit a small phone', async ({ page }) => {
      await page.goto('/dashboard/forms');
      await expect(page.getByRole('heading', { name: /^Lista de formularios/ })).toBeVisible();
      // Until the list is there, the button that prints it is gray.
      const patience = rowsOf(page).filter({ hasText: 'Patience Owusu' });
      await expect(patience).toBeVisible();
      await expect(page.getByRole('button', { name: 'Imprimir la lista' })).toBeEnabled();
      await fits(page);
      await patience.getByRole('button').click();
      await expect(page.getByRole('dialog', { name: 'Formularios de Patience Owusu' })).toContainText(
        'COVID sin riesgo',
      );
      await fits(page);
    });
  });
});

test('the desk requests one missing form, whose text opens it, and reads it once it is submitted', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const { name, phone } = await checkInPatient(page, 'Ines');
  await selectPatient(page, name);
  const forms = page.getByRole('list', { name: 'Forms' });
  await expect(cardOf(page, name)).toContainText('0/5');
  await expect(forms.getByRole('listitem')).toHaveCount(5);
  await expectAccessible(page);
  const key = forms.getByRole('button', { name: /COVID Screening$/ });
  await key.press('Enter');
  await key.press('Enter');
  const asked = forms.getByRole('listitem').filter({ hasText: 'COVID Screening' });
  await expect(asked).toContainText('Delivered');
  await expect(key).toHaveAccessibleName('Requested COVID Screening');
  await expectAccessible(page);
  const texts = await textsTo(page, phone);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain('please finish your COVID Screening form before your visit');

  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const hand = await context.newPage();
  await hand.goto(/http\S+/.exec(texts[0] ?? '')?.[0] ?? '');
  await expect(hand).toHaveURL(/\/covid-screening/);
  await hand.getByRole('checkbox', { name: 'None of these' }).check();
  await expect(asked).toContainText('In progress');
  for (const no of await hand.getByRole('radio', { name: 'No', exact: true }).all()) await no.check();
  await hand.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(hand.getByRole('heading', { level: 1 })).toHaveText('Thank you');
  await context.close();
  await expect(asked).toContainText('Clear');
  await expect(page.getByRole('listitem').filter({ hasText: 'COVID Screening · Clear' })).toBeVisible();
  await expect(cardOf(page, name)).toContainText('1/5');

  await patientTexts(page, phone, 'STOP');
  const consent = forms.getByRole('listitem').filter({ hasText: 'Consent' });
  await expect(consent.getByRole('button')).toHaveAttribute('aria-disabled', 'true');
  await patientTexts(page, phone, 'START');
  await expect(consent.getByRole('button')).not.toHaveAttribute('aria-disabled');
  await page.route('**/ask-form', (route) => route.abort());
  const photoId = forms.getByRole('listitem').filter({ hasText: 'Photo ID' });
  await photoId.getByRole('button').click();
  await expect(photoId).toContainText('Photo ID was not requested. The server could not be reached. Try again.');
  await expectAccessible(page);

  await asked.getByRole('link', { name: 'View COVID Screening' }).click();
  await expect(page).toHaveURL(/\/dashboard\/forms\?visit=[\da-f-]{36}&open=/);
  await expect(page.getByRole('button', { name: `Remove filter: ${name}’s visit` })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Forms of this visit', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Back to the patient' }).click();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
});
