import { expect, type Browser, type FrameLocator, type Locator, type Page } from '@playwright/test';

/** The same person in another browser: only signed in, with no other stored data. */
export async function signInOnNewBrowser(browser: Browser, page: Page): Promise<Page> {
  const { cookies } = await page.context().storageState();
  return (await browser.newContext({ storageState: { cookies, origins: [] } })).newPage();
}

/** Labels for filling in the local signing page. */
const signing = {
  en: { start: 'Read and sign', frame: 'The agreement, to read and sign', name: 'Your full name', sign: 'Sign' },
  es: { start: 'Leer y firmar', frame: 'El acuerdo, para leer y firmar', name: 'Su nombre completo', sign: 'Firmar' },
} as const;

/** Signs the agreement of the office on screen, by mouse. */
export async function signAgreementOnScreen(page: Page, language: keyof typeof signing = 'en'): Promise<void> {
  const words = signing[language];
  await page.getByRole('button', { name: words.start }).click();
  const frame = signingFrame(page, language);
  await frame.getByLabel(words.name).fill('Noor Haddad');
  await frame.getByRole('checkbox').check();
  await frame.getByRole('button', { name: words.sign, exact: true }).click();
}

export const signingFrame = (page: Page, language: keyof typeof signing): FrameLocator =>
  page.frameLocator(`iframe[title="${signing[language].frame}"]`);

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator, atMost = 60): Promise<void> {
  await expect(target).toBeVisible();
  for (let pressed = 0; pressed < atMost; pressed++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${atMost} tabs did not reach it`);
}

/** A patient checks in at the practice that this browser is signed in to. */
export async function patientArrives(page: Page, firstName: string): Promise<void> {
  const { office } = (await (await page.request.get('/api/session')).json()) as { office: { npi: string } };
  const answer = await page.request.post(`/api/checkin/${office.npi}`, {
    headers: { cookie: '', origin: new URL(page.url()).origin },
    data: {
      firstName,
      lastName: 'Byron',
      phone: '+19175550133',
      birthDate: '2019-02-09',
      household: [],
      language: 'en',
    },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}
