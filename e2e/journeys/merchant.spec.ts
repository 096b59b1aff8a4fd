import type { Session } from '#contract/sign-in/session.ts';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { forgetLanguage, speak } from '#e2e/helpers/language.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/merchant-${name}.png`, fullPage: true });
};

const fits = async (page: Page) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
};

const steps = (page: Page) => page.getByRole('list', { name: 'Steps of the application' });

test('a practice applies for card payments, lets the form expire, resumes it, and sees what became of it', async ({
  browser,
}) => {
  const context = await browser.newContext({ storageState: sessionFileOf(staff.mina) });
  await forgetLanguage(context);
  const page = await context.newPage();
  await page.goto('/dashboard/settings');
  await page.getByRole('link', { name: 'Enable Athena payments' }).click();
  await expect(page.getByRole('heading', { name: 'Collect Payments Through the Anteroom App' })).toBeVisible();
  await fits(page);
  await shoot(page, 'promo');
  await page.getByRole('button', { name: 'Apply Now' }).click();

  await test.step('the entries survive a failed save', async () => {
    await expect(steps(page).getByRole('button', { name: 'Identity' })).toHaveAttribute('aria-disabled', 'true');
    await expect(page.getByLabel('City')).toHaveValue('Denver');
    await page.getByLabel('Street address').fill('1300 Cedar Avenue');
    // The page also reads this address again, for instance when a colleague changes something.
    const saving = '**/api/payments/merchant/application';
    await page.route(saving, (route) => (route.request().method() === 'GET' ? route.fallback() : route.abort()));
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    await expect(page.getByLabel('Street address')).toHaveValue('1300 Cedar Avenue');
    await fits(page);
    await page.unroute(saving);
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page.getByLabel('Legal name of the business')).toHaveValue('Cedar Dental Group');
  });

  await test.step('a wrong answer is shown at its field', async () => {
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page.getByLabel('Type of business')).toBeFocused();
    await expect(page.getByText('Invalid phone number')).toBeVisible();
    await fits(page);
    await shoot(page, 'details');
    await page.getByLabel('Type of business').selectOption('Corporation');
    await page.getByLabel('Phone number of the business').fill('3035550190');
    await page.getByRole('button', { name: 'Save and continue' }).click();
  });

  await test.step('the hosted form expires and is resumed', async () => {
    await page.getByRole('button', { name: 'Open the form' }).click();
    await page.getByRole('checkbox').check();
    await fits(page);
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page.getByLabel('Street address')).toHaveValue('1300 Cedar Avenue');
    await shoot(page, 'form');
    await page.getByText('Demo options').click();
    await page.getByRole('button', { name: 'Let this page expire' }).click();
    await expect(page.getByRole('heading', { name: 'You are back!' })).toBeVisible();
    await fits(page);
    await shoot(page, 'back');
    await speak(page, 'es');
    await expect(page.getByRole('heading', { name: '¡Ha vuelto!' })).toBeVisible();
    await speak(page, 'en');
    await page.getByRole('button', { name: 'Continue onboarding' }).click();
    await expect(page.getByRole('heading', { name: 'Your business' })).toBeVisible();
  });
  const form = new URL(page.url()).pathname;

  await test.step('the submitted form leads back', async () => {
    await page.getByLabel('Tax ID (EIN)').fill('123456789');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByLabel('First name').fill('Mina');
    await page.getByLabel('Last name').fill('Castro');
    await page.getByLabel('Title').fill('Owner');
    await page.getByLabel('Date of birth').fill('1980-04-02');
    await page.getByLabel('Share of the business').fill('100');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByLabel('Card payments in a year').fill('90000');
    await page.getByLabel('Average payment').fill('40');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByLabel('Name on the account').fill('Cedar Dental Group');
    await page.getByLabel('Routing number').fill('122105278');
    await page.getByLabel('Account number').fill('000123456789');
    await page.getByLabel('Leave it in review').check();
    await fits(page);
    await page.getByRole('button', { name: 'Submit application' }).click();
    await expect(page.getByRole('heading', { name: 'You are almost there!' })).toBeVisible();
    await expect(page.getByText('Your application was received.')).toBeVisible();
    await fits(page);
    await shoot(page, 'almost');
    await speak(page, 'es');
    await expect(page.getByRole('heading', { name: '¡Ya casi termina!' })).toBeVisible();
    await speak(page, 'en');
    await page.getByRole('link', { name: 'See the application' }).click();
    await expect(page.getByRole('button', { name: 'Application Processing' })).toBeDisabled();
    await expect(page.getByText('In review')).toBeVisible();
    await fits(page);
    await shoot(page, 'processing');
    await speak(page, 'es');
    await expect(page.getByRole('button', { name: 'Solicitud en proceso' })).toBeDisabled();
    await expect(page.getByText('En revisión', { exact: true })).toBeVisible();
    await speak(page, 'en');
    await steps(page).getByRole('button', { name: 'Bank' }).click();
    await expect(page.getByText('Payouts go to the account ending in 6789.')).toBeVisible();
    await steps(page).getByRole('button', { name: 'Transactions' }).click();
  });

  await test.step('the provider needs more, and the same form is submitted again', async () => {
    const origin = new URL(page.url()).origin;
    const dashboard = await context.newPage();
    // The decision comes after the page's first answer and before its live connection.
    const connect = Promise.withResolvers<void>();
    await dashboard.routeWebSocket('**/*', async (socket) => {
      await connect.promise;
      socket.connectToServer();
    });
    await dashboard.goto('/dashboard/settings');
    await page.request.post(`${form}/decide`, { form: { review: 'update-requested' }, headers: { origin } });
    const decision = async () => {
      const { office } = (await (await page.request.get('/api/session')).json()) as Session;
      return office?.cardPayments;
    };
    await expect.poll(decision).toBe('update-requested');
    connect.resolve();
    await expect(dashboard.getByText('The payment provider needs more information before it decides')).toBeVisible();
    await expect(dashboard.getByRole('link', { name: 'Card payments' })).toBeVisible();
    await fits(dashboard);
    await speak(dashboard, 'es');
    await expect(dashboard.getByText('El proveedor de pagos necesita más información antes de decidir')).toBeVisible();
    await fits(dashboard);
    await shoot(dashboard, 'notice-update-requested-es');
    await dashboard.close();
    await expect(page.getByText('More information needed')).toBeVisible();
    await fits(page);
    await shoot(page, 'update-requested');
    await speak(page, 'es');
    await expect(page.getByText('Se necesita más información', { exact: true })).toBeVisible();
    // Whoever comes back to the page after the form finds what the provider said.
    await page.goto('/finix-forms');
    await expect(page.getByText('El proveedor de pagos necesita más información. Vea en la solicitud')).toBeVisible();
    await fits(page);
    await speak(page, 'en');
    await expect(page.getByText('The payment provider needs more information. See the application')).toBeVisible();
    await shoot(page, 'return-update-requested');
    await page.getByRole('link', { name: 'See the application' }).click();
    await page.getByRole('button', { name: 'Continue onboarding' }).click();
    await expect(page.getByText('We could not confirm the bank account.')).toBeVisible();
    await fits(page);
    await page.getByLabel('Account number').fill('000123456789');
    await page.getByLabel('Leave it in review').check();
    await page.getByRole('button', { name: 'Submit application' }).click();
    await expect(page.getByText('Your application was received.')).toBeVisible();
    await page.getByRole('link', { name: 'See the application' }).click();
    await expect(page.getByText('In review')).toBeVisible();
  });

  await test.step('the decision appears without a reload', async () => {
    const origin = new URL(page.url()).origin;
    const dashboard = await context.newPage();
    await dashboard.goto('/dashboard/settings');
    await expect(dashboard.getByRole('link', { name: 'Application Processing' })).toBeVisible();
    await page.request.post(`${form}/decide`, { form: { review: 'rejected' }, headers: { origin } });
    await expect(dashboard.getByText('Your application for card payments was not approved.')).toBeVisible();
    await expect(dashboard.getByRole('link', { name: 'Enable Athena payments' })).toHaveAccessibleDescription(
      /see what to do next/,
    );
    await fits(dashboard);
    await shoot(dashboard, 'notice');
    await speak(dashboard, 'es');
    await expect(dashboard.getByText('No se aprobó su solicitud para cobrar con tarjeta.')).toBeVisible();
    await fits(dashboard);
    await dashboard.close();
    await expect(page.getByText('Not approved')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Apply again' })).toBeVisible();
    await fits(page);
    await shoot(page, 'rejected');
    await speak(page, 'es');
    await expect(page.getByText('No aprobada', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Solicitar de nuevo' })).toBeVisible();
    // Whoever comes back to the page after the form finds the decision.
    await page.goto('/finix-forms');
    await expect(page.getByRole('heading', { name: 'Su solicitud no fue aprobada' })).toBeVisible();
    await fits(page);
    await speak(page, 'en');
    await expect(page.getByRole('heading', { name: 'Your application was not approved' })).toBeVisible();
    await expect(page.getByText('See the application for what you can do.')).toBeVisible();
    await shoot(page, 'return-rejected');
  });
  await context.close();
});

test('the application and the hosted form fit a dark phone in Spanish', async ({ browser }) => {
  const context = await browser.newContext({
    storageState: sessionFileOf(staff.mina),
    locale: 'es-US',
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  });
  await forgetLanguage(context);
  const page = await context.newPage();
  await page.goto('/apply');
  await expect(page.getByRole('heading', { name: 'Cobre a través de la aplicación Anteroom' })).toBeVisible();
  await page.getByRole('button', { name: 'Solicitar de nuevo' }).click();
  await page.getByRole('button', { name: 'Datos' }).click();
  await fits(page);
  await shoot(page, 'phone-details');
  await page.getByRole('button', { name: 'Identidad' }).click();
  await page.getByRole('button', { name: 'Abrir el formulario' }).click();
  await page.getByRole('button', { name: 'Guardar y continuar' }).click();
  await expect(page.getByText('Marque esta casilla para continuar.')).toBeVisible();
  await fits(page);
  await shoot(page, 'phone-form');

  const { origin, pathname } = new URL(page.url());
  const form = pathname.replace(/\/consent$/, '');
  await page.goto('/finix-forms');
  await expect(page.getByText('El formulario todavía no se ha enviado. Sus respuestas se guardaron')).toBeVisible();
  await fits(page);
  await shoot(page, 'phone-return-not-submitted');
  await speak(page, 'en');
  await expect(page.getByText('The form is not submitted yet. Your answers were kept')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue onboarding' })).toBeVisible();
  await speak(page, 'es');
  await page.goto('/dashboard/settings');
  await expect(
    page.getByText('Su consultorio quiere cobrar con tarjeta. La solicitud aún no se ha enviado.'),
  ).toBeVisible();
  await fits(page);
  await shoot(page, 'phone-wanted');
  await speak(page, 'en');
  await expect(
    page.getByText('Your practice wants to take card payments. The application is not submitted yet.'),
  ).toBeVisible();
  await speak(page, 'es');
  const press = async (step: string, typed: Record<string, string>) => {
    const answer = await page.request.post(`${form}/${step}`, { form: typed, headers: { origin } });
    expect(answer.ok(), `${step}: ${answer.status()}`).toBe(true);
  };
  for (const [step, typed] of Object.entries(entered)) await press(step, typed);
  await press('decide', { review: 'approved' });
  await expect(page.getByText('Se aprobó su solicitud para cobrar con tarjeta.')).toBeVisible();
  await fits(page);
  await speak(page, 'en');
  await expect(page.getByText('Your application for card payments was approved.')).toBeVisible();
  await speak(page, 'es');
  await page.goto('/apply');
  await expect(page.getByText('Aprobada', { exact: true })).toBeVisible();
  await expect(page.getByText('Su consultorio puede cobrar con tarjeta.')).toBeVisible();
  await fits(page);
  await shoot(page, 'phone-approved');
  await speak(page, 'en');
  await expect(page.getByText('Approved', { exact: true })).toBeVisible();
  await expect(page.getByText('Your practice can take card payments.')).toBeVisible();
  await page.goto('/finix-forms');
  await expect(page.getByRole('heading', { name: 'Card payments are on' })).toBeVisible();
  await speak(page, 'es');
  await expect(page.getByRole('heading', { name: 'Los pagos con tarjeta están activados' })).toBeVisible();
  await fits(page);
  await shoot(page, 'phone-return-approved');
});

/** What the hosted form asks for, step by step; it is left in review. */
const entered = {
  consent: { consent: 'yes' },
  business: {
    legalName: 'Cedar Dental Group',
    businessType: 'CORPORATION',
    taxId: '123456789',
    phone: '3035550190',
    line1: '1300 Cedar Avenue',
    city: 'Denver',
    state: 'CO',
    zip: '80203',
  },
  owner: { firstName: 'Mina', lastName: 'Castro', title: 'Owner', birthDate: '1980-04-02', share: '100' },
  processing: { annualVolume: '90000', averagePayment: '40' },
  bank: { holder: 'Cedar Dental Group', routing: '122105278', account: '000123456789', review: 'wait' },
};
