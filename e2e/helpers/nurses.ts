import { randomUUID } from 'node:crypto';
import { expect, type Browser, type Page } from '#e2e/helpers/journey.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
/** A picture of the whole page at three widths, light and dark. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!shots) return;
  const before = page.viewportSize();
  const wasDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
    [360, 740],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: `${shots}/ambulatory-${name}-${width}-${colorScheme}.png`,
        fullPage: true,
        animations: 'disabled',
      });
    }
  await page.emulateMedia({ colorScheme: wasDark ? 'dark' : 'light' });
  if (before) await page.setViewportSize(before);
}

/** A nurse's desk at Summit, at the page that the gate leads to. */
export async function openNurse(browser: Browser, who: 'theo' | 'amara', options = {}): Promise<Page> {
  const page = await (await browser.newContext({ storageState: sessionFileOf(staff[who]), ...options })).newPage();
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard\/patients/);
  return page;
}

/** Surveys are due from midnight on, so that the hour of the run does not matter. */
export async function surveysAtMidnight(page: Page): Promise<void> {
  const quietHours = { from: '03:00', until: '03:01' };
  const messages = await send<object>(page, 'GET', '/office/message-settings');
  await send(page, 'PUT', '/office/message-settings', { ...messages, quietHours });
  const { settings } = await send<{ settings: object }>(page, 'GET', '/ambu/surveys');
  await send(page, 'PUT', '/ambu/settings', { ...settings, surveyTime: '00:00' });
}

/** Calls the API as the person of a page. */
export async function send<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const headers = { origin: new URL(page.url()).origin, 'idempotency-key': randomUUID() };
  const answer = await page.request.fetch(`/api${path}`, { method, headers, ...(data && { data }) });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as T;
}

export const yesterday = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Phoenix' }).format(Date.now() - 24 * 3_600_000);

/** The newest link that was texted to a number. */
export async function linkTo(page: Page, phone: string): Promise<string> {
  const link = async () => {
    const answer = await page.request.get('/dev/outbox.json', { params: { to: `+1${phone}` } });
    return /\/episode\/[\w-]+/.exec(((await answer.json()) as { body: string }[])[0]?.body ?? '')?.[0] ?? '';
  };
  await expect.poll(link).not.toBe('');
  return link();
}

/** Each number of the scale is as large as a thumb, and they stand in their order, in two rows. */
export async function expectThumbs(phone: Page, question: RegExp): Promise<void> {
  const scale = phone.getByRole('group', { name: question });
  const boxes = await scale.locator('label:has([type=radio])').evaluateAll((labels) =>
    labels.map((label) => {
      const { x, y, width, height } = label.getBoundingClientRect();
      return { number: label.textContent, x, y, width, height };
    }),
  );
  const inOrder = boxes.toSorted((a, b) => a.y - b.y || a.x - b.x).map(({ number }) => number);
  expect(inOrder).toEqual(Array.from({ length: 11 }, (_, i) => String(i)));
  expect(Math.min(...boxes.flatMap(({ width, height }) => [width, height]))).toBeGreaterThanOrEqual(44);
  expect(boxes.filter(({ y }) => y === boxes[0]?.y).map(({ number }) => number)).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
  ]);
}

export const choose = (phone: Page, question: RegExp, answer: string) =>
  phone.getByRole('group', { name: question }).getByRole('radio', { name: answer, exact: true }).check();
