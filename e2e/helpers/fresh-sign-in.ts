import { expect, test, type Browser, type Page } from './journey.ts';
import { codeSentTo } from './outbox.ts';
import { sessionFileOf } from './staff.ts';

const longestPauseMs = 40_000;

/** Asks for a code. If one was sent to this person just before, by another journey, the next one is sent half a minute later. */
export async function waitForCode(page: Page): Promise<void> {
  test.setTimeout(test.info().timeout + longestPauseMs);
  const code = page.getByLabel('Verification Code');
  await expect(async () => {
    if (await code.isVisible()) return;
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(code).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: longestPauseMs });
}

export async function signInByCode(page: Page, email: string): Promise<void> {
  await waitForCode(page);
  await page.getByLabel('Verification Code').fill(await codeSentTo(page, email));
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
