import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';

/** Pages that a patient sees of the forms, by their addresses and headings: a new one after each Next, Submit and opened form. */
export class Screens {
  readonly seen: string[] = [];
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }
  /** Notes the page on screen; it must have this heading. */
  async shows(title: string) {
    await expect(this.page.getByRole('heading', { level: 1 })).toHaveText(title);
    this.seen.push(title);
  }
  async on(button = 'Next') {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }
}

/** Takes a photo for this question. */
export async function photographs(page: Page, name: string) {
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#37a' } })
    .jpeg()
    .toBuffer();
  const opened = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: `Take a photo ${name}` }).click();
  await (await opened).setFiles({ name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer });
  await expect(page.getByAltText(`${name}: your photo`)).toBeVisible();
}

/** Chooses this answer to a question. */
export const choose = (page: Page, question: RegExp | string, answer: string) =>
  page.getByRole('group', { name: question }).getByRole('radio', { name: answer, exact: true }).check();
