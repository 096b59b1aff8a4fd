import { formatPhone } from '#contract/phone-format.ts';
import { expect, test, type Browser, type BrowserContextOptions, type Page } from '#e2e/helpers/journey.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
const fits = async (page: Page, name: string) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  if (!shots) return;
  // The page scrolls inside of the shell: a tall window shows all of it.
  const size = page.viewportSize();
  await page.setViewportSize({ width, height: 2200 });
  await page.screenshot({ path: `${shots}/engage-${name}.png` });
  if (size) await page.setViewportSize(size);
};

async function open(browser: Browser, who: string, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    storageState: sessionFileOf(who),
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const csv = (text: string) => ({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

test('without the Check-in tab, /dashboard is Engage Patients: a message is copied, a list is uploaded and texted', async ({
  browser,
}) => {
  const page = await open(browser, staff.ruth, '/');
  await expect(page).toHaveURL(/\/dashboard\/forms$/);
  await page.getByRole('link', { name: 'Engage Patients' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { name: 'Prepare Your Patients' })).toBeVisible();

  await test.step('a click copies a message with the check-in link', async () => {
    await page.getByRole('button', { name: /^Harbor .*check in on your phone/ }).click();
    await expect(page.getByRole('button', { name: /Copied!/ })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/\/c\/2000000010$/);
    expect(copied.length).toBeLessThan(160);
  });

  await test.step('guides open, and Other leads to support', async () => {
    await page.getByText('Dentrix', { exact: true }).click();
    await expect(page.getByText(/^Sign in to Dentrix Ascend/)).toBeVisible();
    await expect(page.getByRole('list', { name: 'Outbox' }).getByRole('listitem').first()).toBeVisible();
    await fits(page, 'legacy');
    await page.getByRole('link', { name: /^Other/ }).click();
    await expect(page).toHaveURL(/\/settings\/live-customer-support$/);
    await page.goBack();
  });

  await test.step('an uploaded list is checked, started over, uploaded again and sent', async () => {
    const phone = newPhone();
    const file = page.getByLabel('CSV file');
    await file.setInputFiles(csv('hello'));
    await expect(page.getByText('Uploading your file...').first()).toBeVisible();
    await expect(page.getByText('Upload Completed')).toBeVisible();
    await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription(/line 1\b/i);
    await page.getByRole('button', { name: 'Start Over' }).click();
    await expect(page.getByText('Upload Completed')).toHaveCount(0);
    await file.setInputFiles(csv(`Phone,Send at\n${phone},\n${formatPhone(phone)},`));
    await expect(page.getByText('Upload Completed')).toBeVisible();
    await fits(page, 'uploaded');
    await page.getByRole('button', { name: 'Send SMS' }).click();
    const sheet = page.getByRole('alertdialog', { name: 'Text 1 person?' });
    await sheet.getByRole('button', { name: 'Text 1 person' }).click();
    await expect(page.getByText('SMS sent', { exact: true })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('button', { name: 'Browse' })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Outbox' })).toContainText(formatPhone(phone));
  });

  await page.goto('/dashboard/engage');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a list of appointments is corrected, confirmed and scheduled; the same list again texts nobody', async ({
  browser,
}) => {
  const page = await open(browser, staff.dana, '/dashboard');
  await page.getByRole('link', { name: 'Engage Patients' }).click();
  await expect(page).toHaveURL(/\/dashboard\/engage$/);
  await expect(page.getByRole('tab', { name: 'Appointments' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText(/^A \.csv file with the name, phone number and appointment time/)).toBeVisible();
  const [first, second] = [newPhone(), newPhone()];
  const list = csv(`Name,Phone,Time\nAda Byron,${first},9:30 AM\nGrace Hopper,${second},soon\n`);
  await page.getByLabel('CSV file').setInputFiles(list);
  await expect(page.getByText('Upload Completed')).toBeVisible();
  const rows = page.getByRole('list', { name: 'Recipients' }).getByRole('listitem');
  await expect(rows.nth(0)).toContainText('Ada Byron');
  const time = rows.nth(1).getByLabel('Appointment');
  await expect(time).toHaveAccessibleDescription('Line 3: “soon” is not a clear time, such as 2:30 PM.');
  await page.getByRole('button', { name: 'Schedule texts' }).click();
  await expect(page.getByText('Please fix the errors in the form')).toBeVisible();
  await fits(page, 'appointments');
  await time.fill(await rows.nth(0).getByLabel('Appointment').inputValue());
  await page.getByRole('button', { name: 'Schedule texts' }).click();
  const sheet = page.getByRole('alertdialog', { name: 'Text 2 people?' });
  await expect(sheet).toContainText('Each text usually goes out 60 minutes before the appointment.');
  await fits(page, 'appointments-sheet');
  await sheet.getByRole('button', { name: 'Text 2 people' }).click();
  await expect(page.getByText('Texts scheduled: 2')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Outbox' })).toContainText(formatPhone(first));

  await page.getByLabel('CSV file').setInputFiles(csv(`${first},9:30 AM,Ada Byron`));
  await page.getByRole('button', { name: 'Schedule texts' }).click();
  const nobody = page.getByRole('alertdialog', { name: 'No one would be texted' });
  await expect(nobody).toContainText('1 person already has a text for an appointment that day');
  await expectAccessible(page);
});

test('with the Check-in tab, Engage Patients is a tab of its own, also in Spanish, in the dark and on a phone', async ({
  browser,
}) => {
  const page = await open(browser, staff.dana, '/dashboard/engage', {
    viewport: { width: 360, height: 740 },
    locale: 'es-US',
    colorScheme: 'dark',
  });
  await expect(page.getByRole('heading', { name: 'Contactar pacientes', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Contactar pacientes' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('button', { name: /registre su llegada/ }).first()).toBeVisible();
  await fits(page, 'phone');
});
