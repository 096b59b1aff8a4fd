import { formatPhone } from '#contract/phone-format.ts';
import { expect, test, type Browser, type BrowserContextOptions, type Page, type Route } from '#e2e/helpers/journey.ts';
import { cedarTexts, patientTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/sms-${name}.png`, fullPage: true });
};
const fits = async (page: Page, name: string) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  await shoot(page, name);
};

/** Cedar's desk, at the page that the gate leads to. */
async function openCedar(browser: Browser, options: BrowserContextOptions = {}, path = '/'): Promise<Page> {
  const context = await browser.newContext({ storageState: sessionFileOf(staff.mina), ...options });
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const outboxItem = (page: Page, digits: string) =>
  page
    .getByRole('list', { name: 'Outbox' })
    .getByRole('listitem')
    .filter({ hasText: formatPhone(digits) });

test('an office in sms mode texts a list: bad rows are marked, a sheet asks, and the outbox shows each text', async ({
  browser,
}) => {
  const page = await openCedar(browser, { viewport: { width: 1366, height: 900 } });
  await expect(page).toHaveURL(/\/sms-dashboard$/);
  await expect(page.getByRole('link', { name: 'Checked In Patients' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Check-in', exact: true })).toHaveCount(0);
  await expect(page.getByRole('complementary')).toContainText('Cedar Dental Group');
  const message = page.getByLabel('Message');
  await expect(message).toHaveValue(/^Cedar Dental Group: .*\/c\/2000000028$/);
  await expect(page.getByRole('list', { name: 'Outbox' }).getByRole('listitem').first()).toBeVisible();
  await fits(page, 'send');

  await test.step('an empty number and a time that is too near are marked', async () => {
    await page.getByRole('button', { name: '+ Schedule for later' }).click();
    await expect(page.getByLabel('Send at')).not.toHaveValue('');
    await page.getByLabel('Send at').fill('2020-01-01T10:00');
    await page.getByRole('button', { name: 'Send SMS' }).click();
    await expect(page.getByText('Please fix the errors in the form')).toBeVisible();
    await expect(page.getByText(/^Some dates are outside of the allowed range\./)).toBeVisible();
    await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription('Invalid phone number');
    await expect(page.getByLabel('Phone number')).toBeFocused();
    await fits(page, 'errors');
    await page.getByRole('button', { name: 'Send now instead' }).click();
  });

  const [first, second, third] = [newPhone(), newPhone(), newPhone()];
  await test.step('an uploaded list is shown with its bad rows', async () => {
    const csv = `\uFEFFPhone;Send at\r\n${first};\r\n"${formatPhone(second)}";\r\n5.55E+09;\r\n+1 ${first};\r\n`;
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    const rows = page.getByRole('list', { name: 'Recipients' }).getByRole('listitem');
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(0).getByLabel('Phone number')).toHaveValue(formatPhone(first));
    await expect(rows.nth(2).getByLabel('Phone number')).toHaveAccessibleDescription(
      /^Line 4: Excel shortened this number/,
    );
    await fits(page, 'list');
    await rows.nth(2).getByLabel('Phone number').fill(third);
  });

  await test.step('the sheet says how many people are texted, and the texts go out', async () => {
    await message.fill('a'.repeat(10_000));
    await page.getByRole('button', { name: 'Send SMS' }).click();
    await expect(message).toBeFocused();
    await expect(message).toHaveAccessibleDescription(/^This message has 10,000 characters; the limit is 1,400/);
    await message.fill('We open at noon today. 👍');
    await expect(page.getByText('25 characters · 1 text. Because of “👍”')).toBeVisible();
    await page.getByRole('button', { name: 'Send SMS' }).click();
    const sheet = page.getByRole('alertdialog', { name: 'Text 3 people?' });
    await expect(sheet).toContainText('1 row repeats a number');
    await fits(page, 'sheet');
    await sheet.getByRole('button', { name: 'Text 3 people' }).click();
    await expect(page.getByText('SMS sent', { exact: true })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText('Your SMS was successfully sent to the patient')).toBeVisible();
    for (const phone of [first, second, third]) await expect(outboxItem(page, phone)).toHaveCount(1);
    await expect(outboxItem(page, third)).toContainText('We open at noon today.');
  });

  await test.step('a scheduled text is changed, then canceled', async () => {
    const later = newPhone();
    await page.getByLabel('Phone number').fill(later);
    await page.getByRole('button', { name: '+ Schedule for later' }).click();
    await page.getByRole('button', { name: 'Send SMS' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Text 1 person' }).click();
    await expect(page.getByText(/^Goes out /).last()).toBeVisible();
    const item = outboxItem(page, later);
    await item.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the text' });
    await dialog.getByLabel('Message').fill('We open at one today.');
    await fits(page, 'change');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(item).toContainText('We open at one today.');
    await item.getByRole('button', { name: 'Cancel text' }).click();
    await expect(item).toContainText('Canceled');
  });
});

test('a browser that is closed between the sheet and the send has sent nothing, and its form is empty again', async ({
  browser,
}) => {
  const page = await openCedar(browser, { viewport: { width: 1366, height: 900 } }, '/sms-dashboard');
  const phone = newPhone();
  await page.getByLabel('Phone number').fill(phone);
  await page.getByRole('button', { name: 'Send SMS' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Text 1 person?' })).toContainText('Bad numbers: 0');
  const next = await page.context().newPage();
  await page.close();
  await next.goto('/sms-dashboard');
  await expect(next.getByRole('list', { name: 'Outbox' }).getByRole('listitem').first()).toBeVisible();
  await expect(next.getByLabel('Phone number')).toHaveValue('');
  await expect(outboxItem(next, phone)).toHaveCount(0);
  const sent = await next.request.get('/dev/outbox.json', { params: { to: `+1${phone}` } });
  expect(await sent.json()).toEqual([]);
});

test('text typed during the check stays, and the confirmation shows what is on screen', async ({ browser }) => {
  const page = await openCedar(browser, { viewport: { width: 1366, height: 900 } }, '/sms-dashboard');
  const [first, second] = [newPhone(), newPhone()];
  let goOn = () => undefined as void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/api/sms/preview', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel('Phone number').fill(first);
  await page.getByRole('button', { name: 'Send SMS' }).click();
  await page.getByLabel('Phone number').fill(second);
  await page.getByRole('button', { name: '+ Add phone number' }).click();
  goOn();
  await expect(page.getByText('Nothing was sent yet')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  const numbers = page.getByLabel('Phone number');
  await expect(numbers).toHaveCount(2);
  await expect(numbers.first()).toHaveValue(new RegExp(`${second.slice(-4)}$`));
  await page.getByRole('button', { name: 'Delete row' }).last().click();
  await page.getByRole('button', { name: 'Send SMS' }).click();
  const sheet = page.getByRole('alertdialog', { name: 'Text 1 person?' });
  await expect(sheet).toContainText(second.slice(-4));
  await expect(sheet.locator('blockquote')).not.toBeEmpty();
  await expectAccessible(page);
});

test('a list of numbers alone is marked, and one press leaves the time of every row empty', async ({ browser }) => {
  const page = await openCedar(browser, { viewport: { width: 1366, height: 900 } }, '/sms-dashboard');
  const [first, second, bad] = [newPhone(), newPhone(), '555-0161'];
  const buffer = Buffer.from(['Phone', first, second, bad].join('\r\n'));
  await page.getByLabel('CSV file').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
  const numbers = page.getByRole('list', { name: 'Recipients' }).getByLabel('Phone number');
  await expect(numbers.first()).toHaveAccessibleDescription(/^Line 2 needs two columns/);
  await expect(page.getByText('2 rows have no second column')).toBeVisible();
  await fits(page, 'numbers-alone');
  await page.getByRole('button', { name: 'Leave the time empty' }).click();
  await expect(page.getByText('2 rows have no second column')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Send SMS' })).toBeFocused();
  await expect(numbers.last()).toHaveAccessibleDescription('Invalid phone number (line 4: “555-0161”)');
  await page.getByRole('button', { name: 'Delete row' }).last().click();
  await page.getByRole('button', { name: 'Send SMS' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Text 2 people?' })).toBeVisible();
});

test('an error below the rows on screen is shown and gets the focus', async ({ browser }) => {
  const page = await openCedar(browser, { viewport: { width: 1366, height: 900 } }, '/sms-dashboard');
  const lines = ['Phone,Send at', ...Array.from({ length: 40 }, (_, n) => `646${String(3_100_000 + n)},`), 'call mom,'];
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });
  await expect(page.getByText('41 rows', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send SMS' }).click();
  const rows = page.getByRole('list', { name: 'Recipients' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await expect(rows.getByLabel('Phone number')).toBeFocused();
});

test('a list of 200 rows with every kind of bad row is corrected in place, and one of 10,001 is kept', async ({
  browser,
}) => {
  const page = await openCedar(browser, { viewport: { width: 1366, height: 900 } }, '/sms-dashboard');
  const upload = (lines: readonly string[]) =>
    page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });
  const good = (n: number) => `646${String(3_000_000 + n)},`;
  const stopped = newPhone();
  await patientTexts(page, stopped, 'STOP', { to: cedarTexts });

  const bad = [
    ['2.12556E+09,', 'Line 2: Excel shortened this number to “2.12556E+09”. Please enter all ten digits.'],
    ['call mom,', 'Invalid phone number (line 3: “call mom”)'],
    ['555-0161,', 'Invalid phone number (line 4: “555-0161”)'],
    ['+44 20 7946 0958,', 'Invalid phone number (line 5: “+44 20 7946 0958”)'],
    ['6465550161', 'Line 6 needs two columns: phone number, and date and time to send (it may be empty).'],
    [`${newPhone()},tomorrow`, 'Line 7: “tomorrow” is not a date and time.'],
    [`${newPhone()},2/30/2027 10:00 AM`, 'Line 8: “2/30/2027 10:00 AM” is not a date and time.'],
    [`${newPhone()},1/2/2020 10:00 AM`, 'Choose a time at least 30 minutes and at most 7 days from now.'],
  ] as const;
  const rest = [
    good(1),
    good(1),
    `${stopped},`,
    '',
    ...Array.from({ length: 200 - bad.length - 3 }, (_, n) => good(n + 2)),
  ];
  await upload(['Phone,Send at', ...bad.map(([line]) => line), ...rest]);
  await expect(page.getByText('200 rows', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Show only the rows with errors' }).click();
  const rows = page.getByRole('list', { name: 'Recipients' }).getByRole('listitem');
  await expect(rows).toHaveCount(bad.length);
  await page.getByRole('button', { name: 'Send SMS' }).click();
  await expect(page.getByText('Please fix the errors in the form')).toBeVisible();
  await expect(page.getByText(/^Some dates are outside of the allowed range\./)).toBeVisible();
  await expect(rows).toHaveCount(bad.length);
  for (const [i, [, explanation]] of bad.entries()) {
    const field = rows.nth(i).getByLabel(i < 5 ? 'Phone number' : 'Send at');
    await expect(field).toHaveAccessibleDescription(explanation);
  }
  await fits(page, 'list-of-200');
  await rows.first().getByLabel('Phone number').fill(newPhone());
  for (let left = bad.length - 1; left > 0; left--) {
    await expect(rows).toHaveCount(left);
    await rows.first().getByRole('button', { name: 'Delete row' }).click();
  }
  await page.getByRole('button', { name: 'Send SMS' }).click();
  const sheet = page.getByRole('alertdialog');
  await expect(sheet).toContainText('1 row repeats a number');
  await expect(sheet).toContainText('1 number opted out (STOP)');
  await fits(page, 'sheet-of-200');
  await sheet.getByRole('button', { name: 'Cancel' }).click();

  await page.reload();
  await upload(Array.from({ length: 10_001 }, (_, n) => good(n)));
  await expect(page.getByText('One send takes 10,000 rows at most.', { exact: false })).toBeVisible();
  await expect(page.getByText('10,001 rows', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send SMS' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await fits(page, 'too-long');
});

test('a patient who was texted is invited, invited again and moved to history', async ({ browser }) => {
  const page = await openCedar(browser, { viewport: { width: 1366, height: 900 } }, '/sms-dashboard/nowhere');
  await expect(page).toHaveURL(/\/sms-dashboard$/);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/sms-dashboard$/);
  await page.getByRole('link', { name: 'Checked In Patients' }).click();
  await expect(page.getByRole('heading', { name: /^Checked In \d+$/, level: 1 })).toBeVisible();
  const list = page.getByRole('list', { name: 'Checked In' });
  const expected = page.getByRole('list', { name: 'Expected' });
  await expect(expected.getByText('Text sent').first()).toBeVisible();
  await expect(list.getByText('Text sent')).toHaveCount(0);
  // Each group counts its own.
  for (const [group, title] of [
    [list, 'Checked In'],
    [expected, 'Expected'],
  ] as const)
    await expect(
      page.getByRole('heading', { name: `${title} ${await group.getByRole('listitem').count()}` }),
    ).toBeVisible();

  const phone = newPhone();
  const arrived = await page.request.post('/api/checkin/2000000028', {
    headers: { cookie: '', origin: new URL(page.url()).origin },
    data: {
      firstName: 'Nadia',
      lastName: 'Qasim',
      phone: `+1${phone}`,
      birthDate: '1988-02-09',
      household: [],
      language: 'en',
    },
  });
  expect(arrived.ok(), await arrived.text()).toBe(true);
  const row = list.getByRole('listitem').filter({ hasText: formatPhone(phone) });
  await expect(row).toContainText('Nadia Qasim');
  await expect(row).toContainText('Arrived');
  await expect(row).toContainText(/\d+ min/);
  await fits(page, 'checked-in');
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('menuitem', { name: 'Left' }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByRole('button', { name: 'Invite in' }).click();
  await expect(page.getByText('SMS sent', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Nadia Qasim');
  await page.route('**/api/appointments/reinvite', (route) => route.abort());
  await row.getByRole('button', { name: 'Reinvite' }).click();
  await expect(page.getByText("We couldn't send your SMS", { exact: true })).toBeVisible();
  await page.unroute('**/api/appointments/reinvite');
  await patientTexts(page, phone, 'STOP', { to: cedarTexts });
  await expect(row).toContainText('Opted out of texts (STOP)');
  await row.getByRole('button', { name: 'Reinvite' }).click();
  await expect(
    page.getByText(`${formatPhone(phone)}: This number has opted out of texts (STOP).`, { exact: false }),
  ).toBeVisible();
  // An impatient second click on 'Invite in' ends no visit.
  await expect(row.getByRole('button').last()).toHaveText('Reinvite');
  await row.getByRole('button', { name: 'Move to history' }).click();
  await expect(row).toHaveCount(0);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Nadia Qasim moved to history' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await row.getByRole('button', { name: 'Move to history' }).click();
  await expect(row).toHaveCount(0);

  await page.getByRole('link', { name: 'Patient History' }).click();
  const done = page
    .getByRole('list', { name: 'History' })
    .getByRole('listitem')
    .filter({ hasText: formatPhone(phone) });
  await expect(done).toContainText('Nadia Qasim');
  await expect(done).toContainText('Moved to history · Seen');
  await fits(page, 'history');
  await done.getByRole('button', { name: 'Move back' }).click();
  await expect(done).toHaveCount(0);
});

test('on a phone, in Spanish and in the dark, one number is texted', async ({ browser }) => {
  const page = await openCedar(browser, {
    viewport: { width: 360, height: 740 },
    locale: 'es-US',
    colorScheme: 'dark',
  });
  await expect(page).toHaveURL(/\/sms-dashboard$/);
  const send = page.getByRole('button', { name: 'Enviar SMS' });
  await send.click();
  await expect(page.getByLabel('Número de teléfono')).toHaveAccessibleDescription('Número de teléfono no válido');
  await fits(page, 'phone');
  const phone = newPhone();
  await page.getByLabel('Número de teléfono').fill(phone);
  // A proxy gave up on an answer: the text is on its way all the same, and the next press sends no second one.
  const loseAnswer = async (route: Route) => {
    await route.fetch();
    await route.fulfill({ status: 502 });
  };
  await page.route('**/api/sms', loseAnswer, { times: 1 });
  await send.click();
  await expect(page.getByText('No pudimos enviar su SMS')).toBeVisible();
  await send.click();
  await expect(page.getByText('SMS enviado', { exact: true })).toBeVisible({ timeout: 20_000 });
  const { texts } = (await (await page.request.get('/api/sms/outbox')).json()) as { texts: { phone: string }[] };
  expect(texts.filter((text) => text.phone === `+1${phone}`)).toHaveLength(1);
  for (const [path, name] of [
    ['/sms-dashboard/checked-in', 'phone-checked-in'],
    ['/sms-dashboard/history', 'phone-history'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('listitem').first()).toBeVisible();
    await fits(page, name);
  }
});
