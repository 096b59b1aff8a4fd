import type { QueueEntry } from '#contract/queue.ts';
import { expect, test, type BrowserContext, type BrowserContextOptions, type Page } from '#e2e/helpers/journey.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { maple } from '#e2e/helpers/patient-phone.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { shootAs } from '#e2e/helpers/screenshots.ts';
import { playVendorScripts } from '#e2e/helpers/vendor-scripts.ts';
import { openVendors, refusedToken, startWithVendors } from '#e2e/helpers/vendor-server.ts';

const visa = '4242424242424242';
const declinedVisa = '4000000000000002';

const shoot = shootAs('vendors');

let vendors: Awaited<ReturnType<typeof openVendors>>;
let server: Awaited<ReturnType<typeof startWithVendors>>;
let sessions: Record<'dana' | 'luis', Awaited<ReturnType<typeof server.sessionOf>>>;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  vendors = await openVendors();
  server = await startWithVendors(vendors.url);
  sessions = { dana: await server.sessionOf('dana'), luis: await server.sessionOf('luis') };
});
test.afterAll(async () => {
  await server.stop();
  vendors.close();
});

/** The requests of a browser to our server that have a card's number in them. */
function numbersSent(context: BrowserContext): string[] {
  const seen: string[] = [];
  context.on('request', (request) => {
    const sent = `${request.url()} ${request.postData() ?? ''}`;
    if (request.url().includes('localhost') && /4242424242|4000000000/.test(sent)) seen.push(sent);
  });
  return seen;
}

test('a card goes from the fields of Stripe and Finix to them; our pages hand on a token, and say what is wrong in both languages', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const leaks: string[][] = [];
  const open = async (options: BrowserContextOptions, path: string): Promise<Page> => {
    const context = await browser.newContext(options);
    leaks.push(await playVendorScripts(context), numbersSent(context));
    const page = await context.newPage();
    await page.goto(`${server.url}${path}`);
    return page;
  };

  const desk = await open({ storageState: sessions.dana }, '/payments');
  const escritorio = await open({ storageState: sessions.luis }, '/payments');

  await test.step('Stripe without prices: the operator has to set them', async () => {
    await expect(desk.getByText('Your prices are not set yet. Please contact support.')).toBeVisible();
    await expect(
      escritorio.getByText('Sus precios todavía no están fijados. Comuníquese con atención al cliente.'),
    ).toBeVisible();
    await expectAccessible(escritorio);
    await shoot(desk, 'no-prices');
  });

  await test.step('Stripe: an empty field, and a card that the bank refuses', async () => {
    const form = desk.frameLocator('iframe[title="Card details"]');
    const field = (kind: string) =>
      form.frameLocator(`iframe[title="${kind}"]`).getByRole('textbox', { name: `${kind} en pk_test_1` });
    const lateFields = await holdBack(desk, /field\.html/);
    await desk.reload();
    await desk.getByLabel('Cardholder Name').fill('Dana Whitlock');
    // Pressed before Stripe's fields are there: the press waits for them.
    const save = desk.getByRole('button', { name: 'Save Changes' });
    await save.click();
    await expect(save).toHaveAttribute('aria-busy', 'true');
    lateFields();
    await expect(form.getByText('Invalid Card Number')).toBeVisible();
    await expectAccessible(desk);
    await field('cardExpiry').fill('12/39');
    await field('cardNumber').fill(declinedVisa);
    await field('cardCvc').fill('123');
    await save.click();
    await expect(
      desk.getByText("We couldn't verify your payment method. Please try again or contact support."),
    ).toBeVisible();
    expect(vendors.calls.map(({ body }) => body).join()).toContain(refusedToken);
  });

  await test.step('Stripe, in Spanish: an empty field, and a card that is saved', async () => {
    const form = escritorio.frameLocator('iframe[title="Datos de la tarjeta"]');
    const field = (kind: string) =>
      form.frameLocator(`iframe[title="${kind}"]`).getByRole('textbox', { name: `${kind} es pk_test_1` });
    await escritorio.getByLabel('Nombre del titular').fill('Luis Herrera');
    await field('cardNumber').fill(visa);
    await escritorio.getByRole('button', { name: 'Guardar cambios' }).click();
    await expect(form.getByText('Fecha de vencimiento no válida')).toBeVisible();
    await field('cardExpiry').fill('12/39');
    await field('cardCvc').fill('123');
    await escritorio.getByRole('button', { name: 'Guardar cambios' }).click();
    await expect(escritorio.getByLabel('Número de tarjeta')).toHaveValue('Visa •••• 4242');
    await expect(desk.getByLabel('Card Number')).toHaveValue('Visa •••• 4242');
  });

  await test.step('Finix: a patient pays in Spanish after an empty form', async () => {
    const visit = await requestPayment(desk, server.url);
    const patient = await open({ viewport: { width: 390, height: 844 }, locale: 'es-US' }, visit);
    // Our script and then Finix's fields come late: nothing can be pressed in vain.
    const [lateScript, lateFields] = [
      await holdBack(patient, '**/charges/assets/page.js'),
      await holdBack(patient, /field\.html/),
    ];
    await patient.getByRole('button', { name: 'Pagar con tarjeta' }).click();
    const form = patient.frameLocator('iframe[title="Formulario de la tarjeta"]');
    const pay = form.getByRole('button', { name: 'Pagar $25.00' });
    const loading = form.getByText('Cargando el formulario de la tarjeta…');
    await expect(loading).toBeVisible();
    await expect(pay).toBeDisabled();
    await expectAccessible(patient);
    await shoot(patient, 'finix-loading');
    lateScript();
    await expect(form.locator('iframe[title="sandbox AP1"]')).toBeAttached();
    await expect(pay).toBeDisabled();
    lateFields();
    await pay.click();
    await expect(loading).toBeHidden();
    await expect(form.getByText('No se aceptó la tarjeta. No se cobró nada; revise lo que ingresó.')).toBeVisible();
    await expectAccessible(patient);
    await shoot(patient, 'finix-wrong');
    const number = form.frameLocator('iframe[title="sandbox AP1"]').getByRole('textbox', { name: 'Número de tarjeta' });
    await number.fill(visa);
    await pay.click();
    await expect(patient.getByRole('heading', { name: 'Pagado: $25.00' })).toBeVisible();
    const transfers = vendors.calls.filter(({ path, body }) => path === '/sandbox/transfers' && body !== '');
    expect(transfers.map(({ body }) => (JSON.parse(body) as { amount: number }).amount)).toEqual([2_500]);
  });

  await test.step('the pages say so if the vendor’s script is blocked, or the form is wrong, in English too', async () => {
    const page = await open({}, '/charges/card?language=en&amount=2500');
    await page.getByRole('button', { name: 'Pay $25.00' }).click();
    await expect(page.getByText('The card was not accepted. Nothing was charged;')).toBeVisible();
    await page.route('**/*.js', (route) =>
      route.request().url().includes('localhost') ? route.continue() : route.abort(),
    );
    for (const [path, words] of [
      ['/charges/card?language=en&amount=2500', 'No connection. Nothing was charged; please try again.'],
      ['/charges/card?language=es&amount=2500', 'Sin conexión. No se cobró nada; inténtelo de nuevo.'],
      ['/card/page?language=en', 'The card provider could not be reached. Try again.'],
      ['/card/page?language=es', 'No se pudo conectar con el proveedor de tarjetas. Inténtelo de nuevo.'],
    ] as const) {
      await page.goto(`${server.url}${path}`);
      await expect(page.getByText(words)).toBeVisible();
    }
    await page.goto(`${server.url}/charges/card?language=en&amount=2500`);
    await expect(page.getByText('No connection.')).toBeVisible();
    await shoot(page, 'finix-blocked');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Pay $25.00' })).toBeEnabled();
  });

  // The vendors' scripts tried to tell another host, and no card's number came to us.
  expect(leaks.flat()).toEqual([]);
  expect(JSON.stringify(vendors.calls)).not.toContain(visa);
});

