import { expect, test, type Browser, type Page } from '#e2e/helpers/journey.ts';
import type { Subscription } from '#contract/membership.ts';
import type { QueueEntry } from '#contract/queue.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

/** Dana works in English, Luis in Spanish; both at Maple. */
const open = async (browser: Browser, who: keyof typeof staff): Promise<Page> =>
  (await browser.newContext({ storageState: sessionFileOf(staff[who]) })).newPage();

const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400;
const trial = { status: 'trialing', default_payment_method: null } as const;
const warnings: { has: Partial<Subscription>; en: string; es: string }[] = [
  {
    has: { status: 'active', cancel_at_period_end: true, cancel_at: inDays(5) },
    en: 'Your Anteroom membership ends in 5 days. Visit Membership to re-activate.',
    es: 'Su membresía de Anteroom termina en 5 días. Visite Membresía para reactivarla.',
  },
  {
    has: { ...trial, trial_end: inDays(1) },
    en: 'Your Anteroom trial ends in 1 day. Visit Membership to re-activate.',
    es: 'Su prueba de Anteroom termina en 1 día. Visite Membresía para reactivarla.',
  },
  ...(['incomplete', 'past_due', 'unpaid'] as const).map((status) => ({
    has: { status },
    en: 'Your automatic payment method was declined. Visit Membership to re-activate.',
    es: 'Se rechazó su forma de pago automática. Visite Membresía para reactivarla.',
  })),
];

for (const [language, who, words] of [
  ['en', 'dana', { fix: 'Fix Issue', close: 'Close' }],
  ['es', 'luis', { fix: 'Resolver', close: 'Cerrar' }],
] as const)
  test(`the alert bar names each warning of the plan, is closed, and leads to Membership (${language})`, async ({
    browser,
  }) => {
    const page = await open(browser, who);
    let has: Partial<Subscription> = {};
    // The card provider's clock cannot be set in a browser: only its answer is another one.
    await page.route('**/api/office/membership', async (route) => {
      const answer = await route.fetch();
      const known = (await answer.json()) as { subscription: Subscription };
      const plain = { cancel_at_period_end: false, cancel_at: null, trial_end: null };
      await route.fulfill({ json: { ...known, subscription: { ...known.subscription, ...plain, ...has } } });
    });
    for (const warning of warnings) {
      ({ has } = warning);
      await page.goto('/dashboard/forms');
      const bar = page.getByRole('alert').filter({ hasText: warning[language] });
      await expect(bar).toBeVisible();
      if (has.status !== 'past_due' && has.status !== 'unpaid') await expectAccessible(page);
      await bar.getByRole('button', { name: words.close }).click();
      await expect(bar).toBeHidden();
    }
    await page.reload();
    await page.getByRole('link', { name: words.fix }).click();
    await expect(page).toHaveURL(/\/payments$/);
  });

