import type { Page } from '@playwright/test';
import { test } from '#e2e/helpers/journey.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';
import { lookName, openAs, panelLooks, phoneLooks, take, type Look } from './looks.ts';

type Open = (page: Page, look: Look) => Promise<unknown>;

/** A screen of the panel, as one of the demo's staff sees it; `open` leads to it. */
export function panelPicture(name: string, who: keyof typeof staff | null, open: Open): void {
  for (const look of panelLooks)
    test(`${name} ${lookName(look)}`, async ({ browser }) => {
      const page = await openAs(browser, look, who === null ? {} : { storageState: sessionFileOf(staff[who]) });
      await open(page, look);
      await take(page, name, look);
    });
}

/** A screen of a patient's phone. */
export function phonePicture(name: string, open: Open): void {
  for (const look of phoneLooks)
    test(`${name} ${lookName(look)}`, async ({ browser }) => {
      const page = await openAs(browser, look);
      await open(page, look);
      await take(page, name, look);
    });
}

/** The screen at this address. */
export const at = (path: string) => (page: Page) => page.goto(path);
