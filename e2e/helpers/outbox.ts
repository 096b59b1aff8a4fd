import type { Page } from '@playwright/test';

/** The newest one-time code sent to an address or number. */
export async function codeSentTo(page: Page, to: string): Promise<string> {
  const sent = (await (await page.request.get('/dev/outbox.json', { params: { to } })).json()) as { body: string }[];
  const code = /\b\d{6}\b/.exec(sent[0]?.body ?? '')?.[0];
  if (code === undefined) throw new Error('no code was sent there');
  return code;
}
