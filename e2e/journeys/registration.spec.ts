import { randomInt } from 'node:crypto';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';

const newcomer = () => `qa${randomInt(1_000_000_000)}@newcomer.test`;
const streetAtRandom = () => `${randomInt(1, 100_000)} Test Road`;

/** Signs in without the form: these journeys begin with a known person who has no office. */
async function signedIn(page: Page, email: string): Promise<void> {
  const baseURL = process.env.E2E_BASE_URL ?? '';
  const headers = { origin: new URL(baseURL).origin };
  await page.request.post('/api/sign-in/code', { data: { email }, headers });
  const code = await codeSentTo(page, email);
  const answer = await page.request.post('/api/sign-in/verify', { data: { email, code }, headers });
  expect(answer.ok(), await answer.text()).toBe(true);
  await page.goto('/');
}

const next = (page: Page) => page.getByRole('button', { name: 'Next Step' });
const savedDraft = (page: Page) =>
  page.waitForResponse((answer) => /\/draft$/.test(answer.url()) && answer.request().method() === 'PUT');

test('the registration form by keyboard: errors at their fields, a found address, nothing lost offline, on to the agreement', async ({
  page,
  browser,
}) => {
  const email = newcomer();
  await signedIn(page, email);
  await expect(page.getByRole('heading', { name: 'Registration' })).toBeVisible();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  await expectAccessible(page);

  await page.getByLabel('Email', { exact: true }).fill('front');
  await next(page).focus();
  await page.keyboard.press('Enter');
  const search = page.getByRole('combobox', { name: 'Address of practice' });
  await expect(page.getByRole('group', { name: '7 fields need your attention' })).toBeFocused();
  const said = [
    'Please select your practice address',
    'Please enter the name of your practice',
    'Please enter your email address',
    "Please enter your IT company's contact info",
    'Please select the management software your practice uses',
    'Please select the number of patients your practice has',
    'Please select the ages your practice treats',
  ];
  for (const text of said) await expect(page.getByText(text)).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('button', { name: said[4] }).click();
  await expect(page.getByLabel('Management software')).toBeFocused();

  await search.fill('mapel stret');
  const options = page.getByRole('option');
  await expect(options.first()).toContainText('Maple Street Pediatrics');
  await page.keyboard.press('ArrowUp');
  await expect(search).toHaveAttribute('aria-activedescendant', /.+/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(options.first()).toBeHidden();
  await expect(search).toHaveValue('mapel stret');
  await page.keyboard.press('Enter');
  await expect(search).toHaveAttribute('aria-activedescendant', /.+/);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Office name')).toHaveValue('Maple Street Pediatrics');
  await expect(page.getByText('NPI 1234567893')).toBeVisible();
  await expect(page.getByLabel('Time zone')).toHaveValue('America/New_York');

  await page.getByLabel('Email', { exact: true }).fill(`Front@Newcomer.test`);
  await page.getByLabel('IT contact').fill('it@newcomer.test');
  await page.getByLabel('Management software').selectOption('AthenaOne');
  await page.getByLabel('Number of patients').selectOption('501-1000');
  const kept = savedDraft(page);
  await page.getByLabel('Children').check();
  await kept;
  await next(page).click();
  await expect(page.getByText('NPI 1234567893 is already registered with Anteroom.')).toBeVisible();
  await expect(page.getByText('Our team has been notified.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Ask them to let me in' }).click();
  await expect(page.getByText('We’ll email the practice.')).toBeVisible();
  await expectAccessible(page);

  const elsewhere = await browser.newContext({ storageState: await page.context().storageState() });
  const other = await elsewhere.newPage();
  await other.goto('/');
  await expect(other.getByLabel('IT contact')).toHaveValue('it@newcomer.test');
  await expect(other.getByLabel('Children')).toBeChecked();
  const keptThere = savedDraft(other);
  await other.getByRole('button', { name: 'Correct this address' }).click();
  const street = streetAtRandom();
  await other.getByLabel('Address of practice').fill(street);
  await other.getByLabel('NPI of your practice').fill('1234567890');
  await keptThere;
  await next(other).click();
  await expect(other.getByRole('group', { name: '1 field needs your attention' })).toBeFocused();
  await other.getByLabel('My practice has no NPI yet').check();
  await expect(other.getByText('field needs your attention')).toBeHidden();

  await elsewhere.setOffline(true);
  await next(other).click();
  await expect(other.getByText('The server could not be reached.')).toBeVisible();
  await expect(other.getByLabel('Address of practice')).toHaveValue(street);
  await elsewhere.setOffline(false);
  await next(other).click();
  await expect(next(other)).toBeHidden();
  const { body } = await sessionOf(other);
  expect(body).toMatchObject({
    gate: { because: 'agreement-missing' },
    office: { officeName: 'Maple Street Pediatrics', timeZone: 'America/New_York' },
  });
  expect(body.office?.address).toContain(street);
  expect(body.office?.npi).toMatch(/^9\d{9}$/);
  await elsewhere.close();

  await page.reload();
  await expect(next(page)).toBeHidden();
});

test('registering a new address in Spanish, in the dark, on a small phone; then another location', async ({
  browser,
}) => {
  const context = await browser.newContext({
    locale: 'es-US',
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await signedIn(page, newcomer());
  const send = page.getByRole('button', { name: 'Siguiente paso' });
  await page.getByRole('button', { name: 'Agregar una dirección nueva' }).click();
  await expect(page.getByLabel('Dirección del consultorio')).toBeFocused();
  await send.click();
  for (const text of [
    'Ingrese la dirección de su consultorio',
    'Ingrese la ciudad de su consultorio',
    'Seleccione el estado de su consultorio',
    'Ingrese el código postal de su consultorio',
  ])
    await expect(page.getByText(text).first()).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  const fill = async (street: string, name: string) => {
    await page.getByLabel('Dirección del consultorio').fill(street);
    await page.getByLabel('Ciudad').fill('El Paso');
    await page.getByLabel('Estado').selectOption('TX');
    await page.getByLabel('Código postal').fill('79901');
    await expect(page.getByLabel('Zona horaria')).toHaveValue('America/Denver');
    await page.getByLabel('Mi consultorio todavía no tiene NPI').check();
    await page.getByLabel('Nombre del consultorio').fill(name);
    await page.getByLabel('Contacto de informática').fill('915 555 0100');
    await page.getByLabel('Software de gestión').selectOption('N/A');
    await page.getByLabel('Cantidad de pacientes').selectOption('1-500');
    await page.getByLabel('Adultos mayores').check();
    await expectAccessible(page);
    await send.click();
    await expect(send).toBeHidden();
  };
  await fill(streetAtRandom(), 'Consultorio del Sol');
  const first = (await sessionOf(page)).body;
  expect(first.offices).toHaveLength(1);

  await page.goto('/locations/new');
  await expect(page.getByRole('link', { name: 'Volver a Consultorio del Sol' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Agregar una dirección nueva' }).click();
  await fill(streetAtRandom(), 'Consultorio de la Luna');
  await expect.poll(async () => (await sessionOf(page)).body.offices).toHaveLength(2);
  await expect(page.getByRole('main').getByText('Consultorio de la Luna')).toBeVisible();
  await context.close();
});

interface Session {
  gate: { because: string };
  office: null | { npi: string; address: string; officeName: string; timeZone: string };
  offices: { officeName: string }[];
}

async function sessionOf(page: Page): Promise<{ body: Session }> {
  return { body: (await (await page.request.get('/api/session')).json()) as Session };
}
