import { formatPhone } from '#contract/phone-format.ts';
import {
  expect,
  test,
  type Browser,
  type BrowserContext,
  type FrameLocator,
  type Locator,
  type Page,
} from '#e2e/helpers/journey.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { maple, newName } from '#e2e/helpers/patient-phone.ts';
import { patientTexts, picture as textedPicture } from '#e2e/helpers/patient-texts.ts';
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

const picture = Buffer.from(textedPicture.content, 'base64');

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
  await expect(chat.getByText(/^Horario de hoy:/)).toBeVisible();
  await expect(chat.getByText('Solemos responder en 15 minutos.')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-consent-es');
  await chat.getByRole('button', { name: 'Iniciar el chat' }).click();
  const box = chat.getByLabel('Su mensaje');
  await box.fill(question.padEnd(1601, '.'));
  await chat.getByRole('button', { name: 'Enviar' }).click();
  await expect(chat.getByText(/Este mensaje tiene 1.?601 caracteres; el máximo es 1.?600/)).toBeVisible();
  await expect(box).toHaveValue(question.padEnd(1601, '.'));
  await expectAccessible(page);
  await shoot(page, 'widget-too-long-es');
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

const pngOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });

/** The visitor's pictures: two that are refused at once, one that a reload keeps, and one that the server refuses and a reload keeps so. */
async function sendPictures(page: Page, desk: Page): Promise<void> {
  const chat = chatOf(page);
  const input = chat.getByLabel('Picture', { exact: true });
  const mine = chat.getByAltText('The picture you are sending');
  const reload = async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Chat with us' }).click();
  };
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
  await expect(chat.getByText('Only PNG and JPEG pictures can be sent.')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-wrong-type');
  await input.setInputFiles(pngOf('large.png', Buffer.alloc(10_000_001)));
  await expect(chat.getByText('This picture is too large. Send one of 10 MB at most.')).toBeVisible();
  await expectAccessible(page);
  await input.setInputFiles(pngOf('door.png', picture));
  await expect(mine).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-picture-attached');
  await reload();
  await expect(mine).toBeVisible();
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(logOf(page).getByAltText('Picture')).toBeVisible();
  await expect(thread(desk).getByRole('img').last()).toBeVisible();
  await expectAccessible(desk);
  await shoot(desk, 'chatbox-picture');
  await input.setInputFiles(pngOf('broken.png', Buffer.from('not a picture')));
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  // What to do about it is in sight without scrolling, and there is no picture to show.
  const tryAgain = chat.getByRole('button', { name: 'Try again' });
  await expect(tryAgain).toBeInViewport({ ratio: 1 });
  await expect(logOf(page).getByText('broken.png')).toBeVisible();
  await expect(mine).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, 'widget-picture-refused');
  let uploads = 0;
  page.on('request', (request) => (uploads += Number(request.method() === 'POST' && /messages$/.test(request.url()))));
  await reload();
  await expect(tryAgain).toBeVisible();
  await expect(logOf(page).getByText('broken.png')).toBeVisible();
  expect(uploads).toBe(0);
  await chat.getByRole('button', { name: 'Delete' }).click();
}

/** The visitor reads further up while the desk answers. */
async function scrollUpAndMiss(page: Page, desk: Page): Promise<void> {
  const log = logOf(page);
  await answerVisitor(
    desk,
    ['Our hours:', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Nobody on weekends.'].join('\n'),
  );
  await expect(log.getByText('Nobody on weekends.')).toBeInViewport();
  await log.evaluate((element) => element.scrollTo({ top: 0, behavior: 'instant' }));
  await answerVisitor(desk, 'We open at nine.');
  const below = chatOf(page).getByRole('button', { name: 'New messages below' });
  await expect(below).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-new-below');
  await below.click();
  await expect(log.getByText('We open at nine.')).toBeInViewport();
  await expect(below).toBeHidden();
}

/** The desk sends a picture to the visitor who has left: the link in the text opens it on one device. */
async function textPicture(browser: Browser, desk: Page, sent: () => Promise<string>): Promise<void> {
  await thread(desk).getByLabel('Picture', { exact: true }).setInputFiles(pngOf('map.png', picture));
  await expect(thread(desk).getByText('The patient gets a text with a link to this picture.')).toBeVisible();
  await expectAccessible(desk);
  await shoot(desk, 'chatbox-attached');
  await replyBox(desk).fill('The way to us');
  await desk.keyboard.press('Control+Enter');
  await expect.poll(sent).toMatch(/\/files\/[\w-]{64}/);
  const link = /\/files\/[\w-]{64}/.exec(await sent())?.[0] ?? '';
  const own = await (await browser.newContext({ colorScheme: 'dark' })).newPage();
  await own.goto(link);
  await expect(own.getByRole('heading', { name: 'Maple Street Pediatrics sent you a picture' })).toBeVisible();
  await expectAccessible(own);
  await shoot(own, 'texted-picture');
  await own.getByRole('button', { name: 'Show the picture' }).click();
  await expect(own.getByRole('img')).toBeVisible();
  const other = await (await browser.newContext({ locale: 'es-US' })).newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'Esta imagen ya se abrió en otro lugar' })).toBeVisible();
  await expectAccessible(other);
  await shoot(other, 'texted-picture-elsewhere-es');
}

