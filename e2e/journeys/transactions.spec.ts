import { readFile } from 'node:fs/promises';
import { expect, test } from '#e2e/helpers/journey.ts';
import { paymentsOf } from '#e2e/helpers/payments.ts';
import { expectAccessible, openDesk, selectPatient } from '#e2e/helpers/queue-desk.ts';
import { shootAs } from '#e2e/helpers/screenshots.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shoot = shootAs('transactions');

test('transactions are filtered and paged, downloaded as a safe file and printed; without payments there is no tab', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  await page.getByRole('link', { name: 'Transactions' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'transactions' })).toBeVisible();
  const rows = page.getByRole('row').filter({ has: page.getByRole('button') });
  await expect(rows).toHaveCount(10);

  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('button', { name: 'First' })).toBeEnabled();
  await page.getByRole('button', { name: 'First' }).click();
  await page.getByLabel('Payment status').selectOption('Canceled');
  await expect(page.getByText('Payment Successful')).toHaveCount(0);
  // Of the demo's morning: patients of other journeys have more than one payment.
  const voided = rows.filter({ hasText: 'Payment Cancelled', hasNotText: / Qa[a-z]{7}/ }).first();
  await expect(voided).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'canceled');

  const name = (await voided.getByRole('button').textContent()) ?? '';
  await page.getByLabel('Patient name').fill(name);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('1 transaction', { exact: true })).toBeVisible();
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Patient name').fill('Nobody of this name');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No Transactions Found')).toBeVisible();

  await page.getByLabel('Patient name').fill('');
  await page.getByLabel('Payment status').selectOption('Show all');
  await expect(rows).toHaveCount(10);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const file = await readFile(await download.path(), 'utf8');
  expect(file).toMatch(/^\uFEFF"?Date"?,/);
  expect(file.trim().split('\r\n').length).toBeGreaterThan(10);
  expect(file).not.toMatch(/(^|,|\n)"?[=+@\t-]/);

  const link = page.getByRole('link', { name: 'See transactions details' });
  await expect(link).toHaveAttribute('href', /\/dev\/charges\?merchant=/);
  await page.getByRole('button', { name: 'End-of-day report' }).click();
  const report = page.getByRole('dialog', { name: 'End-of-day report' });
  await expect(report.getByText('Recorded in the practice software')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'day-report');
  await report.getByRole('button', { name: 'Close' }).last().click();

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(/Maple Street Pediatrics · .*Printed/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeHidden();
  await expect(page.getByLabel('Payment status')).toBeHidden();
  await expect(rows).toHaveCount(10);
  await page.context().close();

  const spanish = await (await browser.newContext({ storageState: sessionFileOf(staff.luis) })).newPage();
  await spanish.goto('/dashboard/transactions');
  await spanish.getByLabel('Estado del pago').selectOption('canceled');
  await expect(spanish.getByText('Pago cancelado').first()).toBeVisible();
  await expect(spanish.getByText('Pago exitoso')).toHaveCount(0);
  await expectAccessible(spanish);
  await shoot(spanish, 'canceled-es');
  await spanish.context().close();

  const without = await (await browser.newContext({ storageState: sessionFileOf(staff.ruth) })).newPage();
  await without.goto('/dashboard/settings');
  await expect(without.getByRole('link', { name: 'Settings' }).first()).toBeVisible();
  await expect(without.getByRole('link', { name: 'Transactions' })).toBeHidden();
});

test('a patient pays in Spanish, and keeps the receipt when another payment is requested', async ({ browser }) => {
  const desk = await openDesk(browser);
  const payments = await paymentsOf(desk);
  const visit = await payments.request('Alma', 2_500);
  const { name, link } = visit;

  const patient = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-US' })
  ).newPage();
  await patient.goto(link);
  await patient.getByRole('button', { name: 'Español' }).click();
  await patient.getByRole('button', { name: 'Pagar con tarjeta' }).click();
  const form = patient.frameLocator('iframe[title="Formulario de la tarjeta"]');
  await form.getByLabel('Nombre del titular').fill('Alma Quill');
  await form.getByLabel('Número de tarjeta').fill('4242424242424242');
  await form.getByLabel('Fecha de vencimiento').fill('12/39');
  await form.getByLabel('CVC').fill('123');
  await form.getByRole('button', { name: 'Pagar $25.00' }).click();
  const receipt = patient.getByRole('region', { name: 'Pagado: $25.00' });
  await expect(receipt.getByRole('button', { name: 'Imprimir recibo' })).toBeVisible();
  await expect(receipt.getByText('(212) 555-0160')).toBeVisible();
  await expectAccessible(patient);
  await shoot(patient, 'phone-receipt-es');

  await payments.requestAgain(visit, 1_000);
  await expect(patient.getByRole('heading', { name: 'Su pago: $10.00' })).toBeVisible();
  await expect(receipt.getByText('Visa •••• 4242')).toBeVisible();
  await expectAccessible(patient);
  await shoot(patient, 'phone-second-request-es');

  await selectPatient(desk, name);
  await desk.getByRole('button', { name: 'Payment Pending' }).click();
  const dialog = desk.getByRole('dialog', { name: `Payment: ${name}` });
  await dialog.getByRole('button', { name: '$25.00' }).click();
  await expect(dialog.getByText('Payment Successful')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Print receipt' })).toBeVisible();
  await expectAccessible(desk);
  await shoot(desk, 'other-payments');
  await desk.emulateMedia({ media: 'print' });
  await expect(desk.getByText('Paid: $25.00', { exact: true })).toBeVisible();
  await expect(desk.getByText('(212) 555-0160')).toBeVisible();
  await expect(dialog.getByText('Payment Successful')).toBeHidden();

  await desk.emulateMedia({ media: 'screen' });
  await dialog.getByRole('button', { name: 'Void', exact: true }).click();
  await dialog.getByLabel('Reason').fill('Meant for another visit');
  await dialog.getByRole('button', { name: 'Void payment' }).click();
  await expect(dialog.getByText('Payment Cancelled')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Refunds' })).toContainText('Meant for another visit');
});
