import type { Page } from '@playwright/test';

const folder = process.env.E2E_SHOTS;

/** Screenshots to look at, in the folder that E2E_SHOTS names; without it there are none. */
export const shootAs = (prefix: string) => async (page: Page, name: string) => {
  if (folder) await page.screenshot({ path: `${folder}/${prefix}-${name}.png`, fullPage: true });
};
