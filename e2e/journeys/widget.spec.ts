import { expect, test, type Browser, type BrowserContext, type FrameLocator, type Page } from '#e2e/helpers/journey.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { maple, newName } from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible, openDesk } from '#e2e/helpers/queue-desk.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

const ours = process.env.E2E_BASE_URL ?? '';
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
async function serveWebsite(context: BrowserContext, origin: string, language = 'en'): Promise<string[]> {
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

const chatOf = (page: Page): FrameLocator => page.frameLocator('iframe[title=Chat]');
const logOf = (page: Page) => chatOf(page).getByRole('log');

/** A desk in the Website Chatbox. */
const unread = (desk: Page) => desk.getByRole('list', { name: /^(Unread Messages|Mensajes sin leer)$/ });
const thread = (desk: Page) => desk.getByRole('region', { name: /^(Conversation|Conversación)$/ });
async function openChatbox(desk: Page): Promise<void> {
  await desk.getByRole('link', { name: /^(Website Chatbox|Chat del sitio web)/ }).click();
  await expect(unread(desk)).toBeVisible();
}
const rowOf = (desk: Page, words: string) => unread(desk).getByRole('button').filter({ hasText: words });
const replyBox = (desk: Page) => thread(desk).getByLabel(/^(Send a message|Enviar un mensaje)$/);
async function answerVisitor(desk: Page, words: string): Promise<void> {
  await replyBox(desk).fill(words);
  await desk.keyboard.press('Control+Enter');
  await expect(thread(desk).getByText(words)).toBeVisible();
}

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** A phone at the same website, which is in Spanish. Its browser keeps nothing for frames of other origins. */
async function openPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
  });
  await serveWebsite(context, 'https://www.maple.test', 'es');
  await context.addInitScript(() => {
    const refuse = { get: () => new DOMException('', 'SecurityError') };
    if (window !== parent)
      for (const storage of ['localStorage', 'sessionStorage']) Object.defineProperty(window, storage, refuse);
  });
  const page = await context.newPage();
  await page.goto('https://www.maple.test/');
  await page.getByRole('button', { name: 'Chatee con nosotros' }).click();
  return page;
}

