import { expect, type Page } from '@playwright/test';

/** The numbers from which the demo's practices text. */
export const mapleTexts = '+12125550150';
export const cedarTexts = '+12125550152';

/** A phone (ten digits, in any spelling) texts a practice, on the page's server. */
export async function patientTexts(page: Page, phone: string, body: string, to = mapleTexts): Promise<void> {
  const headers = { origin: new URL(page.url()).origin };
  const from = `+1${phone.replace(/\D/g, '').slice(-10)}`;
  const answer = await page.request.post('/dev/outbox/reply', { headers, data: { from, to, body } });
  expect(answer.ok(), await answer.text()).toBe(true);
}
