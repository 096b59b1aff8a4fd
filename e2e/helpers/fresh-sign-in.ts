import { expect, type Browser, type Page } from '@playwright/test';
import { codeSentTo } from './outbox.ts';
import { sessionFileOf } from './staff.ts';

export async function signInByCode(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const code = page.getByLabel('Verification Code');
  await expect(code).toBeVisible();
  await code.fill(await codeSentTo(page, email));
}

export async function newBrowser(browser: Browser, options: object = {}): Promise<Page> {
  return (await browser.newContext(options)).newPage();
}

/** Signs in again on a known device: inviting and removing need a proof of identity that is at most ten minutes old. */
export async function freshlySignedIn(browser: Browser, email: string): Promise<Page> {
  const page = await newBrowser(browser, { storageState: sessionFileOf(email) });
  await page.context().clearCookies({ name: /anteroom$/ });
  await page.goto('/');
  await page.getByLabel('Email Address').fill(email);
  await signInByCode(page, email);
  await expect(page).toHaveURL(/\/dashboard/);
  return page;
}
