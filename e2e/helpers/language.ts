import type { BrowserContext, Page } from '@playwright/test';

export type Language = 'en' | 'es';

/** The language chosen on these pages is not saved for other journeys. */
export const forgetLanguage = (pages: Page | BrowserContext) =>
  pages.route('**/api/session/preferences', (route) => route.abort());

/** Chooses the other language on the panel's page. */
export async function speak(page: Page, language: Language): Promise<void> {
  await page.getByRole('button', { name: language === 'en' ? 'Idioma' : 'Language' }).click();
  await page.getByRole('menuitemradio', { name: language === 'en' ? 'English' : 'Español' }).click();
}
