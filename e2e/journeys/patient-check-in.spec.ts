import { expect, test } from '#e2e/helpers/journey.ts';
import { desk, isHere, openDeskAndPhone, press, says } from '#e2e/helpers/patient-journey.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { checkInByApi, fillIn, checkInButton, maple, newName, tokenOf } from '#e2e/helpers/patient-phone.ts';
import { patientTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';

openDeskAndPhone();

test('check-in shows errors at their fields, focuses the first one, and keeps everything typed', async ({ page }) => {
  await page.goto(`/c/${maple}`);
  await page.getByRole('radio', { name: 'Me' }).check();
  await page.getByLabel('Last name').fill('محمد <b>');
  await page.getByLabel('Mobile number').fill('+44 20 7946 0958');
  await page.getByLabel('Date of birth').fill('02/30/2019');
  await checkInButton(page).click();
  await expect(page.getByLabel('First name')).toBeFocused();
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription('Enter your first name.');
  await expect(page.getByLabel('Mobile number')).toHaveAccessibleDescription(
    /10-digit mobile number from the United States/,
  );
  await expect(page.getByLabel('Date of birth')).toHaveAccessibleDescription(/Enter a real date/);
  await expect(page.getByLabel('Last name')).toHaveValue('محمد <b>');
  await expect(page.getByLabel('Mobile number')).toHaveValue('+44 20 7946 0958');
});

test('a pasted +1 number and a prefilled date are formatted like the fields', async ({ page }) => {
  await page.goto(`/c/${maple}`);
  await page.getByRole('radio', { name: 'Me' }).check();
  await page.getByLabel('Mobile number').fill('+1 646-555-0142');
  await page.getByLabel('Date of birth').fill('1990-04-02');
  await page.getByLabel('First name').click();
  await expect(page.getByLabel('Mobile number')).toHaveValue('(646) 555-0142');
  await expect(page.getByLabel('Date of birth')).toHaveValue('04/02/1990');
  await expect(page.getByText('April 2, 1990')).toBeVisible();
});

test('a parent checks in two children by keyboard alone, on a small phone, and is no patient', async ({ page }) => {
  const name = newName();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`/c/${maple}`);
  await expect(page.getByRole('link', { name: 'Privacy notice' })).toHaveAttribute('href', /^\/document\?file=privacy/);
  // A practice that treats only children expects a parent.
  const child = page.getByRole('radio', { name: 'My child' });
  await expect(child).toBeChecked();
  await child.press('ArrowLeft');
  await page.getByRole('radio', { name: 'Me' }).press('ArrowRight');
  await expect(child).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Child’s first name')).toBeFocused();
  for (const entry of [name, 'Qa']) {
    await page.keyboard.type(entry);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('02092019');
  const add = page.getByRole('button', { name: 'Add a family member' });
  await add.press('Enter');
  await expect(page.getByLabel('First name', { exact: true })).toBeFocused();
  await page.keyboard.type('Leo');
  await expect(page.getByLabel('Last name', { exact: true })).toHaveValue('Qa');
  await add.press('Enter');
  await page.getByRole('button', { name: 'Remove family member 3' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Who is being seen today?' })).toBeFocused();
  await add.scrollIntoViewIfNeeded();
  // Nothing covers it.
  await add.click({ trial: true });
  await page.getByLabel('Your first name').fill('Grace');
  await page.getByLabel('Your last name').fill('Parent');
  await page.getByLabel('Mobile number').fill(newPhone());
  await page.keyboard.press('Enter');
  await says(page, 'You’re checked in');
  await expect(page.getByRole('definition').filter({ hasText: 'Leo Qa' })).toHaveText(`${name} QaLeo Qa`);
  await expect.poll(() => desk.count(name)).toBe(1);
});

test('a check-in on another phone texts the link to the number, never to the one who typed it', async ({ page }) => {
  const phone = newPhone();
  const token = await checkInByApi(newName(), phone);
  await page.goto(`/c/${maple}`);
  await fillIn(page, 'Somebody', phone);
  await checkInButton(page).click();
  await says(page, 'Check your text messages');
  await expect(page.getByText(`We text its link to`)).toContainText(`(${phone.slice(0, 3)}) •••-••${phone.slice(-2)}`);
  await expect(page).not.toHaveURL(new RegExp(token));
  await expect.poll(() => desk.texts(phone)).toHaveLength(1);
  const [link = ''] = /\/visit\/\S+/.exec((await desk.texts(phone))[0] ?? '') ?? [];
  await page.goto(link);
  await says(page, 'You’re checked in');
});

test('whoever types a number that sent STOP reads what to do, not that it opted out', async ({ page }) => {
  const phone = newPhone();
  await checkInByApi(newName(), phone);
  await page.goto(`/c/${maple}`);
  await patientTexts(page, phone, 'STOP');
  await fillIn(page, 'Somebody', phone);
  await checkInButton(page).click();
  await says(page, 'Check your text messages');
  await expect(page.getByText('We text its link to')).toContainText('if that number gets our texts');
  await expect(page.getByText('No text after a few minutes? Please tell the front desk.')).toBeVisible();
  await expect(page.getByText('STOP')).toHaveCount(0);
  await expectAccessible(page);
});

test('a Spanish phone is greeted in Spanish, and changing the language keeps what was typed', async ({ browser }) => {
  const page = await (await browser.newContext({ locale: 'es-MX' })).newPage();
  await page.goto(`/c/${maple}`);
  await says(page, 'Registrarse');
  await expect(page.getByRole('radio', { name: 'Mi hijo o hija' })).toBeChecked();
  await page.getByRole('radio', { name: 'Yo' }).check();
  await page.getByLabel('Nombre').fill('Lucía');
  await press(page, 'English');
  await says(page, 'Check in');
  await expect(page.getByLabel('First name')).toHaveValue('Lucía');
  await press(page, 'Español');
  const phone = newPhone();
  await page.getByLabel('Apellido').fill('Qa');
  await page.getByLabel('Número de celular').fill(phone);
  await page.getByLabel('Fecha de nacimiento').fill('04/02/1990');
  await expect(page.getByText('2 de abril de 1990')).toBeVisible();
  await press(page, 'Ya llegué');
  await says(page, 'Su llegada está registrada');
  await desk.call(tokenOf(page));
  await says(page, 'Pase ahora');
  await expect.poll(() => desk.texts(phone)).toEqual([expect.stringContaining('ya puede pasar')]);
});

test('whoever was removed as a duplicate is not led to one more check-in', async ({ page }) => {
  const { token } = await isHere(page);
  await desk.end(token, 'duplicate');
  await says(page, 'You were checked in twice');
  await expect(page.getByRole('link', { name: 'Check in again' })).toBeHidden();
  await page.getByText('Another visit?').click();
  await expect(page.getByRole('link', { name: 'Check in again' })).toBeVisible();
});

test('leaving the line asks for confirmation, and a new check-in can follow', async ({ page }) => {
  const { name } = await isHere(page);
  await press(page, 'More');
  await press(page, 'Cancel visit');
  await expect(page.getByRole('button', { name: 'Keep my place' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Cancel visit' })).toBeFocused();
  await press(page, 'Cancel visit');
  await press(page, 'Cancel my visit');
  await says(page, 'You’re no longer in line');
  await page.getByRole('link', { name: 'Check in again' }).click();
  await fillIn(page, name);
  await checkInButton(page).click();
  await says(page, 'You’re checked in');
  expect(await desk.count(name)).toBe(2);
});

test('an unknown URL leads back to the visit or to check-in', async ({ page }) => {
  const { token } = await isHere(page);
  for (const path of [`/visit/${token}/nothing`, `/visit/${token}/forms/nothing`]) {
    expect((await page.goto(path))?.status()).toBe(404);
    await says(page, 'We couldn’t find that page');
    await expectAccessible(page);
  }
  await page.getByRole('link', { name: 'Go to your visit' }).click();
  await says(page, 'You’re checked in');
  expect((await page.goto(`/c/${maple}/nothing`))?.status()).toBe(404);
  await page.getByRole('link', { name: 'Go to check-in' }).click();
  await says(page, 'Someone is already checked in on this phone');
});

test('on a shared phone somebody else can start over, and the phone forgets the earlier visit', async ({ page }) => {
  const { token } = await isHere(page);
  await page.goto(`/c/${maple}`);
  await says(page, 'Someone is already checked in on this phone');
  await expectAccessible(page);
  await press(page, 'I’m someone else');
  await says(page, 'Check in');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.reload();
  await says(page, 'Check in');
  const second = await isHere(page);
  expect(second.token).not.toBe(token);
});

test('an expected patient replies HERE to the text and then says who is seen', async ({ page }) => {
  const name = newName();
  const phone = newPhone();
  const token = await desk.expect(phone);
  await page.goto(`/c/t/${token}`);
  await says(page, 'Check in');
  await expect(page.getByLabel('Mobile number')).toHaveCount(0);
  await expect(checkInButton(page)).toBeVisible();
  await desk.reply(phone, 'Here!');
  await says(page, 'You’re checked in');
  await expect.poll(() => desk.texts(phone)).toContainEqual(expect.stringContaining("thanks, you're checked in."));
  await expectAccessible(page);
  await fillIn(page, name, null);
  await press(page, 'Continue');
  await says(page, 'You’re checked in');
  await expect.poll(() => desk.count(name)).toBe(1);
  await page.reload();
  await says(page, 'You’re checked in');
});

test('an unknown office, a malformed number and an expired link say so', async ({ page }) => {
  for (const npi of ['9999999999', '12', 'x%00y']) {
    expect((await page.goto(`/c/${npi}`))?.status()).toBeGreaterThanOrEqual(400);
    if (npi.length === 10 || npi === '12') await says(page, 'We could not find this practice');
  }
  await page.goto(`/visit/${'A'.repeat(32)}`);
  await says(page, 'This link has expired');
  await page.goto('/visit/short');
  await says(page, 'This link has expired');
});

test('a closed office says when it opens', async ({ page }) => {
  const wide = { open: '08:00', close: '17:00' };
  const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'America/New_York' });
  const week = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const today = week.indexOf(day.format(new Date()));
  try {
    await desk.hours(week.map((_, i) => (i === (today + 1) % 7 ? wide : null)));
    await page.goto(`/c/${maple}`);
    await says(page, 'We are closed right now');
    await expect(page.getByText('We are closed today.')).toBeVisible();
    await expect(page.getByText(new RegExp(`We open on ${week[(today + 1) % 7]}, .* at 8:00 AM`))).toBeVisible();
    await expectAccessible(page);
  } finally {
    await desk.hours(null);
  }
});