type Wanted = (payment: NonNullable<QueueEntry['paymentResponse']>) => boolean;
const missing = 'Payment was successfully charged but not recorded in Athena. Please try again.';
const faltante = 'El pago se cobró correctamente, pero no se registró en Athena. Inténtelo de nuevo.';
/** A copay of the demo's morning in each state: the button in the queue, the status, and what else its details say. */
const copays: { is: Wanted; en: [string, string, string?]; es: [string, string, string?] }[] = [
  {
    is: ({ state, recording }) => state === 'SUCCEEDED' && recording === 'recorded',
    en: ['Payment Done', 'Payment Successful'],
    es: ['Pago realizado', 'Pago exitoso'],
  },
  {
    is: ({ recording }) => recording === 'missing',
    en: ['Payment Done', 'Payment Successful', missing],
    es: ['Pago realizado', 'Pago exitoso', faltante],
  },
  {
    is: ({ state, requested }) => state === 'PENDING' && requested,
    en: ['Payment Pending', 'Pending Approval', 'The patient has not paid yet.'],
    es: ['Pago pendiente', 'Pendiente de aprobación', 'El paciente aún no ha pagado.'],
  },
  {
    is: ({ state, requested }) => state === 'PENDING' && !requested,
    en: ['Payment Pending', 'Pending Approval', 'The payment provider has not decided yet.'],
    es: ['Pago pendiente', 'Pendiente de aprobación', 'El proveedor de pagos aún no ha decidido.'],
  },
  {
    is: ({ state }) => state === 'FAILED',
    en: ['Payment Pending', 'Payment Failed', 'Nothing was charged.'],
    es: ['Pago pendiente', 'Pago fallido', 'No se cobró nada.'],
  },
  {
    is: ({ state }) => state === 'CANCELLED',
    en: ['Payment Pending', 'Payment Cancelled'],
    es: ['Pago pendiente', 'Pago cancelado'],
  },
  {
    is: ({ state }) => state === 'UNKNOWN',
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
    for (const { is, ...words } of copays) {
      const [button, status, note] = words[language];
      const visit = visits.find(({ paymentResponse }) => paymentResponse !== null && is(paymentResponse));
      expect(visit, status).toBeDefined();
      if (!visit) continue;
      await page.goto(`/dashboard?visit=${visit.id}${isOver(visit) ? '&tab=history' : ''}`);
      await page.getByRole('button', { name: button, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText(status, { exact: true })).toBeVisible();
      if (note === undefined) await expect(dialog.getByText(language === 'en' ? missing : faltante)).toBeHidden();
      else await expect(dialog.getByText(note)).toBeVisible();
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

const prime = { product: 'p', price: 'x', name: 'prime', amount: 19_900, quantity: 1 } as const;
const lite = { ...prime, name: 'lite', amount: 9_900 } as const;
/** How a plan may stand, and what the Membership page tells the practice to do. */
const standings: { has: Partial<Subscription>; en: string; es: string; press: string }[] = [
  {
    has: { status: 'paused', default_payment_method: null },
    en: 'Your trial ended without a payment method. Add one, then re-activate your plan.',
    es: 'Su prueba terminó sin una forma de pago. Agregue una y reactive su plan.',
    press: 'Re-Activate Plan: Prime',
  },
  {
    has: { status: 'past_due' },
    en: 'Your automatic payment method was declined. Enter another card below.',
    es: 'Se rechazó su forma de pago automática. Ingrese otra tarjeta abajo.',
    press: 'Edit Details',
  },
  {
    has: { status: 'canceled', plan: null },
    en: 'Your plan has ended. Start one to go on.',
    es: 'Su plan terminó. Inicie uno para continuar.',
    press: 'Start Plan: Prime',
  },
  {
    has: { status: 'active', next_plan: lite, current_period_end: inDays(9) },
    en: 'Changes to Lite on',
    es: 'Cambia a Lite el',
    press: 'Keep this plan: Prime',
  },
];

test('the Membership page says what to do about a paused, declined, ended or changing plan', async ({ browser }) => {
  let has: Partial<Subscription> = {};
  for (const [language, who] of [
    ['en', 'dana'],
    ['es', 'luis'],
  ] as const) {
    const page = await open(browser, who);
    await page.route('**/api/local/**', async (route) => {
      const answer = await route.fetch();
      const known = answer.headers()['content-type']?.includes('json') ? ((await answer.json()) as object) : {};
      if (!('cancel_at_period_end' in known)) return route.fulfill({ response: answer });
      const plain = { plan: prime, next_plan: null, cancel_at_period_end: false, cancel_at: null, trial_end: null };
      return route.fulfill({ json: { ...known, ...plain, ...has } });
    });
    for (const standing of standings) {
      ({ has } = standing);
      await page.goto('/payments');
      await expect(page.getByText(standing[language])).toBeVisible();
      if (language === 'en') await expect(page.getByRole('button', { name: standing.press })).toBeVisible();
      await expectAccessible(page);
    }
  }
});
