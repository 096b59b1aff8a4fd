import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { checkInPatient, expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
const fits = async (page: Page, name: string) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  if (shots) await page.screenshot({ path: `${shots}/patient-list-${name}.png` });
};

test('a patient is found by name and birthday, a form is read, and the conversation opens', async ({ browser }) => {
  const context = await browser.newContext({ storageState: sessionFileOf(staff.dana) });
  const page = await context.newPage();
  await page.goto('/dashboard/messages');
  const newcomer = await checkInPatient(page, 'Ottilie');
  await page.getByRole('link', { name: 'Patient list' }).click();
  await expect(page).toHaveURL(/\/dashboard\/patient-list$/);
  const rows = page.getByRole('list', { name: 'Patients' }).getByRole('listitem');
  await expect(rows.first()).toBeVisible();
  await fits(page, 'all');

  const search = page.getByLabel('Search by name, phone or birthday');
  await test.step('search by name and birthday', async () => {
    await search.fill(`ottilie 2/9/2019`);
    await expect(rows.filter({ hasText: newcomer.name })).toBeVisible();
    await search.fill('nobody at all');
    await expect(page.getByText('No patients found')).toBeVisible();
    await fits(page, 'none');
    await page.getByRole('button', { name: 'Clear search' }).click();
  });

  await test.step('a patient with a form: it opens in the viewer', async () => {
    await search.fill('walter');
    await rows.filter({ hasText: 'Walter' }).first().getByRole('button').click();
    await expect(page).toHaveURL(/patient=[\da-f-]{36}$/);
    const patient = page.getByRole('region', { name: 'Patient', exact: true });
    await expect(patient.getByRole('heading', { name: 'Visits' })).toBeVisible();
    await fits(page, 'patient');
    await patient
      .getByRole('button', { name: /^Open (?!conversation)/ })
      .first()
      .click();
    await expect(patient.getByRole('button', { name: 'Close form' })).toBeVisible();
    await expectAccessible(page);
    await patient.getByRole('button', { name: 'Close form' }).click();
    await patient.getByRole('button', { name: 'Open conversation' }).click();
    await expect(page).toHaveURL(/\/dashboard\/messages\?.*conversation=/);
    await expect(page.getByRole('heading', { name: /Walter/ })).toBeVisible();
  });

  await test.step('on a phone, in Spanish and in the dark', async () => {
    const phone = await browser.newPage({
      storageState: sessionFileOf(staff.dana),
      viewport: { width: 390, height: 800 },
      locale: 'es-US',
      colorScheme: 'dark',
    });
    await phone.goto('/dashboard/patient-list');
    await phone.getByLabel('Buscar por nombre, teléfono o fecha de nacimiento').fill('grace');
    const row = phone.getByRole('list', { name: 'Pacientes' }).getByRole('button', { name: /Grace Castellanos/ });
    await fits(phone, 'phone-list');
    await row.click();
    await expect(phone.getByRole('heading', { name: 'Visitas' })).toBeVisible();
    await fits(phone, 'phone');
    await phone.getByRole('button', { name: 'Volver a todos los pacientes' }).click();
    await expect(row).toBeVisible();
  });
});
