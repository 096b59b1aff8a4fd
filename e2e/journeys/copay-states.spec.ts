import type { QueueEntry } from '#contract/queue.ts';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { shootAs } from '#e2e/helpers/screenshots.ts';
import { openAtMaple } from '#e2e/helpers/payment-desks.ts';

const shoot = shootAs('copay');

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
/** A copay of the demo's morning in each state: the color and label of its status, the button in the queue, and what else its details say. */
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
    is: ({ recording }) => recording === 'unknown',
    tint: 'green',
    en: ['Payment Done', 'Payment Successful', 'Athena did not say whether it has this payment.'],
    es: ['Pago realizado', 'Pago exitoso', 'Athena no dijo si tiene este pago.'],
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
    const page = await openAtMaple(browser, who);
    const answer = await page.request.get(
      '/api/virtual-queue/doctor?includeCancelled=true&includeDoctorCancelled=true',
    );
    const visits = (await answer.json()) as QueueEntry[];
    for (const [i, { is, tint, ...words }] of copays.entries()) {
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
      await shoot(page, `details-${i}-${language}`);
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
