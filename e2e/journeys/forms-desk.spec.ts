import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { fromBuffer, type Entry } from 'yauzl';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

test.use({ storageState: sessionFileOf(staff.dana), acceptDownloads: true });

const moment = /\d{4}-\d\d-\d\d \d\d:\d\d hs/;

test('the desk finds a form, reads it beside the list, downloads it, and all of them as a zip', async ({ page }) => {
  await page.goto('/dashboard');
  const tab = page.getByRole('link', { name: 'View Forms', exact: true });
  await tab.click();
  await expect(page.getByRole('heading', { level: 1, name: 'View Forms' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Insurance Card' })).toBeVisible();
  await expectAccessible(page);

  await page.route('**/api/forms/search', (route) =>
    route.fulfill({ json: { forms: [], total: 0, page: 1, pageSize: 10 } }),
  );
  await page.getByRole('link', { name: 'View Forms All forms' }).press('Enter');
  await expect(page.getByText('No Forms Available', { exact: true })).toBeVisible();
  await page.unroute('**/api/forms/search');
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Forms List/ })).toBeVisible();
  await expect(tab).toHaveAttribute('aria-current', 'page');
  await allFormsAreFiled(page);
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: moment });
  await expect(rows).toHaveCount(10);
  await expect(page.getByText(/^1 - 10 of \d+$/)).toBeVisible();
  await expectAccessible(page);

  const selectAll = page.getByLabel('Select all on this page');
  const downloadSelected = page.getByRole('button', { name: /^Download selected/ });
  await expect(downloadSelected).toHaveAttribute('aria-disabled', 'true');
  await rows.nth(1).getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  await expect(downloadSelected).toHaveText('Download selected (1)');
  await expect(selectAll).not.toBeChecked();
  await selectAll.check();
  await expect(downloadSelected).toHaveText('Download selected (10)');
  await rows.nth(2).getByRole('checkbox').uncheck();
  await expect(page.getByText('One zip holds up to 2,000 forms; more are downloaded as several zips.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText(/^11 - \d+ of \d+$/)).toBeVisible();
  await expect(selectAll).not.toBeChecked();
  await rows.first().getByRole('checkbox').check();
  await expect(downloadSelected).toHaveText('Download selected (10)');
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByText(/^1 - 10 of \d+$/)).toBeVisible();
  await expect(rows.nth(2).getByRole('checkbox')).not.toBeChecked();
  await expect(rows.nth(1).getByRole('checkbox')).toBeChecked();
  await downloadSelected.focus();
  const [selected] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(await pdfsIn(await readFile(await selected.path()))).toHaveLength(10);

  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText(/^11 - \d+ of \d+$/)).toBeVisible();
  await expect(page).toHaveURL(/page=2/);

  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible();
  const name = (await page.getByRole('heading', { level: 4 }).locator('bdi').first().textContent()) ?? '';
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format();
  await page.getByLabel('From').fill('2999-01-01');
  await page.getByLabel('Patient name').fill(name);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('Choose today or an earlier day.')).toBeVisible();
  await page.getByLabel('From').fill(today);
  await page.getByLabel('Patient name').press('Enter');
  await expect(page.getByLabel('To', { exact: true })).toHaveAccessibleDescription('Choose both days, or none.');
  await page.getByLabel('To', { exact: true }).fill(today);
  await page.getByLabel('Patient name').press('Enter');
  await expect(page).toHaveURL(new RegExp(`from=${today}`));
  await expect(page.getByText(/ of \d+$/)).toBeHidden();
  await expect(downloadSelected).toHaveText('Download selected (0)');
  expect(page.url()).not.toContain(encodeURIComponent(name.split(' ')[0] ?? ''));
  for (const row of await rows.all()) await expect(row).toContainText(name);
  await page.reload();
  await expect(page.getByRole('button', { name: `Remove filter: ${name}` })).toBeVisible();
  await expect(rows.first()).toContainText(name);

  const viewButton = rows.first().getByRole('button', { name: /^View/ });
  const before = await viewButton.boundingBox();
  await viewButton.press('Enter');
  const viewer = page.getByRole('region', { name });
  await expect(viewer.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(rows.first()).toBeVisible();
  await expect(viewer.getByRole('definition').first()).toBeVisible();
  expect(await viewButton.boundingBox()).toEqual(before);
  await expectAccessible(page);
  const pdf = viewer.getByRole('button', { name: 'Show PDF' });
  if (await pdf.isVisible()) {
    await pdf.click();
    await expect(viewer.locator('iframe')).toBeVisible();
    await viewer.getByRole('button', { name: 'Show answers' }).click();
    await expect(viewer.getByRole('definition').first()).toBeVisible();
  }
  const [one] = await Promise.all([
    page.waitForEvent('download'),
    viewer.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(one.suggestedFilename()).toMatch(/^\d{4}-\d\d-\d\d .+\.pdf$/);
  expect((await readFile(await one.path())).subarray(0, 5).toString()).toBe('%PDF-');
  const more = viewer.getByRole('button', { name: 'More' });
  await more.click();
  const [data] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download as FHIR' }).click(),
  ]);
  expect(data.suggestedFilename()).toBe(one.suggestedFilename().replace(/\.pdf$/, '.json'));
  expect(JSON.parse(await readFile(await data.path(), 'utf8'))).toMatchObject({
    resourceType: 'QuestionnaireResponse',
    status: 'completed',
  });
  await more.press('ArrowDown');
  await page.getByRole('menuitem', { name: 'Show values' }).click();
  await expect(viewer.getByText('This form does not define its answers for other software.')).toBeVisible();
  await expectAccessible(page);
  const [values] = await Promise.all([
    page.waitForEvent('download'),
    viewer.getByRole('button', { name: 'Download values (FHIR)' }).click(),
  ]);
  expect(JSON.parse(await readFile(await values.path(), 'utf8'))).toMatchObject({
    resourceType: 'Bundle',
    type: 'transaction',
  });
  await viewer.getByRole('button', { name: 'Show answers' }).click();
  await expect(viewer.getByRole('definition').first()).toBeVisible();
  // An open form prints alone, without its buttons.
  await page.emulateMedia({ media: 'print' });
  await expect(viewer.getByRole('definition').first()).toBeVisible();
  await expect(page.getByText(/^Maple Street Pediatrics · printed /)).toBeVisible();
  await expect(rows.first()).toBeHidden();
  await expect(more).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await viewer.getByRole('button', { name: 'Close form' }).click();
  await expect(rows.first().getByRole('button', { name: /^View/ })).toBeFocused();

  const found = Number(/\d+/.exec((await page.getByRole('heading', { name: /^Forms List/ }).textContent()) ?? '')?.[0]);
  expect(found).toBeGreaterThan(1);
  // The zip waits until its progress was seen.
  const seen = Promise.withResolvers<void>();
  await page.route('**/forms/bulk-download', async (route) => {
    await seen.promise;
    await route.continue();
  });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download All' }).click();
  await expect(page.getByRole('progressbar', { name: 'Download All' })).toBeVisible();
  await expectAccessible(page);
  seen.resolve();
  const zip = await download;
  await page.unroute('**/forms/bulk-download');
  expect(zip.suggestedFilename()).toMatch(/^forms-.+\.zip$/);
  const bytes = await readFile(await zip.path());
  expect(bytes.toString('latin1').split('PK\x01\x02')).toHaveLength(found + 1);

  await page.getByRole('button', { name: `Remove filter: ${name}` }).click();
  await expect(rows).toHaveCount(10);
  await page.getByRole('button', { name: /^Insurance Card \d/ }).click();
  const chip = page.getByRole('button', { name: /^Insurance Card \d/, pressed: true });
  const count = /\d+$/.exec((await chip.textContent()) ?? '')?.[0] ?? '';
  await expect(page.getByRole('heading', { name: `Forms List ${count}`, exact: true })).toBeVisible();
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download answers (CSV)' }).click(),
  ]);
  expect(csv.suggestedFilename()).toMatch(/^Insurance Card \d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await csv.path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toMatch(/^Date,Time,Patient,Birth date,/);
  expect(lines).toHaveLength(Number(count) + 1);
  await expect(page.getByRole('button', { name: 'Remove filter: Insurance Card' })).toBeHidden();
  const allForms = page.getByRole('button', { name: /^All forms \d/ });
  await allForms.click();
  await expect(page.getByRole('button', { name: 'Download answers (CSV)' })).toBeHidden();
  await page.getByRole('button', { name: /^Health History \d/ }).click();
  await expect(page.getByRole('button', { name: /^Health History \d/, pressed: true })).toBeVisible();
  // Birthdays tell two patients of one name apart; what the desk has to see comes before the sections.
  await expect(page.getByText(/^Born \w+ \d+, \d{4}$/).first()).toBeVisible();
  // The rows of before stay until these are loaded.
  await expect(rows.first()).toContainText('Health History');
  await rows.first().getByRole('button', { name: /^View/ }).click();
  const answers = page.getByRole('region').filter({ has: page.getByRole('button', { name: 'Close form' }) });
  await expect(answers.getByRole('heading', { level: 3 }).first()).toHaveText(/^(To review|Allergies)$/);
  await answers.getByRole('button', { name: 'Close form' }).click();
  await allForms.click();
  await page.getByLabel('Patient name').fill('nobody of that name');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No Forms Available')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download All' })).toBeHidden();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(/form-types/);
});

