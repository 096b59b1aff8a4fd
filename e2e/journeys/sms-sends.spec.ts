import { formatPhone } from '#contract/phone-format.ts';
import { expect, test } from '#e2e/helpers/journey.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

test('the texts of a send that have not gone out are canceled at once, and they are found by number, in both languages', async ({
  browser,
}) => {
  const context = await browser.newContext({ storageState: sessionFileOf(staff.mina) });
  const page = await context.newPage();
  await page.goto('/sms-dashboard');
  const phones = Array.from({ length: 12 }, () => newPhone());
  // In three days: what goes out now takes the places of the other journeys' texts.
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const csv = ['Phone,Send at', ...phones.map((phone) => `${phone},${day} 10:00`)].join('\r\n');
  await page.getByLabel('CSV file').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Send SMS' }).click();
  const sheet = page.getByRole('alertdialog', { name: 'Text 12 people?' });
  // The buttons of the sheet are on screen at once, on a small laptop too.
  await expect(sheet.getByRole('button', { name: 'Text 12 people' })).toBeInViewport({ ratio: 1 });
  await sheet.getByRole('button', { name: 'Text 12 people' }).click();

  const sends = page.getByRole('region', { name: 'Texts to several people' });
  const send = sends.getByRole('listitem').filter({ hasText: 'Text to 12 people' });
  await expect(send).toContainText(/0 sent · 12 to go · the last one goes out/);
  await expectAccessible(page);
  await send.getByRole('button', { name: 'Cancel the 12 that have not gone out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Cancel 12 texts?' });
  await expect(question).toContainText('They will not be sent. This cannot be undone.');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel the texts' }).click();
  await expect(page.getByText('12 texts canceled')).toBeVisible();
  await expect(send).toContainText('0 sent · 12 canceled');
  await expect(send.getByRole('button')).toHaveCount(0);

  const last = phones.at(-1) ?? '';
  await page.getByLabel('Search by name or number').fill(last.slice(-7));
  const texts = page.getByRole('list', { name: 'Outbox' }).getByRole('listitem');
  await expect(texts).toHaveCount(1);
  await expect(texts).toContainText(formatPhone(last));
  await expect(texts).toContainText('Was to go out');
  await page.getByLabel('Search by name or number').fill('nobody at all');
  await expect(page.getByText('No texts found')).toBeVisible();
  await page.getByRole('button', { name: 'Show all texts' }).click();
  await expect(texts.nth(1)).toBeVisible();

  const spanish = await browser.newContext({
    storageState: sessionFileOf(staff.mina),
    locale: 'es-US',
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
  });
  const phone = await spanish.newPage();
  await phone.goto('/sms-dashboard');
  const envios = phone.getByRole('region', { name: 'Mensajes a varias personas' });
  await expect(envios).toContainText(/Mensaje a 12 personas.*12 cancelados/s);
  await expectAccessible(phone);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});
