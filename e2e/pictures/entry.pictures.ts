import { randomInt } from 'node:crypto';
import { expect, type Browser, type Page } from '@playwright/test';
import { test } from '#e2e/helpers/journey.ts';
import { signAgreementOnScreen } from '#e2e/helpers/new-practice.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { lookName, openAs, panelLooks, phoneLooks, take } from './looks.ts';
import { at, panelPicture, phonePicture } from './picture.ts';

/** From an unknown address to the first queue, and the pages that anybody may open. */

panelPicture('entry', null, at('/'));
panelPicture('entry-code', null, async (page) => {
  await page.goto('/');
  await page.locator('input[type=email]').fill(`qa${randomInt(1_000_000_000)}@newcomer.test`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox').first()).toHaveAttribute('autocomplete', 'one-time-code');
});
panelPicture('entry-tour', null, async (page, { language }) => page.goto(`/tour?lang=${language}`));
panelPicture('entry-partner', null, at('/chadis'));
panelPicture('entry-not-found', null, at('/dashboard/nothing-here'));
panelPicture('entry-invitation-gone', null, at(`/join/${'x'.repeat(43)}`));
panelPicture('entry-document', null, at('/document?file=privacy.pdf'));
panelPicture('entry-locked', 'luis', async (page) => {
  await page.goto('/document?file=privacy');
  const headers = { origin: new URL(page.url()).origin };
  await page.request.post('/api/session/lock', { headers, data: {} });
  await page.goto('/dashboard');
});
phonePicture('widget-test', at('/widget-test/1234567893'));

/** One new practice is seen in every look, step by step. */
test('new-practice', async ({ browser }) => {
  const page = await openAs(browser, panelLooks[0] ?? never());
  const email = `qa${randomInt(1_000_000_000)}@newcomer.test`;
  await page.goto('/');
  await page.getByLabel('Email Address').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Verification Code')).toBeVisible();
  await page.getByLabel('Verification Code').fill(await codeSentTo(page, email));
  await expect(page.getByRole('heading', { name: 'Registration' })).toBeVisible();
  await inEveryLook(browser, page, 'new-practice-1-registration');
  await inEveryLook(browser, page, 'new-practice-2-errors', (other) => other.locator('[type=submit]').last().click());

  await page.getByRole('button', { name: 'Add a new address' }).click();
  await page.getByLabel('Address of practice').fill(`${randomInt(1, 100_000)} Test Road`);
  await page.getByLabel('City').fill('Albany');
  await page.getByLabel('State').selectOption('NY');
  await page.getByLabel('ZIP code').fill('12207');
  await page.getByLabel('My practice has no NPI yet').check();
  await page.getByLabel('Office name').fill('Birch Family Care');
  await page.getByLabel('IT contact').fill('it@newcomer.test');
  await page.getByLabel('Management software').selectOption('AthenaOne');
  await page.getByLabel('Number of patients').selectOption('501-1000');
  await page.getByLabel('Adults').check();
  await page.getByRole('button', { name: 'Next Step' }).click();
  await expect(page.locator('[aria-current="step"]')).toContainText('HIPAA signing');
  await inEveryLook(browser, page, 'new-practice-3-agreement');
  await signAgreementOnScreen(page);
  await expect(page.getByText('Do you want to enable payments for your patients?')).toBeVisible();
  await inEveryLook(browser, page, 'new-practice-4-payments-question');
  await page.getByRole('button', { name: 'Skip Payment feature' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
  await inEveryLook(browser, page, 'new-practice-5-empty-queue');
  const session = (await (await page.request.get('/api/session')).json()) as { office: { npi: string } };
  for (const look of phoneLooks) {
    const phone = await openAs(browser, look);
    await phone.goto(`/c/${session.office.npi}`);
    await take(phone, 'new-practice-6-check-in', look);
  }
});

/** The page of this person in every look, in browsers of its own. */
async function inEveryLook(browser: Browser, page: Page, name: string, open?: (other: Page) => Promise<void>) {
  const { cookies } = await page.context().storageState();
  for (const look of panelLooks) {
    const other = await openAs(browser, look, { storageState: { cookies, origins: [] } });
    await other.goto('/');
    await open?.(other);
    await test.step(lookName(look), () => take(other, name, look));
    await other.context().close();
  }
}

function never(): never {
  throw new Error('there are looks');
}