test('an installation without a card provider says in both languages that there are no plans', async ({ browser }) => {
  await server.goWithoutCards();
  for (const [who, words] of [
    ['dana', 'There are no plans here, and nothing is charged.'],
    ['luis', 'Aquí no hay planes y no se cobra nada.'],
  ] as const) {
    const page = await (await browser.newContext({ storageState: sessions[who] })).newPage();
    await page.goto(`${server.url}/payments`);
    await expect(page.getByText(words)).toBeVisible();
    await expectAccessible(page);
    await shoot(page, `not-connected-${who}`);
  }
});

/** Holds back the answers from an address; the returned function lets them go. */
async function holdBack(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.fallback();
  });
  return resolve;
}

/** The desk asks a patient who checked in for $25.00; returns the path of the visit in the text they get. */
async function requestPayment(desk: Page, url: string): Promise<string> {
  const phone = newPhone();
  const arrived = await desk.request.post(`${url}/api/checkin/${maple}`, {
    headers: { cookie: '', origin: url },
    data: {
      firstName: 'Alma',
      lastName: 'Quill',
      phone: `+1${phone}`,
      birthDate: '2019-02-09',
      household: [],
      language: 'es',
    },
  });
  expect(arrived.ok(), await arrived.text()).toBe(true);
  const visits = (await (await desk.request.get(`${url}/api/virtual-queue/doctor`)).json()) as QueueEntry[];
  const visitId = visits.find(({ patientName }) => patientName === 'Alma Quill')?.id ?? '';
  const asked = await desk.request.post(`${url}/api/payments/requests`, {
    headers: { origin: url },
    data: { visitId, copay: 2_500 },
  });
  expect(asked.ok(), await asked.text()).toBe(true);
  let path: string | undefined;
  await expect(async () => {
    const sent = await desk.request.get(`${url}/dev/outbox.json`, { params: { to: `+1${phone}` } });
    const texts = (await sent.json()) as { body: string }[];
    path = texts.map(({ body }) => /\/visit\/[\w-]{20,}/.exec(body)?.[0]).find(Boolean);
    expect(path).toBeDefined();
  }).toPass({ timeout: 30_000 });
  return path ?? '';
}
