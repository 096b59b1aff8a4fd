import { expect, type Page } from '@playwright/test';

/** The numbers from which the demo's practices text. */
export const mapleTexts = '+12125550150';
export const cedarTexts = '+12125550152';
export const summitTexts = '+12125550153';

/** A picture of 48 × 36 pixels that a phone sends. */
export const picture = {
  type: 'image/png',
  content:
    'iVBORw0KGgoAAAANSUhEUgAAADAAAAAkCAMAAAD4m0k4AAAAA1BMVEUzqog23DliAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFklEQVQ4y2NgGAWjYBSMglEwCoYnAAAG5AAB0kWRNAAAAABJRU5ErkJggg==',
};

interface PatientText {
  to?: string;
  file?: typeof picture;
}

/** A phone (ten digits, in any spelling) texts a practice, on the page's server. */
export async function patientTexts(
  page: Page,
  phone: string,
  body: string,
  { to = mapleTexts, file }: PatientText = {},
): Promise<void> {
  const headers = { origin: new URL(page.url()).origin };
  const from = `+1${phone.replace(/\D/g, '').slice(-10)}`;
  const answer = await page.request.post('/dev/outbox/reply', { headers, data: { from, to, body, file } });
  expect(answer.ok(), await answer.text()).toBe(true);
}
