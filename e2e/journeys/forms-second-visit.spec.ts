import sharp from 'sharp';
import { choose, photographs, Screens } from '#e2e/helpers/form-screens.ts';
import { consentAnswers, submitForm } from '#e2e/helpers/filed-forms.ts';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { checkInByApi, deskApi, newName, textedToken, type DeskApi } from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const chosen = (...codes: string[]) => codes.map((code) => ({ code }));

/** An uploaded photo, as an answer names it. */
async function photoOf(page: Page, token: string) {
  const picture = sharp({ create: { width: 90, height: 60, channels: 3, background: '#37a' } });
  const headers = { origin: new URL(page.url()).origin, 'content-type': 'image/jpeg' };
  const data = await picture.jpeg().toBuffer();
  const sent = await page.request.post(`/api/visit/${token}/form-files`, { headers, data });
  const { url, contentType, size } = (await sent.json()) as { url: string; contentType: string; size: number };
  return [{ url, contentType, size }];
}

/** A visit that is over, at which an adult submitted all forms by the texted link. */
async function visitBefore(page: Page, desk: DeskApi, name: string, phone: string): Promise<void> {
  await checkInByApi(name, phone);
  const token = await textedToken(desk, phone);
  await page.goto(`/visit/${token}`);
  await submitForm(page, token, 'insurance-card', {
    insured: chosen('card-here'),
    'card-front': await photoOf(page, token),
    'card-back': await photoOf(page, token),
    relationship: chosen('self'),
    company: ['Empire Health'],
    'has-second': [false],
  });
  await submitForm(page, token, 'photo-id', {
    age: [36],
    kind: chosen('passport'),
    'id-front': await photoOf(page, token),
  });
  await submitForm(page, token, 'health-history', {
    age: [36],
    reason: ['A cough'],
    'has-allergies': chosen('yes'),
    'allergy-to#0': ['Penicillin'],
    'takes-medicines': chosen('no'),
    condition: chosen('none'),
    'had-surgery': [false],
    'family-condition': chosen('none'),
    tobacco: chosen('never'),
    alcohol: chosen('never'),
    sex: chosen('female'),
    pregnant: chosen('no'),
    'address-line': ['212 Clinton Street'],
    'address-city': ['Brooklyn'],
    'address-state': chosen('NY'),
    'address-zip': ['11201'],
    'emergency-name': ['Alex Morgan'],
    'emergency-phone': ['(718) 555-0142'],
  });
  await submitForm(page, token, 'covid-screening', {
    symptoms: chosen('none'),
    positive: [false],
    waiting: [false],
    contact: chosen('no'),
  });
  await submitForm(page, token, 'consent', consentAnswers);
  await desk.end(token, 'seen');
}

test('an adult of whom everything is known confirms it: at most 8 pages', async ({ page }) => {
  test.setTimeout(240_000);
  const desk = await deskApi();
  const [name, phone] = [newName(), newPhone()];
  await visitBefore(page, desk, name, phone);
  const unproved = await checkInByApi(name, phone);

  await page.goto(`/visit/${unproved}`);
  await page.getByRole('link', { name: 'Photo ID Not started' }).click();
  await expect(page.getByRole('radio', { name: 'Passport' })).not.toBeChecked();
  await expect(page.getByText(/from your visit on/i)).toBeHidden();

  const screens = new Screens(page);
  await page.goto(`/visit/${await textedToken(desk, phone)}`);
  await page.getByRole('link', { name: /^Fill out forms/ }).click();

  await screens.shows('Your insurance');
  await expect(page.getByRole('radio', { name: 'Yes, and I have the card here' })).toBeChecked();
  await expect(page.getByText(/are from your visit on \w+ \d+, \d{4}\. Are they still right\?$/)).toBeVisible();
  await photographs(page, 'Front of the card');
  await photographs(page, 'Back of the card');
  await screens.on();
  await screens.shows('Is this still right?');
  await expect(page.getByText('Empire Health')).toBeVisible();
  await expectAccessible(page);
  await screens.on('Yes, submit');
  await screens.on('Next form: Photo ID');

  await screens.shows('Photo ID');
  await expect(page.getByRole('radio', { name: 'Passport' })).toBeChecked();
  await photographs(page, 'Front of the ID');
  await screens.on('Submit');
  await screens.on('Next form: Health History');

  await screens.shows('This visit');
  await expect(page.getByLabel('What brings you in today?')).toHaveValue('');
  await expect(page.getByRole('textbox', { name: 'Allergic to' })).toHaveValue('Penicillin');
  await expect(page.getByText(/^Some of these answers are from your visit on/)).toBeVisible();
  await page.getByLabel('What brings you in today?').fill('A check-up');
  await screens.on();
  // Pregnancy and weight are asked at each visit.
  await screens.shows('Daily life');
  await choose(page, /pregnant/, 'No');
  await screens.on();
  await screens.shows('Is this still right?');
  await expect(page.getByText('212 Clinton Street')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change Home address' }).click();
  await page.getByLabel('City', { exact: true }).fill('Queens');
  await screens.on();
  await expect(page.getByText('Partly from your visit on')).not.toHaveCount(0);
  await screens.on('Yes, submit');
  await screens.on('Next form: COVID Screening');

  await screens.shows('Before you come in');
  for (const one of await page.getByRole('checkbox').all()) await expect(one).not.toBeChecked();
  for (const one of await page.getByRole('radio').all()) await expect(one).not.toBeChecked();
  await page.getByRole('checkbox', { name: 'None of these' }).check();
  for (const no of await page.getByRole('radio', { name: 'No', exact: true }).all()) await no.check();
  await screens.on('Submit');
  await screens.on('Next form: Consent');

  await screens.shows('Consent');
  for (const one of await page.getByRole('radio').all()) await expect(one).not.toBeChecked();
  for (const agree of await page.getByRole('checkbox', { name: 'I have read this and I agree' }).all())
    await agree.check();
  await page.getByRole('radio', { name: 'Yes' }).check();
  await page.getByRole('radio', { name: 'The patient' }).check();
  await screens.on('Type your name instead');
  await page.getByLabel('Your full name, as your signature').fill('Ada Byron');
  await screens.on('Submit');
  await expect(page.getByText('All forms are done.')).toBeVisible();

  expect(screens.seen.length, screens.seen.join(', ')).toBeLessThanOrEqual(8);
  await desk.close();
});
