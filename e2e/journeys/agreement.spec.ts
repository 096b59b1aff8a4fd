import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test, type Browser, type Page } from '#e2e/helpers/journey.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';

/** A browser of a person whose practice is registered and whose agreement is unsigned; without a phone number they sign in by email. */
async function newPractice(browser: Browser, signIn: { phone?: string } = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  await page.goto('/');
  const headers = { origin: new URL(page.url()).origin };
  const email = `qa${randomInt(1_000_000_000)}@aspen.test`;
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  const { phone } = signIn;
  const who = phone === undefined ? { email } : { phone };
  await post('/api/sign-in/code', who);
  await post('/api/sign-in/verify', { ...who, code: await codeSentTo(page, phone ?? email) });
  await post(`/api/office/register/form-${randomInt(1_000_000_000)}/strapi-office`, {
    isNewAddress: true,
    name: 'Aspen Pediatrics',
    addressLine1: `${randomInt(1, 100_000)} Aspen Street`,
    city: 'Brooklyn',
    state: 'NY',
    zip: '11201',
    email,
    itContact: 'Ann',
    emr: 'N/A',
    patientSize: '501-1000',
    agesTreated: ['Children'],
    timeZone: 'America/New_York',
  });
  await page.goto('/');
  return page;
}

const signing = (page: Page) => page.frameLocator('iframe[title="The agreement, to read and sign"]');

test('whoever signed in by phone names an email address, and a wrong one is refused at its field', async ({
  browser,
}) => {
  const page = await newPractice(browser, { phone: newPhone() });
  const email = page.getByLabel('Email address of the person who signs');
  await email.fill('maria@');
  await page.getByRole('button', { name: 'Read and sign' }).click();
  await expect(page.getByText('Invalid email')).toBeVisible();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await email.fill('maria@aspen.test');
  await expect(page.getByText('Invalid email')).toBeHidden();
  await page.getByRole('button', { name: 'Read and sign' }).click();
  await expect(signing(page).getByRole('group', { name: 'The document' })).toContainText('Aspen Pediatrics');
});

test('an agreement is declined, expires and is signed by hand on a small dark screen; its PDF is in the settings', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const page = await newPractice(browser);
  await page.getByRole('button', { name: 'Read and sign' }).click();
  const frame = signing(page);
  await expect(frame.getByText('demonstration')).toBeVisible();
  await expect(frame.getByRole('group', { name: 'The document' })).toContainText('Aspen Pediatrics');
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

  await frame.locator('summary').filter({ hasText: 'Decline to sign' }).click();
  await frame.getByLabel('Why not?').fill('Our lawyer reads it first');
  await frame.getByRole('button', { name: 'Decline to sign' }).click();
  await expect(frame.getByRole('heading', { name: 'Signing was declined' })).toBeFocused();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Our lawyer reads it first')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Try again' }).click();
  await frame.getByText('Demo options').click();
  await frame.getByRole('button', { name: 'Let this request expire' }).click();
  await expect(frame.getByRole('heading', { name: 'This request has expired' })).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('expired before it was signed')).toBeVisible();

  // In a separate tab; the same link does not open a second time.
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Open in a new tab' }).click(),
  ]);
  await expect(tab.getByRole('heading', { level: 1 })).toContainText('Aspen Pediatrics');
  const again = await page.context().newPage();
  await again.goto(tab.url());
  await expect(again.getByRole('heading', { name: 'This link was opened already' })).toBeVisible();
  await expectAccessible(again);
  await again.close();

  await tab.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(tab.getByText('Please enter your full name.')).toBeVisible();
  await expect(tab.getByLabel('Your full name')).toBeFocused();
  await tab.getByLabel('Your full name').fill('Łucja Nandú');
  await tab.getByLabel('Draw it').check();
  await tab.getByRole('checkbox').check();
  await tab.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(tab.getByText('Please draw your signature')).toBeVisible();
  await expectAccessible(tab);
  const pad = await tab.locator('#pad').boundingBox();
  if (!pad) throw new Error('there is nothing to draw on');
  await tab.mouse.move(pad.x + 30, pad.y + 90);
  await tab.mouse.down();
  for (let i = 0; i < 30; i++) await tab.mouse.move(pad.x + 30 + i * 6, pad.y + 90 + 40 * Math.sin(i / 3));
  await tab.mouse.up();
  await tab.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(tab.getByRole('heading', { name: 'Signed. Thank you!' })).toBeFocused();
  await expectAccessible(tab);

  // The first tab follows by itself.
  await expect(page).toHaveURL(/\/dashboard/);
  await page.goto('/dashboard/settings/agreement');
  await expect(page.getByText('Łucja Nandú')).toBeVisible();
  await expectAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^business-associate-agreement-\d{10}-2026-03\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
  await page.context().close();
});
