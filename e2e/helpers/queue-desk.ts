import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import type axe from 'axe-core';
import { newPhone } from './phones.ts';
import { staff, sessionFileOf } from './staff.ts';

const npi = '1234567893';

interface ArrivedPatient {
  name: string;
  phone: string;
  token: string;
}

/** A new patient checks in on a phone. */
export async function checkInPatient(
  page: Page,
  firstName: string,
  lastName = lastNameAtRandom(),
): Promise<ArrivedPatient> {
  const phone = `+1${newPhone()}`;
  const answer = await page.request.post(`/api/checkin/${npi}`, {
    headers: { cookie: '', origin: new URL(page.url()).origin },
    data: { firstName, lastName, phone, birthDate: '2019-02-09', household: [], language: 'en' },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  const { token } = (await answer.json()) as { token: string };
  return { name: `${firstName} ${lastName}`, phone, token };
}

/** Random, so that a test can run twice on one server. */
const lastNameAtRandom = (): string =>
  `Qa${Array.from({ length: 7 }, () => 'abcdefghijklmnopqrstuvwxyz'[randomInt(26)]).join('')}`;

/** A desk: its own browser window, signed in, at the queue. */
export async function openDesk(
  browser: Browser,
  who: keyof typeof staff = 'dana',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ storageState: sessionFileOf(staff[who]), ...options });
  const page = await context.newPage();
  await page.goto('/dashboard');
  await expect(page.getByRole('listbox')).toBeVisible();
  return page;
}

export const cardOf = (page: Page, name: string): Locator => page.getByRole('option').filter({ hasText: name });

/** Finds a patient in a long list and selects them. */
export async function selectPatient(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox').fill(name);
  await cardOf(page, name).click();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
}

/** Checks that the screen has no axe violations, nor any frame in it. */
export async function expectAccessible(page: Page): Promise<void> {
  const isMoving = await page.evaluate(stillness);
  // A picture that moves again and again is judged as those see it who want no motion.
  if (isMoving) await page.emulateMedia({ reducedMotion: 'reduce' });
  // Once for each document, and only the violations come back: a tenth of the time that the usual wrapper takes.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axeForFrames);
  const violations = await page.evaluate(async () => {
    const { axe: axeOfPage } = window as unknown as { axe: typeof axe };
    // A change since then has begun fades of its own; from here to axe's verdict nothing else runs.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    return (await axeOfPage.run({ resultTypes: ['violations'] })).violations;
  });
  if (isMoving) await page.emulateMedia({ reducedMotion: null });
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
  ).toEqual([]);
}

/** The package's own `axe.source` is twice as long, and each new document reads all of it. */
const axeSource = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** Frames of another origin, such as the chat on a practice's website, report to the page's axe too. */
const axeForFrames = `${axeSource}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`;

/** Ends fades at once: half-faded text would fail the contrast check. Returns whether something never ends. */
async function stillness(): Promise<boolean> {
  const frames = (n: number): Promise<void> =>
    new Promise((resolve) => requestAnimationFrame(() => resolve(n > 1 ? frames(n - 1) : undefined)));
  await frames(3);
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  await frames(1);
  return document.getAnimations().some(({ effect }) => effect?.getComputedTiming().endTime === Infinity);
}
