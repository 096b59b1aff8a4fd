import { appendFileSync, mkdirSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { Language } from '#e2e/helpers/language.ts';

/** Where the pictures go; not committed. */
export const folder = process.env.PICTURES ?? 'test-results/pictures';

/** How somebody may see a screen. */
export interface Look {
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
  language: Language;
}

const look = (width: number, height: number, colorScheme: Look['colorScheme'], language: Language): Look => ({
  width,
  height,
  colorScheme,
  language,
});

export const panelLooks = [
  look(1366, 768, 'light', 'en'),
  look(1920, 1080, 'dark', 'es'),
  look(390, 844, 'light', 'es'),
  look(390, 844, 'dark', 'en'),
];
export const phoneLooks = [look(390, 844, 'light', 'es'), look(390, 844, 'dark', 'en'), look(320, 640, 'light', 'en')];

export const lookName = ({ width, colorScheme, language }: Look) => `${width}-${colorScheme}-${language}`;

export async function openAs(browser: Browser, seen: Look, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: seen.width, height: seen.height },
    colorScheme: seen.colorScheme,
    locale: seen.language === 'es' ? 'es-US' : 'en-US',
    hasTouch: seen.width < 500,
    reducedMotion: 'reduce',
    ...options,
  });
  return context.newPage();
}

/** A long page is cut off here. */
const tallest = 1_800;

/** Takes the picture once nothing is loading, and notes what a person would have to check: `notes.txt` beside the pictures. */
export async function take(page: Page, name: string, seen: Look): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  await page.evaluate(() => document.fonts.ready);
  mkdirSync(folder, { recursive: true });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const file = `${name}--${lookName(seen)}`;
  await page.screenshot({
    path: `${folder}/${file}.png`,
    animations: 'disabled',
    ...(height > seen.height && {
      fullPage: true,
      clip: { x: 0, y: 0, width: seen.width, height: Math.min(height, tallest) },
    }),
  });
  for (const note of await page.evaluate(findDoubts, seen.width < 500))
    appendFileSync(`${folder}/notes.txt`, `${file}: ${note}\n`);
}

/** Text that is cut off, a page wider than the screen, and what is too small for a finger (rows of text aside). */
function findDoubts(isPhone: boolean): string[] {
  const seen = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const named = (element: Element) =>
    (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 60);
  const doubts: string[] = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) doubts.push(`wider than the screen: ${scrollWidth} of ${clientWidth}`);
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (element.childElementCount > 0 || element.scrollWidth <= element.clientWidth + 1 || !seen(element)) continue;
    if (getComputedStyle(element).textOverflow === 'ellipsis') doubts.push(`cut off: ${named(element)}`);
  }
  if (isPhone)
    for (const element of document.querySelectorAll('button, a[href], [role=tab], summary, select')) {
      const { width, height } = element.getBoundingClientRect();
      const isInText = getComputedStyle(element).display === 'inline';
      if (seen(element) && !isInText && width > 2 && Math.min(width, height) < 36)
        doubts.push(`small: ${named(element)} (${Math.round(width)} × ${Math.round(height)})`);
    }
  return [...new Set(doubts)];
}
