import { formatPhone } from '#contract/phone-format.ts';
import { expect, test, type Browser, type Locator, type Page } from '#e2e/helpers/journey.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { maple, newName } from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible, openDesk } from '#e2e/helpers/queue-desk.ts';
import {
  ours,
  serveWebsite,
  chatOf,
  logOf,
  thread,
  openChatbox,
  rowOf,
  replyBox,
  answerVisitor,
  shoot,
} from '#e2e/helpers/website-chat.ts';
import {
  sendPictures,
  scrollUpAndMiss,
  textPicture,
  seeNoPictureAndNoTexts,
} from '#e2e/helpers/website-chat-pictures.ts';

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
