import { randomInt } from 'node:crypto';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import { newPhone } from './phones.ts';
import { staff, stateOf } from './staff.ts';

const npi = '1234567893';

interface Arrived {
  name: string;
  phone: string;
  token: string;
}

/** Somebody new says "I'm here" on a phone. */
export async function arrives(page: Page, firstName: string, lastName = lastNameAtRandom()): Promise<Arrived> {
  const phone = `+1${newPhone()}`;
  const answer = await page.request.post(`/api/checkin/${npi}`, {
    headers: { cookie: '', origin: new URL(page.url()).origin },
    data: { firstName, lastName, phone, birthDate: '2019-02-09', household: [], language: 'en' },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  const { token } = (await answer.json()) as { token: string };
  return { name: `${firstName} ${lastName}`, phone, token };
}

/** So that a test can run twice on one server. */
const lastNameAtRandom = (): string =>
  `Qa${Array.from({ length: 7 }, () => 'abcdefghijklmnopqrstuvwxyz'[randomInt(26)]).join('')}`;

/** A desk: its own browser window, signed in, at the queue. */
export async function desk(
  browser: Browser,
  who: keyof typeof staff = 'dana',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ storageState: stateOf(staff[who]), ...options });
  const page = await context.newPage();
  await page.goto('/dashboard');
  await expect(page.getByRole('listbox')).toBeVisible();
  return page;
}

export const cardOf = (page: Page, name: string): Locator => page.getByRole('option').filter({ hasText: name });

/** Finds somebody in a long list and chooses them. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox').fill(name);
  await cardOf(page, name).click();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
}

/** What is on screen breaks no rule that can be checked by machine. */
export async function isAccessible(page: Page): Promise<void> {
  await page.evaluate(stillness);
  // One document, or frames of our own origin: nothing needs the second page that axe would open to gather its findings.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
  ).toEqual([]);
}

/** What fades in is there when it has ended: half-seen words would have half their contrast. */
async function stillness(): Promise<void> {
  const frames = (n: number): Promise<void> =>
    new Promise((resolve) => requestAnimationFrame(() => resolve(n > 1 ? frames(n - 1) : undefined)));
  await frames(3);
  const endless = (animation: Animation) => animation.effect?.getComputedTiming().endTime === Infinity;
  const moving = document
    .getAnimations()
    .filter((animation) => animation.playState === 'running' && !endless(animation));
  await Promise.all(moving.map((animation) => animation.finished.catch(() => undefined)));
}
