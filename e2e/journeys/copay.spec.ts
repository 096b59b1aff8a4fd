import { expect, test } from '#e2e/helpers/journey.ts';
import { deskApi } from '#e2e/helpers/patient-phone.ts';
import { checkInPatient, expectAccessible, openDesk, selectPatient } from '#e2e/helpers/queue-desk.ts';
import { shootAs } from '#e2e/helpers/screenshots.ts';

const shoot = shootAs('copay');

test('the desk requests a copay, the patient pays it after a declined card, and the desk refunds a part', async ({
  browser,
}) => {
  const desk = await openDesk(browser);
  const { name, phone } = await checkInPatient(desk, 'Paloma');
  await selectPatient(desk, name);
  await desk.getByRole('button', { name: 'Request payment' }).click();
  await desk.getByLabel('Copay, in dollars').fill('25');
  await expectAccessible(desk);
  await shoot(desk, 'request');
  await desk.getByRole('dialog').getByRole('button', { name: 'Request $25.00' }).click();
  await expect(desk.getByText(`${name} was texted a link to pay $25.00`)).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Payment Pending' })).toBeFocused();
  await expect(desk.getByText('$25.00 · requested', { exact: true })).toBeVisible();
  await expect(desk.getByRole('option', { name: `${name}` })).toContainText('Payment: $25.00 · requested');

  await expect(desk.getByText('Payment request ·')).toBeVisible();

  // Only the phone that got the link may pay.
  const api = await deskApi();
  let link: string | undefined;
  await expect(async () => {
    link = (await api.texts(phone.slice(2))).map((body) => /\/visit\/[\w-]{20,}/.exec(body)?.[0]).find(Boolean);
    expect(link).toBeDefined();
  }).toPass({ timeout: 10_000 });
  await api.close();

  const patient = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await patient.goto(link ?? '');
  await patient.getByRole('button', { name: 'Pay by card' }).click();
  const form = patient.frameLocator('iframe[title="Card form"]');
  const fill = async (number: string) => {
    await form.getByLabel('Cardholder Name').fill('Paloma Quill');
    await form.getByLabel('Card Number').fill(number);
    await form.getByLabel('Expiry Date').fill('12/39');
    await form.getByLabel('CVC').fill('123');
    await form.getByRole('button', { name: 'Pay $25.00' }).click();
  };
  await form.getByRole('button', { name: 'Pay $25.00' }).click();
  await expect(form.getByText('Invalid CVC')).toBeVisible();
  // The buttons at the foot do not cover the card form.
  await expect(patient.locator('[data-foot=calm]')).toHaveCSS('position', 'static');
  await expectAccessible(patient);
  await shoot(patient, 'phone-card-form');
  await fill('4000000000000002');
  await expect(patient.getByText('Your card was declined.')).toBeVisible();
  // The desk can end a payment that failed, or ask for another one.
  await expect(desk.getByRole('button', { name: 'Request another payment' })).toBeVisible();
  await desk.getByRole('button', { name: 'Payment Pending' }).click();
  await expect(desk.getByRole('dialog').getByRole('button', { name: 'Cancel request' })).toBeVisible();
  await desk.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
  await patient.getByRole('button', { name: 'Try again' }).click();
  await fill('4242424242424242');
  await expect(patient.getByRole('heading', { name: 'Paid: $25.00' })).toBeVisible();
  await expectAccessible(patient);

  await expect(desk.getByText(`${name} paid $25.00`)).toBeVisible();
  await desk.getByRole('button', { name: 'Payment Done' }).click();
  const dialog = desk.getByRole('dialog', { name: `Payment: ${name}` });
  await expect(dialog.getByText('Payment Successful')).toBeVisible();
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByLabel('Amount, in dollars').fill('5');
  await dialog.getByLabel('Reason').fill('Copay was too high');
  await expect(dialog.getByText('Athena has this payment.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Refund $5.00' }).click();
  await expect(dialog.getByText('Copay was too high')).toBeVisible();
  await expect(dialog.getByRole('heading', { name: `Payment: ${name}` })).toBeFocused();
  await expect(dialog.getByText('Athena still has $5.00 that was refunded.')).toBeVisible();
  await expectAccessible(desk);
  await shoot(desk, 'refunded');

  await desk.goto('/dashboard/transactions');
  await desk.getByRole('button', { name: /^Show all \d+$/ }).click();
  // Of the demo's morning: what the practice software refused. Other journeys need it as it is.
  const refused = desk.getByRole('listitem').filter({ hasText: 'Athena does not accept payments right now.' });
  await expect(refused.first().getByRole('button', { name: 'No, record it now' })).toBeVisible();
  await desk.getByRole('button', { name: `It is corrected: ${name}` }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'It is corrected' }).click();
  await expect(desk.getByRole('button', { name: `It is corrected: ${name}` })).toBeHidden();
  await desk.getByLabel('Patient name').fill(name);
  await desk.getByRole('button', { name: 'Search' }).click();
  await expect(desk.getByText('2 transactions')).toBeVisible();
  await expect(desk.getByText('Payment Failed')).toBeVisible();
  await expectAccessible(desk);
  await shoot(desk, 'transactions');
});