test.describe('on a small dark phone, in Spanish', () => {
  test.use({
    storageState: sessionFileOf(staff.luis),
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    locale: 'es-US',
  });

  test('on a small phone the forms list fits, and an open form replaces it', async ({ page }) => {
    await page.goto('/dashboard/forms?type=insurance-card');
    await expect(page.getByRole('heading', { name: /^Lista de formularios/ })).toBeVisible();
    const view = page.getByRole('button', { name: /^Ver(?! valores)/ }).first();
    await expect(view).toBeVisible();
    await page.getByLabel('Seleccionar todos los de esta página').check();
    await expect(page.getByRole('button', { name: /^Descargar seleccionados \([1-9]/ })).toBeVisible();
    const search = page.getByLabel('Nombre del paciente');
    await expect(search).toBeHidden();
    await page.getByRole('button', { name: 'Buscar por nombre o día' }).click();
    await expect(search).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await expectAccessible(page);
    await view.click();
    await expect(view).toBeHidden();
    await expectAccessible(page);
    await page.goBack();
    await expect(view).toBeVisible();
  });
});

/** Unpacks a zip and returns its file names; each must be a whole PDF. */
function pdfsIn(zip: Buffer): Promise<string[]> {
  return new Promise((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: true, validateEntrySizes: true }, (error, file) => {
      if (error) return reject(error);
      const names: string[] = [];
      file.on('entry', (entry: Entry) => {
        names.push(entry.fileName);
        file.openReadStream(entry, (broken, stream) => {
          if (broken) return reject(broken);
          buffer(stream).then((bytes) => {
            if (bytes.subarray(0, 5).toString() !== '%PDF-') return reject(new Error('not a PDF'));
            file.readEntry();
          }, reject);
        });
      });
      file.on('error', reject);
      file.on('end', () => resolve(names));
      file.readEntry();
    }),
  );
}

/** The demo submits its forms in the background after the start; a row that arrives during the test would shift the pages. */
async function allFormsAreFiled(page: Page): Promise<void> {
  const total = () => page.getByText(/^1 - 10 of \d+$/).textContent();
  const isStill = async () => {
    const before = await total();
    await page.waitForTimeout(3_000);
    return before === (await total());
  };
  await expect.poll(isStill, { timeout: 60_000 }).toBe(true);
}
