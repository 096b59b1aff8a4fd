import { choose, photographs, Screens } from '#e2e/helpers/form-screens.ts';
import { expect, test } from '#e2e/helpers/journey.ts';
import { checkInByApi, newName } from '#e2e/helpers/patient-phone.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

test('an adult fills all forms of a first visit on at most 14 pages', async ({ page }) => {
  test.setTimeout(180_000);
  const token = await checkInByApi(newName());
  const screens = new Screens(page);
  await page.goto(`/visit/${token}`);
  await page.getByRole('link', { name: /^Fill out forms/ }).click();

  await screens.shows('Your insurance');
  await page.getByRole('radio', { name: 'Yes, and I have the card here' }).check();
  await photographs(page, 'Front of the card');
  await photographs(page, 'Back of the card');
  await page.getByRole('radio', { name: 'The patient' }).check();
  await screens.on();
  await screens.shows('What is on the card');
  await page.getByRole('radio', { name: 'No', exact: true }).check();
  await screens.on();
  await screens.shows('Review your answers');
  await screens.on('Submit');
  // The first PDF of a server starts the process that writes it.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you', { timeout: 60_000 });
  await screens.on('Next form: Photo ID');

  await screens.shows('Photo ID');
  // Whose ID it is, and who is being seen, follow from the birth date.
  await expect(page.getByText('Whose ID is it?')).toBeHidden();
  await page.getByRole('radio', { name: 'Passport' }).check();
  await photographs(page, 'Front of the ID');
  await screens.on('Submit');
  await screens.on('Next form: Health History');

  await screens.shows('This visit');
  await expect(page.getByText('Part 1 of 4')).toBeVisible();
  await expect(page.getByText('Who is being seen?')).toBeHidden();
  await page.getByLabel('What brings you in today?').fill('A cough');
  await choose(page, /^Any allergies/, 'No');
  await choose(page, /Any medicines/, 'No');
  await screens.on();
  await screens.shows('Medical history');
  await expectAccessible(page);
  for (const none of await page.getByRole('checkbox', { name: 'None of these' }).all()) await none.check();
  await choose(page, /^Any surgeries/, 'No');
  await screens.on();
  await screens.shows('Daily life');
  await choose(page, /smoke, vape/, 'Never');
  await choose(page, /alcohol/, 'Never');
  await expect(page.getByText('Could you be pregnant?')).toBeHidden();
  await choose(page, /^Sex assigned/, 'Female');
  await choose(page, /pregnant/, 'No');
  await page.getByLabel(/^Feet/).fill('5');
  await page.getByLabel(/^Inches/).fill('4');
  await screens.on();
  await screens.shows('Home address');
  await page.getByLabel('Street and number').fill('212 Clinton Street');
  await page.getByLabel('City', { exact: true }).fill('Brooklyn');
  await page.getByLabel('State', { exact: true }).selectOption('New York');
  await page.getByLabel('ZIP code').fill('11201');
  await page.getByLabel('Name', { exact: true }).fill('Alex Morgan');
  await page.getByLabel('Phone number').fill('(718) 555-0142');
  await screens.on();
  await screens.shows('Review your answers');
  await expect(page.getByRole('heading', { name: 'Emergency contact' })).toBeVisible();
  await expect(page.getByText('5 ft 4 in')).toBeVisible();
  await expectAccessible(page);
  await screens.on('Submit');
  await screens.on('Next form: COVID Screening');

  await screens.shows('Before you come in');
  await page.getByRole('checkbox', { name: 'None of these' }).check();
  for (const no of await page.getByRole('radio', { name: 'No', exact: true }).all()) await no.check();
  await screens.on('Submit');
  await screens.on('Next form: Consent');

  await screens.shows('Consent');
  await expectAccessible(page);
  for (const agree of await page.getByRole('checkbox', { name: 'I have read this and I agree' }).all())
    await agree.check();
  await page.getByRole('radio', { name: 'Yes' }).check();
  await page.getByRole('radio', { name: 'The patient' }).check();
  await expect(page.getByLabel('Full name of the person who signs')).toHaveValue(/^Pat\w+ Qa$/);
  await screens.on('Type your name instead');
  await page.getByLabel('Your full name, as your signature').fill('Ada Byron');
  await screens.on('Submit');
  await expect(page.getByText('All forms are done.')).toBeVisible();

  expect(screens.seen.length, screens.seen.join(', ')).toBeLessThanOrEqual(14);
});

test('a screening for review says what to do now, and an expired ID gets a note', async ({ page }) => {
  const token = await checkInByApi(newName());
  await page.goto(`/visit/${token}`);
  await page.getByRole('link', { name: 'Photo ID Not started' }).click();
  const expires = page.getByRole('group', { name: /^Expiration date/ });
  await expires.getByLabel('Month').fill('3');
  await expires.getByLabel('Day').fill('14');
  await expires.getByLabel('Year').fill('2020');
  await expect(page.getByText('This ID has expired.')).toBeVisible();
  await expires.getByLabel('Year').fill('2120');
  await expect(page.getByText('This ID has expired.')).toBeHidden();
  await page.getByRole('button', { name: 'Finish this form later' }).click();

  await page.getByRole('link', { name: 'COVID Screening Not started' }).click();
  await page.getByRole('checkbox', { name: 'Cough' }).check();
  for (const no of await page.getByRole('radio', { name: 'No', exact: true }).all()) await no.check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('note', { name: 'What to do now' })).toContainText('Please stay outside or in your car', {
    timeout: 60_000,
  });
  await expectAccessible(page);
});

test('a form of one page can be finished later from the start, and is listed as not finished', async ({ page }) => {
  const token = await checkInByApi(newName());
  await page.goto(`/visit/${token}`);
  await page.getByRole('link', { name: 'Consent Not started' }).click();
  await page.getByRole('radio', { name: 'Yes' }).check();
  await page.getByRole('button', { name: 'Finish this form later' }).click();
  await expect(page.getByRole('link', { name: 'Consent In progress' })).toBeVisible();
  await page.getByRole('link', { name: 'Consent In progress' }).click();
  await expect(page.getByRole('radio', { name: 'Yes' })).toBeChecked();
});
