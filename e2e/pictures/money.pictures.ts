import { expect, type Page } from '@playwright/test';
import type { QueueEntry } from '#contract/queue.ts';
import { test } from '#e2e/helpers/journey.ts';
import { cards, paymentsOf } from '#e2e/helpers/payments.ts';
import { checkInPatient, selectPatient } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';
import { lookName, openAs, phoneLooks, take, type Look } from './looks.ts';
import { panelPicture } from './picture.ts';

/** Copays at the desk and on the phone, the transactions and their to-do list. */

const names = {
  request: /^(Request payment|Solicitar pago)$/,
  requestIt: /^(Request \$|Solicitar \$)/,
  status: /^(Payment (Done|Pending)|Pago (realizado|pendiente))$/,
  refund: /^(Refund|Reembolsar)$/,
  void: /^(Void|Anular)$/,
};
const dialog = (page: Page) => page.getByRole('dialog');

type RequestedPayment = Awaited<ReturnType<Awaited<ReturnType<typeof paymentsOf>>['request']>>;
type Payments = Awaited<ReturnType<typeof paymentsOf>>;

async function newPatient(page: Page): Promise<void> {
  await page.goto('/dashboard');
  const { name } = await checkInPatient(page, 'Paloma');
  await selectPatient(page, name);
}

/** The details of a payment that became this. */
const details =
  (become: (payments: Payments, requested: RequestedPayment) => Promise<unknown>) => async (page: Page) => {
    await page.goto('/dashboard');
    const payments = await paymentsOf(page);
    const requested = await payments.request('Paloma', 2_500);
    await become(payments, requested);
    await page.goto(`/dashboard?visit=${requested.visitId}`);
    await page.getByRole('button', { name: names.status }).last().click();
    await expect(dialog(page)).toBeVisible();
  };

panelPicture('payment-request', 'dana', async (page) => {
  await newPatient(page);
  await page.getByRole('button', { name: names.request }).click();
});
panelPicture('payment-request-errors', 'dana', async (page) => {
  await newPatient(page);
  await page.getByRole('button', { name: names.request }).click();
  await dialog(page).getByRole('textbox').first().fill('abc');
  await dialog(page).getByRole('textbox').last().fill('12');
  await page.keyboard.press('Enter');
});
panelPicture(
  'payment-requested',
  'dana',
  details(async () => undefined),
);
panelPicture(
  'payment-paid',
  'dana',
  details(async (payments, requested) => {
    const { chargeId } = await payments.pay(requested, cards.good);
    await payments.recording(chargeId).toBe('recorded');
  }),
);
panelPicture('payment-refund', 'dana', async (page) => {
  await details(async (payments, requested) => {
    const { chargeId } = await payments.pay(requested, cards.good);
    await payments.recording(chargeId).toBe('recorded');
  })(page);
  await dialog(page).getByRole('button', { name: names.refund }).click();
});
panelPicture('payment-void', 'dana', async (page) => {
  await details((payments, requested) => payments.pay(requested, cards.good))(page);
  await dialog(page).getByRole('button', { name: names.void }).click();
});
panelPicture(
  'payment-refunded-and-another',
  'dana',
  details(async (payments, requested) => {
    const { chargeId } = await payments.pay(requested, cards.good);
    await payments.recording(chargeId).toBe('recorded');
    await payments.refund(chargeId, 500);
    await payments.requestAgain(requested, 1_000);
  }),
);
panelPicture(
  'payment-declined',
  'dana',
  details((payments, requested) => payments.pay(requested, cards.declined)),
);

/** A copay of the demo's morning. */
const ofMorning = (is: (payment: NonNullable<QueueEntry['paymentResponse']>) => boolean) => async (page: Page) => {
  const answer = await page.request.get('/api/virtual-queue/doctor?includeCancelled=true&includeDoctorCancelled=true');
  const visit = ((await answer.json()) as QueueEntry[]).find(
    ({ paymentResponse }) => paymentResponse !== null && is(paymentResponse),
  );
  const isOver = ['PATIENT_DONE', 'PATIENT_CANCELLED', 'DOCTOR_CANCELLED'].includes(visit?.statusCode ?? '');
  await page.goto(`/dashboard?visit=${visit?.id}${isOver ? '&tab=history' : ''}`);
  await page.getByRole('button', { name: names.status }).last().click();
  await expect(dialog(page)).toBeVisible();
};
panelPicture(
  'payment-unknown',
  'dana',
  ofMorning(({ state }) => state === 'UNKNOWN'),
);
panelPicture(
  'payment-not-recorded',
  'dana',
  ofMorning(({ recording }) => recording === 'missing'),
);

/** Paid twice: a colleague said of the first one that it was not charged. */
panelPicture('payment-paid-twice', 'dana', async (page) => {
  await page.goto('/dashboard');
  const payments = await paymentsOf(page);
  const first = await payments.pay(await payments.request('Nadia', 2_500), cards.noAnswer);
  await payments.play(first.chargeId, { reports: 6 });
  await expect.poll(async () => (await payments.payment(first.chargeId)).state, { timeout: 20_000 }).toBe('UNKNOWN');
  const headers = { origin: new URL(page.url()).origin };
  const data = { kind: 'payment', id: first.chargeId, happened: false };
  await page.request.post('/api/payments/merchant/unknown', { headers, data });
  const second = await payments.pay(first, cards.good);
  await payments.play(first.chargeId, { answers: true, reports: 2 });
  await expect.poll(async () => (await payments.payment(second.chargeId)).chargedTwice, { timeout: 20_000 }).toBe(true);
  await page.goto(`/dashboard?visit=${first.visitId}`);
  await page.getByRole('button', { name: names.status }).last().click();
  await expect(dialog(page)).toBeVisible();
});

