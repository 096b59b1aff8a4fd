import { expect, test, type Browser, type Page } from '#e2e/helpers/journey.ts';
import type { QueueEntry } from '#contract/queue.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

/** Dana works in English, Luis in Spanish; both at Maple. */
const open = async (browser: Browser, who: keyof typeof staff): Promise<Page> =>
  (await browser.newContext({ storageState: sessionFileOf(staff[who]) })).newPage();

/** The color of a tint on this page. */
const colorOf = (page: Page, tint: string) =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('span'));
    probe.style.backgroundColor = `var(--${name}-tint)`;
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  }, tint);

type PaymentTest = (payment: NonNullable<QueueEntry['paymentResponse']>) => boolean;
const missing = 'Payment was successfully charged but not recorded in Athena. Please try again.';
const faltante = 'El pago se cobró correctamente, pero no se registró en Athena. Inténtelo de nuevo.';
/** A copay of the demo's morning in each state: the color and words of its status, the button in the queue, and what else its details say. */
const copays: {
  is: PaymentTest;
  tint: string;
  en: [string, string, ...string[]];
  es: [string, string, ...string[]];
}[] = [
  {
    is: ({ state, recording }) => state === 'SUCCEEDED' && recording === 'recorded',
    tint: 'green',
    en: ['Payment Done', 'Payment Successful'],
    es: ['Pago realizado', 'Pago exitoso'],
  },
  {
    is: ({ recording }) => recording === 'missing',
    tint: 'green',
    en: ['Payment Done', 'Payment Successful', missing],
    es: ['Pago realizado', 'Pago exitoso', faltante],
  },
  {
    is: ({ state, requested }) => state === 'PENDING' && requested,
    tint: 'amber',
    en: ['Payment Pending', 'Pending Approval', 'The patient has not paid yet.'],
    es: ['Pago pendiente', 'Pendiente de aprobación', 'El paciente aún no ha pagado.'],
  },
  {
    is: ({ state, requested }) => state === 'PENDING' && !requested,
    tint: 'amber',
    en: ['Payment Pending', 'Pending Approval', 'The payment provider has not decided yet.'],
    es: ['Pago pendiente', 'Pendiente de aprobación', 'El proveedor de pagos aún no ha decidido.'],
  },
  {
    is: ({ state }) => state === 'FAILED',
    tint: 'red',
    en: ['Payment Pending', 'Payment Failed', 'Nothing was charged.', 'The card was declined.'],
    es: ['Pago pendiente', 'Pago fallido', 'No se cobró nada.', 'La tarjeta fue rechazada.'],
  },
  {
    is: ({ state }) => state === 'CANCELLED',
    tint: 'red',
    en: ['Payment Pending', 'Payment Cancelled'],
    es: ['Pago pendiente', 'Pago cancelado'],
  },
  {
    is: ({ state }) => state === 'UNKNOWN',
    tint: 'gray',
    en: ['Payment Pending', 'Unknown', 'The payment provider did not say whether it was charged.'],
    es: ['Pago pendiente', 'Desconocido', 'El proveedor de pagos no dijo si se cobró.'],
  },
];
const isOver = ({ statusCode }: QueueEntry) =>
  ['PATIENT_DONE', 'PATIENT_CANCELLED', 'DOCTOR_CANCELLED'].includes(statusCode);

for (const [language, who] of [
  ['en', 'dana'],
  ['es', 'luis'],
] as const)
  test(`each state of a copay is named in the queue and in its details (${language})`, async ({ browser }) => {
    const page = await open(browser, who);
    const answer = await page.request.get(
      '/api/virtual-queue/doctor?includeCancelled=true&includeDoctorCancelled=true',
    );
    const visits = (await answer.json()) as QueueEntry[];
    for (const { is, tint, ...words } of copays) {
      const [button, status, ...notes] = words[language];
      const visit = visits.find(({ paymentResponse }) => paymentResponse !== null && is(paymentResponse));
      expect(visit, status).toBeDefined();
      if (!visit) continue;
      await page.goto(`/dashboard?visit=${visit.id}${isOver(visit) ? '&tab=history' : ''}`);
      await page.getByRole('button', { name: button, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText(status, { exact: true })).toBeVisible();
      const badge = dialog.getByText(status, { exact: true }).locator('..');
      await expect(badge).toHaveCSS('background-color', await colorOf(page, tint));
      if (notes.length === 0) await expect(dialog.getByText(language === 'en' ? missing : faltante)).toBeHidden();
      for (const note of notes) await expect(dialog.getByText(note)).toBeVisible();
      await expectAccessible(page);
      if (visit.paymentResponse?.state !== 'UNKNOWN') continue;
      // The answer is given where the payment is, and asked for once more: the patient could pay twice.
      await dialog
        .getByRole('button', { name: language === 'en' ? 'No, it was not charged' : 'No, no se cobró' })
        .click();
      const sure = page.getByRole('alertdialog');
      await expect(sure.getByRole('heading')).toContainText(visit.patientName);
      await expectAccessible(page);
      await sure.getByRole('button', { name: language === 'en' ? 'Cancel' : 'Cancelar' }).click();
      await expect(sure).toBeHidden();
      await expect(dialog.getByText(status, { exact: true })).toBeVisible();
    }
  });

test('lost refunds and recordings and a refund that was never made are answered on the to-do list, in both languages', async ({
  browser,
}) => {
  const [page, spanish] = [await open(browser, 'dana'), await open(browser, 'luis')];
  await page.goto('/dashboard/transactions');
  await spanish.goto('/dashboard/transactions');
  await expect(page.getByRole('heading', { name: 'To do: find out what happened' })).toBeVisible();
  const forever = 'You cannot change this answer.';
  for (const { asks, pregunta, answer, means } of [
    { asks: 'Was it refunded?', pregunta: '¿Se reembolsó?', answer: 'Yes, it was refunded', means: forever },
    {
      asks: 'Is the copay recorded in Athena?',
      pregunta: '¿El copago está registrado en Athena?',
      answer: 'Yes, it is recorded',
      means: forever,
    },
    {
      asks: 'the payment provider did not make this refund',
      pregunta: 'el proveedor de pagos no hizo este reembolso',
      answer: 'No, take the refund back',
      means: 'The payment counts as not refunded, and you can refund it again.',
    },
  ]) {
    const item = page.getByRole('listitem').filter({ hasText: asks }).filter({ hasNotText: 'Athena refused' });
    const theirs = spanish.getByRole('listitem').filter({ hasText: pregunta });
    // A second run on one server finds the answers of the first.
    const before = await item.count();
    if (before === 0) continue;
    await expect(theirs.first()).toBeVisible();
    await expectAccessible(spanish);
    await item.first().getByRole('button', { name: answer }).click();
    const sure = page.getByRole('alertdialog');
    await expect(sure.getByText(means)).toBeVisible();
    await expectAccessible(page);
    await sure.getByRole('button', { name: answer }).click();
    await expect(sure).toBeHidden();
    await expect(item).toHaveCount(before - 1);
  }
});
