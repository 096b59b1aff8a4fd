import { expect, type BrowserContext, type FrameLocator, type Page } from '#e2e/helpers/journey.ts';
import { maple } from '#e2e/helpers/patient-phone.ts';
import { picture as textedPicture } from '#e2e/helpers/patient-texts.ts';

const shots = process.env.E2E_SHOTS;
export const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

export const ours = process.env.E2E_BASE_URL ?? '';
/** What our documentation asks of a website, and nothing else. */
const policy = `default-src 'none'; script-src ${ours}; frame-src ${ours}; require-trusted-types-for 'script'`;
const website = (language: string) => `<!doctype html>
<html lang="${language}">
  <head>
    <title>A practice's website</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <script src="${ours}/widget.js" data-office="${maple}" async></script>
  </head>
  <body><main><h1>Welcome</h1><p><a href="#hours">Hours</a></p></main></body>
</html>`;

/** Makes a context show a website with our line; returns what its policy refused. */
export async function serveWebsite(context: BrowserContext, origin: string, language = 'en'): Promise<string[]> {
  const refused: string[] = [];
  const headers = { 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' };
  // The server of the journeys is on this machine, which browsers guard from websites.
  await context.grantPermissions(['local-network-access'], { origin });
  await context.route(`${origin}/**`, (route) => route.fulfill({ headers, body: website(language) }));
  context.on('console', (message) => {
    if (message.page()?.url().startsWith(origin) && /Content.Security.Policy|TrustedHTML/i.test(message.text()))
      refused.push(message.text());
  });
  return refused;
}

export const chatOf = (page: Page): FrameLocator => page.frameLocator('iframe[title=Chat]');
export const logOf = (page: Page) => chatOf(page).getByRole('log');

/** A desk in the Website Chatbox. */
const unread = (desk: Page) => desk.getByRole('list', { name: /^(Unread Messages|Mensajes sin leer)$/ });
export const thread = (desk: Page) => desk.getByRole('region', { name: /^(Conversation|Conversación)$/ });
export async function openChatbox(desk: Page): Promise<void> {
  await desk.getByRole('link', { name: /^(Website Chatbox|Chat del sitio web)/ }).click();
  await expect(unread(desk)).toBeVisible();
}
export const rowOf = (desk: Page, words: string) => unread(desk).getByRole('button').filter({ hasText: words });
export const replyBox = (desk: Page) => thread(desk).getByLabel(/^(Send a message|Enviar un mensaje)$/);
export async function answerVisitor(desk: Page, words: string): Promise<void> {
  await replyBox(desk).fill(words);
  await desk.keyboard.press('Control+Enter');
  await expect(thread(desk).getByText(words)).toBeVisible();
}

export const picture = Buffer.from(textedPicture.content, 'base64');