panelPicture('transactions-to-do', 'dana', async (page) => {
  await page.goto('/dashboard/transactions');
  const all = page.getByRole('button', { name: /^(Show all|Mostrar los) \d+$/ });
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  if (await all.isVisible()) await all.click();
});
panelPicture('transactions-to-do-sure', 'dana', async (page) => {
  await page.goto('/dashboard/transactions');
  await page.getByRole('button', { name: /^No, / }).first().click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
});
panelPicture('transactions-details', 'dana', async (page) => {
  await page.goto('/dashboard/transactions');
  await page.locator('[data-charge]').first().click();
  await expect(dialog(page)).toBeVisible();
});
panelPicture('transactions-none', 'dana', async (page) => {
  await page.goto('/dashboard/transactions');
  await page.getByLabel(/^(Patient name|Nombre del paciente)$/).fill('Nobody of this name');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^No (Transactions Found|se encontraron transacciones)$/)).toBeVisible();
});
panelPicture('transactions-day-report', 'dana', async (page) => {
  await page.goto('/dashboard/transactions');
  await page.getByRole('button', { name: /^(End-of-day report|Informe|Reporte|Resumen)/ }).click();
  await expect(dialog(page)).toBeVisible();
});

/** The patient's phone, opened by the texted link. */
for (const look of phoneLooks)
  test(`phone-32-payment-steps ${lookName(look)}`, async ({ browser }) => {
    const desk = await (await browser.newContext({ storageState: sessionFileOf(staff.dana) })).newPage();
    await desk.goto('/dashboard');
    const payments = await paymentsOf(desk);
    const requested = await payments.request('Paloma', 2_500);
    const phone = await openAs(browser, look);
    const shoot = (name: string) => take(phone, `phone-32-payment-${name}`, look);
    await phone.goto(requested.link);
    if (look.language === 'es') await phone.getByRole('button', { name: 'Español' }).click();
    await expect(phone.getByRole('button', { name: /^(Pay by card|Pagar con tarjeta)$/ })).toBeVisible();
    await shoot('1-asked');
    await phone.getByRole('button', { name: /^(Pay by card|Pagar con tarjeta)$/ }).click();
    const form = phone.frameLocator('iframe');
    const pay = form.getByRole('button', { name: /^(Pay|Pagar) \$/ });
    await pay.click();
    await shoot('2-errors');
    await payCard(form, cards.declined);
    await phone.getByRole('button', { name: /^(Try again|Intentar de nuevo)$/ }).waitFor();
    await shoot('3-refused');
    const second = await payments.pay(requested, cards.pending);
    await phone.getByText(/(We are checking your payment|Estamos verificando su pago)/).waitFor();
    await shoot('4-checked');
    await payments.play(second.chargeId, { state: 'SUCCEEDED' });
    await phone
      .getByText(/^(Paid|Pagado): \$25.00/)
      .first()
      .waitFor();
    await shoot('5-receipt');
    await phone.emulateMedia({ media: 'print' });
    await shoot('6-receipt-printed');
    await phone.emulateMedia({ media: 'screen' });
    await payments.refund(second.chargeId, 2_500);
    await phone
      .getByText(/^(Payment returned|Pago devuelto): \$25.00/)
      .first()
      .waitFor();
    await shoot('7-returned');
  });

async function payCard(form: ReturnType<Page['frameLocator']>, number: string): Promise<void> {
  const fields = form.getByRole('textbox');
  for (const [i, typed] of ['Paloma Quill', number, '12/39', '123'].entries()) await fields.nth(i).fill(typed);
  await form.getByRole('button', { name: /^(Pay|Pagar) \$/ }).click();
}

/** A printed page, as wide as US Letter. */
function printedPicture(name: string, open: (page: Page) => Promise<unknown>): void {
  for (const language of ['en', 'es'] as const)
    test(`printed-${name} ${language}`, async ({ browser }) => {
      const look: Look = { width: 1366, height: 900, colorScheme: 'dark', language };
      const page = await openAs(browser, look, { storageState: sessionFileOf(staff.dana) });
      await open(page);
      await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
      await page.setViewportSize({ width: 720, height: 932 });
      await page.emulateMedia({ media: 'print' });
      await take(page, `printed-${name}`, { ...look, width: 1366 });
    });
}
printedPicture('transactions', (page) => page.goto('/dashboard/transactions'));
printedPicture('patient', async (page) => {
  await page.goto('/dashboard');
  await page.getByRole('option').filter({ hasText: 'Daniel' }).first().click();
  await expect(page.getByRole('heading', { level: 2, name: 'Daniel' })).toBeVisible();
});
printedPicture('forms', (page) => page.goto('/dashboard/forms'));
printedPicture('answers', async (page) => {
  await page.goto('/dashboard/forms');
  await page
    .getByRole('button', { name: /^(View|Ver) .*(Ruth Weiss|COVID)/ })
    .first()
    .click();
});
printedPicture('receipt', async (page) => {
  await details((payments, requested) => payments.pay(requested, cards.good))(page);
});