/** The phone's visitor agrees without a name, and asks. */
async function askOnPhone(page: Page, question: string): Promise<void> {
  const chat = chatOf(page);
  await expect(chat.getByText('No es para emergencias: llame al 911')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-consent-es');
  await chat.getByRole('button', { name: 'Iniciar el chat' }).click();
  const box = chat.getByLabel('Su mensaje');
  await box.fill(question.padEnd(1601, '.'));
  await chat.getByRole('button', { name: 'Enviar' }).click();
  await expect(chat.getByText(/Este mensaje tiene 1.?601 caracteres; el máximo es 1.?600/)).toBeVisible();
  await expect(box).toHaveValue(question.padEnd(1601, '.'));
  await box.fill(question);
  await chat.getByRole('button', { name: 'Enviar' }).click();
  await expect(logOf(page).getByText(question)).toBeVisible();
}

/** The phone's visitor gives a name, is blocked by a desk, and can write again when the desk undoes it. */
async function blockAndUnblock(page: Page, desk: Page, name: string): Promise<void> {
  const chat = chatOf(page);
  await chat.getByRole('button', { name: 'Agregar su nombre' }).click();
  await chat.getByLabel('Su nombre').fill(name);
  await expectAccessible(page);
  await shoot(page, 'widget-name-es');
  await chat.getByRole('button', { name: 'Guardar' }).click();
  await expect(chat.getByRole('button', { name: 'Cambiar su nombre' })).toBeVisible();
  await expect(thread(desk).getByRole('heading', { name })).toBeVisible();
  await thread(desk).getByRole('button', { name: 'Más' }).click();
  await desk.getByRole('menuitem', { name: 'Bloquear a este visitante' }).click();
  const unblock = thread(desk).getByRole('button', { name: 'Desbloquear' });
  await expect(unblock).toBeVisible();
  const blocked = chat.getByRole('alert').filter({ hasText: 'El consultorio terminó este chat. Llame por teléfono.' });
  await expect(blocked).toBeVisible();
  await expect(chat.getByLabel('Su mensaje')).toBeHidden();
  await expectAccessible(page);
  await shoot(page, 'widget-blocked-es');
  await unblock.click();
  await expect(replyBox(desk)).toBeVisible();
  await expect(blocked).toBeHidden();
  await chat.getByLabel('Su mensaje').fill('¿Hola?');
  await chat.getByRole('button', { name: 'Enviar' }).click();
  await expect(thread(desk).getByText('¿Hola?')).toBeVisible();
}

/** Nobody has looked at the chat for half an hour: the device may be somebody else's, so it asks first. Then the visitor ends the chat. */
async function returnLater(page: Page): Promise<void> {
  const chat = chatOf(page);
  await chat.locator('body').evaluate((_, key) => localStorage.setItem(key, '0'), `anteroom.chat-look.${maple}`);
  await page.reload();
  await page.getByRole('button', { name: 'Chat with us' }).click();
  await expect(chat.getByRole('heading', { name: 'Is this your chat with' })).toBeVisible();
  await expect(chat.getByText('We are here until six.')).toBeHidden();
  await expectAccessible(page);
  await shoot(page, 'widget-whose');
  const token = await chat.locator('body').evaluate((_, key) => localStorage.getItem(key), `anteroom.chat.${maple}`);
  const tokenWorks = async () =>
    (
      await page.request.get(`${ours}/api/visitor-chat?after=0`, { headers: { authorization: `Bearer ${token}` } })
    ).ok();
  await chat.getByRole('button', { name: 'Continue the chat' }).click();
  await expect(logOf(page).getByText('We are here until six.')).toBeVisible();
  await page.context().setOffline(true);
  await expect(chat.getByText('No connection. We keep trying', { exact: false })).toBeVisible();
  await chat.getByRole('button', { name: 'End chat' }).click();
  await expect(chat.getByText('End the chat?', { exact: false })).toBeVisible();
  await expectAccessible(page);
  await chat.getByRole('button', { name: 'End the chat' }).click();
  await expect(chat.getByText('the practice does not know yet that you ended it', { exact: false })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-ended-offline');
  expect(await tokenWorks()).toBe(true);
  await page.context().setOffline(false);
  await expect(chat.getByText('You ended the chat.')).toBeVisible();
  expect(await tokenWorks()).toBe(false);
  await expectAccessible(page);
}

test('a strict website, a phone and two desks chat; one visitor leaves and gets the answer by text', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const [name, phone] = [newName(), newPhone()];
  const context = await browser.newContext();
  const refused = await serveWebsite(context, 'https://www.maple.test');
  const page = await context.newPage();
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto('https://www.maple.test/');
  const launcher = page.getByRole('button', { name: /^Chat with us/ });
  await expect(launcher).toBeVisible();
  expect(loaded).toEqual(['/', '/widget.js']);

  // With the keyboard only.
  await page.getByRole('link', { name: 'Hours' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const chat = chatOf(page);
  await expect(chat.getByText('Not for emergencies: call 911')).toBeVisible();
  await expect(chat.getByRole('heading', { level: 1 })).toBeFocused();
  await expectAccessible(page);
  await shoot(page, 'widget-consent');
  await page.keyboard.press('Tab');
  await expect(chat.getByLabel('Your name (optional)')).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  const box = chat.getByLabel('Your message');
  await expect(box).toBeFocused();
  await page.keyboard.type(`Do you take walk-ins? ${name}`);
  await page.keyboard.press('Enter');
  await expect(logOf(page).getByText(`Do you take walk-ins? ${name}`)).toBeVisible();

  const handset = await openPhone(browser);
  const question = `¿Atienden hoy? ${newName()}`;
  await askOnPhone(handset, question);

  const [dana, luis] = [await openDesk(browser, 'dana'), await openDesk(browser, 'luis')];
  await openChatbox(dana);
  await openChatbox(luis);
  await expect(rowOf(luis, name)).toContainText('Do you take walk-ins?');
  await expect(rowOf(luis, question)).toContainText('Desconocido');
  await rowOf(luis, question).click();
  await answerVisitor(luis, 'Hasta las cinco.');
  await expect(logOf(handset).getByText('Hasta las cinco.')).toBeVisible();
  await blockAndUnblock(handset, luis, newName());

  await rowOf(dana, name).click();
  await expect(thread(dana).getByText('Last Seen now')).toBeVisible();
  await replyBox(dana).pressSequentially('Yes, u');
  await expect(async () => {
    await replyBox(dana).pressSequentially('n');
    await expect(logOf(page).getByText('Writing...')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await answerVisitor(dana, 'Yes, until noon.');
  await expect(logOf(page).getByText('Yes, until noon.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat.getByRole('log')).toBeHidden();
  await expect(launcher).toBeFocused();
  await answerVisitor(dana, 'Come in any time.');
  await expect(page.getByRole('button', { name: 'Chat with us (1)' })).toBeVisible();

  await launcher.click();
  await chat.getByLabel('Your message').fill('Half a quest');
  await page.reload();
  await launcher.click();
  await expect(logOf(page).getByText('Come in any time.')).toBeVisible();
  await expect(chat.getByLabel('Your message')).toHaveValue('Half a quest');
  await chat.getByLabel('Your message').fill('');
  await expect(logOf(page).getByText(`Do you take walk-ins? ${name}`)).toBeVisible();
  await chat
    .getByLabel('Picture', { exact: true })
    .setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: picture });
  await expect(chat.getByAltText('The picture you are sending')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-picture-attached');
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(logOf(page).getByAltText('Picture')).toBeVisible();
  await expect(thread(dana).getByRole('img').last()).toBeVisible();
  await chat
    .getByLabel('Picture', { exact: true })
    .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  // What to do about it is in sight without scrolling, and there is no picture to show.
  await expect(chat.getByRole('button', { name: 'Try again' })).toBeInViewport({ ratio: 1 });
  await expect(logOf(page).getByText('broken.png')).toBeVisible();
  await expect(logOf(page).getByAltText('The picture you are sending')).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, 'widget-picture-refused');
  await chat.getByRole('button', { name: 'Delete' }).click();

  await chat.getByRole('button', { name: 'Leaving? Get the answer by text' }).click();
  await chat.getByLabel('Mobile number').fill(phone);
  await expectAccessible(page);
  await chat.getByRole('button', { name: 'Text me a code' }).click();
  const code = chat.getByLabel('Code from the text');
  await expect(code).toHaveAccessibleDescription(
    `Sent to (${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}. It works for three minutes.`,
  );
  await expectAccessible(page);
  await code.fill(await codeSentTo(dana, `+1${phone}`));
  await chat.getByRole('button', { name: 'Confirm' }).click();
  const verified = chat.getByText(`your number ending in ${phone.slice(-2)}`);
  await expect(verified).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-chat');

  await page.goto('about:blank');
  await expect(thread(dana).getByText('Last Seen now')).toBeHidden();
  await answerVisitor(dana, 'We are here until six.');
  await expect(thread(dana).getByText(`answers go by text to the number ending in ${phone.slice(-2)}`)).toBeVisible();
  const sent = async () => (await dana.request.get('/dev/outbox.json', { params: { to: `+1${phone}` } })).text();
  await expect.poll(sent).toContain('We are here until six.');
  const back = await context.newPage();
  await back.goto('https://www.maple.test/');
  await back.getByRole('button', { name: 'Chat with us' }).click();
  await expect(logOf(back).getByText(`answers go by text to the number ending in ${phone.slice(-2)}`)).toBeVisible();
  await returnLater(back);
  expect(refused).toEqual([]);
});

test('a website that is not on the list, a practice without a chat and a chat that does not load say so', async ({
  browser,
}) => {
  const stranger = await browser.newContext();
  await serveWebsite(stranger, 'https://stranger.test');
  const elsewhere = await stranger.newPage();
  await elsewhere.goto('https://stranger.test/');
  await elsewhere.getByRole('button', { name: 'Chat with us' }).click();
  await expect(elsewhere.getByText('This website is not on the practice’s list')).toBeVisible();
  await expectAccessible(elsewhere);
  await shoot(elsewhere, 'widget-stranger');
  await elsewhere.goto(`${ours}/widget/2000000010`);
  await expect(elsewhere.getByRole('heading', { name: 'No chat right now' })).toBeVisible();
  await expectAccessible(elsewhere);
  await elsewhere.route('**/assets/chat-*.js', (route) => route.abort());
  await elsewhere.goto(`${ours}/widget/${maple}`);
  await expect(elsewhere.getByRole('heading', { name: 'The chat did not load' })).toBeVisible();
  await expectAccessible(elsewhere);
});