/** The pictures do not load; then the number gets no texts any more. */
async function seeNoPictureAndNoTexts(page: Page, desk: Page, phone: string): Promise<void> {
  const chat = chatOf(page);
  await page.route('**/files/**', (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: 'Chat with us' }).click();
  const problem = logOf(page).getByText('The picture could not be loaded.');
  await expect(problem.first()).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-picture-missing');
  await page.unroute('**/files/**');
  for (let left = await problem.count(); left > 0; left--) {
    await problem.first().getByRole('button', { name: 'Try again' }).click();
    await expect(problem).toHaveCount(left - 1);
  }
  await patientTexts(desk, phone, 'STOP');
  await page.reload();
  await page.getByRole('button', { name: 'Chat with us' }).click();
  await expect(
    chat.getByText(`Your number ending in ${phone.slice(-2)} gets no texts from us. You see answers here.`),
  ).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-no-texts');
}

/** The phone's chat ends by itself, as after a day, while something is typed: the next one has it in its box. */
async function expireOnPhone(page: Page): Promise<void> {
  const chat = chatOf(page);
  await chat.getByLabel('Su mensaje').fill('¿Y el sábado?');
  await page.route('**/api/visitor-chat?*', (route) => route.fulfill({ status: 401, json: {} }));
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await expect(chat.getByText('Este chat terminó. Puede empezar uno nuevo.')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-expired-es');
  await page.unroute('**/api/visitor-chat?*');
  await chat.getByRole('button', { name: 'Iniciar el chat' }).click();
  await expect(chat.getByLabel('Su mensaje')).toHaveValue('¿Y el sábado?');
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

/** A picture of a tab that was closed is deleted when the frame is opened again, also if nobody begins a chat. */
async function forgetOldPicture(page: Page, launcher: Locator): Promise<void> {
  const inFrame = chatOf(page).locator('body');
  const keptIds = () =>
    inFrame.evaluate(
      () =>
        new Promise<unknown[]>((resolve, reject) => {
          const opening = indexedDB.open('anteroom', 1);
          opening.onerror = () => reject(new Error('no storage'));
          opening.onupgradeneeded = () => opening.result.createObjectStore('pictures');
          opening.onsuccess = () => {
            const asked = opening.result.transaction('pictures').objectStore('pictures').getAllKeys();
            asked.onsuccess = () => resolve(asked.result);
          };
        }),
    );
  const keep = () =>
    inFrame.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('anteroom', 1);
          opening.onupgradeneeded = () => opening.result.createObjectStore('pictures');
          opening.onsuccess = () => {
            const store = opening.result.transaction('pictures', 'readwrite').objectStore('pictures');
            store.put({ file: new Blob(['x']), keptAt: Date.now() - 601_000 }, 'old');
            store.put({ file: new Blob(['x']), keptAt: Date.now() }, 'new').onsuccess = () => resolve();
          };
        }),
    );
  await launcher.click();
  await expect(chatOf(page).getByLabel('Your name (optional)')).toBeVisible();
  await keep();
  await page.reload();
  await launcher.click();
  await expect.poll(keptIds).toEqual(['new']);
  await page.reload();
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
  await forgetOldPicture(page, launcher);
  // A frame is not loaded again before somebody presses the button.
  loaded.length = 0;
  await page.reload();
  await expect(launcher).toBeVisible();
  expect(loaded).toEqual(['/', '/widget.js']);

  // With the keyboard only.
  await page.getByRole('link', { name: 'Hours' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const chat = chatOf(page);
  await expect(chat.getByText('Not for emergencies: call 911')).toBeVisible();
  await expect(chat.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(chat.getByText(/^Hours today:/)).toBeVisible();
  await expect(chat.getByText('We usually answer within 15 minutes.')).toBeVisible();
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

  // By keyboard: the message just sent moves the rows, and a click may meet another one.
  await rowOf(dana, name).press('Enter');
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
  await sendPictures(page, dana);
  await scrollUpAndMiss(page, dana);

  await chat.getByRole('button', { name: 'Leaving? Get the answer by text' }).click();
  await chat.getByLabel('Mobile number').fill('123');
  await chat.getByRole('button', { name: 'Text me a code' }).click();
  await expect(chat.getByRole('alert').filter({ hasText: '10-digit mobile number' })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-wrong-number');
  await chat.getByLabel('Mobile number').fill(phone);
  await expectAccessible(page);
  await chat.getByRole('button', { name: 'Text me a code' }).click();
  const code = chat.getByLabel('Code from the text');
  await expect(code).toHaveAccessibleDescription(`Sent to ${formatPhone(phone)}. It works for three minutes.`);
  await expectAccessible(page);
  const texted = await codeSentTo(dana, `+1${phone}`);
  await code.fill(texted === '000000' ? '111111' : '000000');
  await chat.getByRole('button', { name: 'Confirm' }).click();
  await expect(chat.getByRole('alert').filter({ hasText: /code/i })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-wrong-code');
  await code.fill(texted);
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
  await textPicture(browser, dana, sent);
  const back = await context.newPage();
  await back.goto('https://www.maple.test/');
  await back.getByRole('button', { name: 'Chat with us' }).click();
  await expect(logOf(back).getByText(`answers go by text to the number ending in ${phone.slice(-2)}`)).toBeVisible();
  await seeNoPictureAndNoTexts(back, dana, phone);
  await returnLater(back);
  await expireOnPhone(handset);
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
