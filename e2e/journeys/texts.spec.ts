import { formatPhone } from '#contract/phone-format.ts';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { patientTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { checkInPatient, cardOf, selectPatient, openDesk, expectAccessible } from '#e2e/helpers/queue-desk.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

const expectedGroup = (page: Page) => page.locator('#expected');
const expectsSomebody = async (page: Page, digits: string) => {
  await page.getByRole('button', { name: 'Text a patient' }).click();
  const dialog = page.getByRole('dialog', { name: 'Text a patient' });
  await dialog.getByLabel('Mobile number').pressSequentially(digits);
  await dialog.getByRole('button', { name: 'Send' }).click();
  return dialog;
};

test('success is reported only for a text that was sent: to an opted-out number nothing can be sent, until it texts START', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const { name, phone } = await checkInPatient(page, 'Stella');
  await selectPatient(page, name);
  const box = page.getByLabel('Message to patient');
  await box.fill('The doctor is running late.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('The message was sent to the patient')).toBeVisible();

  await patientTexts(page, phone, 'STOP');
  const stopped = 'This number has opted out of texts (STOP). Please call the patient, or speak to them in person.';
  await expect(cardOf(page, name)).toContainText('Opted out of texts (STOP)');
  await expect(page.getByRole('region', { name: 'Patient' }).getByText(stopped)).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'stop-before');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const request = page.getByRole('button', { name: 'Request 5 missing forms' });
  await box.fill('Please bring your card.');
  await box.press('Control+Enter');
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await expect(request).toHaveAttribute('aria-disabled', 'true');
  await expect(request).toHaveAccessibleDescription(stopped);
  await expect(page.getByRole('button', { name: 'Request Consent' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('please finish your')).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, 'nothing-can-be-sent');
  await patientTexts(page, phone, 'START');
  await expect(request).not.toHaveAttribute('aria-disabled');
  await expect(send).not.toHaveAttribute('aria-disabled');
  await expect(box).toHaveValue('Please bring your card.');
  await patientTexts(page, phone, 'STOP');
  await expect(request).toHaveAttribute('aria-disabled', 'true');

  await page.getByRole('button', { name: 'Invite Patient' }).click();
  await expect(page.getByText(`${name} was invited, but not texted`)).toBeVisible();
  await expect(cardOf(page, name)).toContainText('Invited');
  const state = cardOf(page, name).getByText('Invited', { exact: true });
  expect(await state.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  await expect(cardOf(page, name).getByText('Text failed', { exact: true })).toBeVisible();
  await expect(page.getByText('The invitation was sent to the patient')).toHaveCount(0);
  await shoot(page, 'invite-refused');
});

test('an expected patient is listed, texted again, corrected, removed, and restored with Undo', async ({ browser }) => {
  const page = await openDesk(browser);
  const [wrong, right] = [newPhone(), newPhone()];
  await expectsSomebody(page, wrong);
  await expect(page.getByText('Your SMS invite was successfully sent to the patient')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('e');
  const row = (digits: string) =>
    expectedGroup(page)
      .getByRole('listitem')
      .filter({ hasText: formatPhone(digits) });
  await expect(row(wrong)).toContainText('Text sent');
  await expect(expectedGroup(page).locator('summary')).toBeFocused();
  await expectAccessible(page);
  await shoot(page, 'expected');

  // Not the whole number. Without the area code another patient of the run may have the same: all are (…) 555-….
  await page.getByRole('searchbox').fill(wrong.slice(1));
  await expect(row(wrong)).toBeVisible();
  await expect(page.getByText('Found in Expected')).toBeVisible();
  await shoot(page, 'expected-search');
  await page.getByRole('searchbox').fill('Nobody of that name');
  await expect(expectedGroup(page)).toHaveCount(0);
  await expect(page.getByText('No patients found')).toBeVisible();
  await page.getByRole('searchbox').fill('');

  await row(wrong).getByRole('button', { name: 'Send the link again' }).click();
  await expect(page.getByText('Check-in link sent again')).toBeVisible();

  await row(wrong).getByRole('button', { name: 'Correct the number' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct the number' });
  const number = dialog.getByLabel('Mobile number');
  await expect(number).toHaveValue(formatPhone(wrong));
  await expect(number).toBeFocused();
  // Selected, so that typing replaces the wrong number.
  await page.keyboard.type(right);
  await expect(number).toHaveValue(formatPhone(right));
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog).toBeHidden();
  await expect(row(right)).toContainText('Text sent');
  await expect(row(wrong)).toHaveCount(0);

  await row(right).getByRole('button', { name: 'Remove' }).click();
  await expect(row(right)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Back on the Expected list')).toBeVisible();
  await expect(row(right)).toHaveCount(1);
});

test('a number the carrier refuses stays in the dialog with the reason, and on the Expected list', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const dialog = await expectsSomebody(page, '2025550002');
  const number = dialog.getByLabel('Mobile number');
  const reason = 'This number cannot get texts. Please check it, or call the patient.';
  await expect(number).toHaveAccessibleDescription(reason);
  await expect(dialog.getByText(reason).first()).toBeVisible();
  await expect(page.getByText('Your SMS invite was successfully sent to the patient')).toHaveCount(0);
  await expect(number).toHaveValue('(202) 555-0002');
  await expect(number).toBeFocused();
  await expectAccessible(page);
  await shoot(page, 'expect-refused');
  // The buttons are the one of the title, the one of the footer, and the one of the toast.
  await dialog.getByRole('button', { name: 'Close' }).nth(1).click();
  await page.keyboard.press('e');
  const fate = expectedGroup(page).getByText('Not delivered: this number cannot get texts');
  await expect(fate).toBeVisible();
  const refused = expectedGroup(page).getByRole('listitem').filter({ hasText: '(202) 555-0002' });
  for (const width of [1366, 390, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const text = await fate.boundingBox();
    const button = await refused.getByRole('button', { name: 'Remove' }).boundingBox();
    expect(text!.y).toBeGreaterThanOrEqual(button!.y + button!.height);
    const group = expectedGroup(page);
    expect(await group.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  }
  await page.setViewportSize({ width: 1366, height: 740 });
  await refused.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(refused).toHaveCount(0);
  await expect(page.locator('body')).not.toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(refused).toHaveCount(1);
  await refused.getByRole('button', { name: 'Remove' }).click();
  await expect(refused).toHaveCount(0);
});

test('after a refusal the number can be corrected in the dialog', async ({ browser }) => {
  const page = await openDesk(browser);
  const dialog = await expectsSomebody(page, '2025550002');
  const number = dialog.getByLabel('Mobile number');
  await expect(number).toHaveAccessibleDescription(/^This number cannot get texts\./);
  await number.fill('');
  await number.pressSequentially(newPhone());
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Your SMS invite was successfully sent to the patient')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(expectedGroup(page).getByText('(202) 555-0002')).toHaveCount(0);
});

test('Shift+F requests all missing forms with one text that names them, F leads to the forms', async ({ browser }) => {
  const page = await openDesk(browser);
  const { name, phone } = await checkInPatient(page, 'Fiona');
  await selectPatient(page, name);
  await page.getByRole('heading', { name, level: 2 }).click();
  const names = 'Insurance Card, Photo ID, Health History, COVID Screening, and Consent';
  await expect(page.getByRole('button', { name: 'Request 5 missing forms' })).toHaveAccessibleDescription(
    new RegExp(`please finish your ${names} forms before your visit: \\(link to the visit\\)`),
  );
  await page.keyboard.press('Shift+F');
  await expect(page.getByRole('button', { name: 'All requested' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Forms' }).getByText('Delivered')).toHaveCount(5);
  await expectAccessible(page);
  await shoot(page, 'request-all');
  const sent = (await (await page.request.get('/dev/outbox.json', { params: { to: phone } })).json()) as {
    body: string;
  }[];
  expect(sent).toHaveLength(1);
  expect(sent[0]?.body).toContain(names);

  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Requested Insurance Card' })).toBeFocused();
});

test.describe('on a small dark phone, in Spanish', () => {
  test('the expected group fits a small dark phone', async ({ browser }) => {
    const page = await openDesk(browser, 'luis', {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
      locale: 'es-US',
    });
    const phone = newPhone();
    const headers = { origin: new URL(page.url()).origin };
    await page.request.post('/api/appointments/addCheckin', { headers, data: { phone: `+1${phone}` } });
    await expectedGroup(page).locator('summary').click();
    await expect(expectedGroup(page)).toContainText('Mensaje enviado a las');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await expectAccessible(page);
    await shoot(page, 'expected-es');
  });
});
