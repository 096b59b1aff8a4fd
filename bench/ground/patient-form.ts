import type { Browser, Page } from '@playwright/test';
import type { FormsOffice } from './forms-office.ts';
import { readLoad, measureLoad, type PageToOpen } from './browser.ts';

/** Sets the forms that an office requests. */
export async function askForForms(url: string, { headers }: FormsOffice, types: readonly string[]): Promise<void> {
  const forms = types.map((type) => ({ enabled: true, type, day: null, visibleName: { en: type, es: type } }));
  const answer = await fetch(`${url}/api/office/forms`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ forms }),
  });
  if (!answer.ok) throw new Error(`the forms were not set: ${answer.status} ${await answer.text()}`);
}

export interface FormLoad {
  /** JavaScript requested until the form's first page is shown, from the check-in page on; bytes on the wire. */
  first: number;
  /** The same, including prefetches while the page is idle. */
  whole: number;
}

/** A check-in, its visit and a form opened there, on one phone; without prefetching if `savesData`. */
export function openForm(browser: Browser, arrival: PageToOpen, form: string, savesData: boolean): Promise<FormLoad> {
  return measureLoad(browser, arrival, async (page) => {
    if (savesData) await page.evaluate(saveData);
    await page.getByLabel('First name').fill('Ava');
    await page.getByLabel('Last name').fill('Bench');
    await page.getByLabel('Mobile number').fill(savesData ? '(646) 555-0143' : '(646) 555-0144');
    await page.getByLabel('Date of birth').fill('03/02/1990');
    await page.getByRole('button', { name: "I'm here" }).click();
    const link = page.getByRole('link', { name: form });
    await link.waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate(watchForPage);
    await link.click();
    await page.locator('form progress').waitFor();
    const shown = await page.evaluate(() => performance.getEntriesByName('form')[0]?.startTime ?? Number.NaN);
    const first = await jsUntil(page, shown);
    await page.waitForLoadState('networkidle');
    return { first, whole: (await readLoad(page)).js };
  });
}

function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

/** Runs in the page: records when a form's first page is shown. */
function watchForPage(): void {
  const watcher = new MutationObserver(() => {
    if (!document.querySelector('form progress')) return;
    performance.mark('form');
    watcher.disconnect();
  });
  watcher.observe(document, { childList: true, subtree: true });
}

const jsUntil = (page: Page, until: number) =>
  page.evaluate(
    (shown) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name, startTime }) => /\.js$/.test(name) && startTime < shown)
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    until,
  );
