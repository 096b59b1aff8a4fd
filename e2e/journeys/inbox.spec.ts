import { expect, test, type Browser, type Page } from '#e2e/helpers/journey.ts';
import { patientTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible, openDesk } from '#e2e/helpers/queue-desk.ts';
import type { staff } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

/** A desk at the inbox. Luis reads Spanish. */
async function openInbox(browser: Browser, who: keyof typeof staff, options = {}): Promise<Page> {
  const page = await openDesk(browser, who, options);
  await page.getByRole('link', { name: /^(Messages|Mensajes)/ }).click();
  await expect(page.getByRole('tab', { name: /^(Unanswered|Sin responder)/ })).toBeVisible();
  return page;
}

const rowOf = (page: Page, phone: string) =>
  page
    .getByRole('list', { name: /^(Conversations|Conversaciones)$/ })
    .getByRole('button')
    .filter({ hasText: phone.slice(-4) });
const thread = (page: Page) => page.getByRole('region', { name: /^(Conversation|Conversación)$/ });
const unreadTab = (page: Page) => page.getByRole('tab', { name: /^(Unread|Sin leer)/ });
const unreadCount = async (page: Page) => /\d+/.exec((await unreadTab(page).textContent()) ?? '')?.[0] ?? '';

test('two desks share the inbox: the same unread count, an answer both see, closing with undo, by keyboard', async ({
  browser,
}) => {
  const phone = newPhone();
  const dana = await openInbox(browser, 'dana');
  const luis = await openInbox(browser, 'luis');
  await patientTexts(dana, phone, 'Do you take walk-ins?');
  for (const desk of [dana, luis]) {
    await expect(rowOf(desk, phone)).toContainText('Do you take walk-ins?');
    await expect(rowOf(desk, phone)).toContainText(/unread|sin leer/);
  }
  const unread = await unreadCount(dana);
  await expect.poll(() => unreadCount(luis)).toBe(unread);
  await expectAccessible(dana);

  await rowOf(dana, phone).click();
  await expect(thread(dana).getByText('Do you take walk-ins?')).toBeVisible();
  await expect(rowOf(luis, phone)).not.toContainText('sin leer');
  await expect.poll(() => unreadCount(luis)).not.toBe(unread);
  expect(await unreadCount(dana)).toBe(await unreadCount(luis));

  await rowOf(luis, phone).click();
  await expect(thread(luis).getByText('Do you take walk-ins?')).toBeVisible();
  await dana.keyboard.press('r');
  await dana.keyboard.type('Yes, until noon.');
  await expect(thread(luis).getByText('Un colega está escribiendo…')).toBeVisible();
  await expect(thread(dana).getByText('Texts aren’t secure', { exact: false })).toBeVisible();
  await expectAccessible(dana);
  await shoot(dana, 'inbox');
  await dana.keyboard.press('Control+Enter');
  await expect(thread(luis).getByText('Yes, until noon.')).toBeVisible();
  await expect(thread(luis).getByText(/Dana/)).toBeVisible();
  await expect(thread(dana).getByText('Delivered')).toBeVisible();
  await expect(rowOf(luis, phone)).toHaveCount(0);

  await luis.getByRole('tab', { name: 'Todas' }).click();
  await luis.getByRole('button', { name: 'Asignarme' }).click();
  await expect(thread(dana).getByText(/Assigned to Luis/)).toBeVisible();

  await luis.getByRole('heading', { level: 2 }).click();
  await luis.keyboard.press('e');
  await expect(luis.getByText('Conversación cerrada')).toBeVisible();
  await expect(thread(dana).getByRole('button', { name: 'Reopen' })).toBeVisible();
  await luis.getByRole('button', { name: 'Deshacer' }).click();
  await expect(thread(luis).getByRole('button', { name: 'Cerrar conversación' })).toBeVisible();

  await patientTexts(dana, newPhone(), 'Where can I park?');
  await expect(luis.getByText('Where can I park?')).toBeVisible();
  await luis.keyboard.press('k');
  await expect(thread(luis).getByText('Where can I park?')).toBeVisible();
  await luis.keyboard.press('j');
  await expect(thread(luis).getByText('Yes, until noon.')).toBeVisible();
  // Nobody writes to a patient who is not on the list.
  await luis.getByRole('tab', { name: 'Fallidas' }).click();
  await expect(thread(luis)).toHaveCount(0);
});

test('a thread of a number that opted out has a badge and no box to write', async ({ browser }) => {
  const phone = newPhone();
  const page = await openInbox(browser, 'dana', { colorScheme: 'dark' });
  await patientTexts(page, phone, 'STOP');
  await page.getByRole('tab', { name: /^Unread/ }).click();
  await expect(rowOf(page, phone)).toContainText('Opted out');
  await rowOf(page, phone).click();
  await expect(thread(page).getByText('This number has opted out of texts (STOP)', { exact: false })).toBeVisible();
  await expect(page.getByLabel('Send a message')).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, 'inbox-opted-out');
});

test('on a phone, list and thread are one after the other, and the search finds a number whatever the filter', async ({
  browser,
}) => {
  const phone = newPhone();
  const page = await openDesk(browser, 'dana', { viewport: { width: 360, height: 740 } });
  await page.goto('/dashboard/messages?filter=failed');
  // The tabs scroll on a phone, and the current one is in sight.
  const tabs = page.getByRole('navigation', { name: 'Main' });
  await expect(tabs.locator('[aria-current=page]')).toBeInViewport({ ratio: 1 });
  // Also the last one, when the counts before it have arrived.
  await page.goto('/dashboard/settings');
  await expect(tabs.getByText(/unread|unanswered/).first()).toBeAttached();
  await expect(tabs.locator('[aria-current=page]')).toBeInViewport({ ratio: 1 });
  await page.goto('/dashboard/messages?filter=failed');
  await patientTexts(page, phone, 'Hello from the parking lot');
  await page.getByRole('searchbox').fill(phone.slice(-7));
  await expect(page.getByText('Searching all conversations.')).toBeVisible();
  await rowOf(page, phone).click();
  await expect(thread(page).getByText('Hello from the parking lot')).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expectAccessible(page);
  await shoot(page, 'inbox-phone');
  await page.getByRole('button', { name: 'Back to all conversations' }).click();
  await expect(page.getByRole('searchbox')).toBeVisible();
  await page.getByRole('searchbox').fill('nobody has this name');
  await expect(page.getByText('No conversations found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page.getByRole('tab', { name: /^Failed/ })).toHaveAttribute('aria-selected', 'true');
  await expect(rowOf(page, phone)).toHaveCount(0);
});

test('a picture is attached, survives a failed upload, and is shown in the thread with a larger view', async ({
  browser,
}) => {
  const phone = newPhone();
  const page = await openInbox(browser, 'dana');
  await patientTexts(page, phone, 'Which door?');
  await rowOf(page, phone).click();
  const picture = { name: 'door.png', mimeType: 'image/png', buffer: await page.screenshot() };
  await page.locator('input[type=file]').setInputFiles({ ...picture, name: 'door.txt', mimeType: 'text/plain' });
  await expect(thread(page).getByText('Only PNG and JPEG pictures can be sent.')).toBeVisible();
  await page.getByLabel('Send a message').fill('The blue one');
  await page.locator('input[type=file]').setInputFiles(picture);
  const sending = page.getByRole('img', { name: 'The picture you are sending' });
  await expect(sending).toBeVisible();
  expect((await sending.locator('..').boundingBox())?.height).toBeLessThan(100);
  await expectAccessible(page);
  await page.route('**/api/chat-conversation/**', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(thread(page).getByText('The message was not sent', { exact: false })).toBeVisible();
  await expect(page.getByLabel('Send a message')).toHaveValue('The blue one');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const shown = thread(page).getByRole('button', { name: 'Enlarge: The blue one' });
  await expect(shown).toBeVisible();
  await expect(page.getByRole('img', { name: 'The picture you are sending' })).toHaveCount(0);
  await expect(rowOf(page, phone)).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, 'inbox-picture');
  await shown.click();
  await expect(page.getByRole('dialog').getByRole('img', { name: 'The blue one' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(shown).toBeFocused();
});

test('a long thread loads its older messages by scrolling and keeps its place', async ({ browser }) => {
  const phone = newPhone();
  const page = await openInbox(browser, 'dana');
  for (let i = 1; i <= 110; i++) await patientTexts(page, phone, `Line ${i} of many`);
  await rowOf(page, phone).click();
  await expect(thread(page).getByText('Line 110 of many')).toBeVisible();
  await expect(thread(page).getByText('Line 11 of many')).toBeAttached();
  await expect(thread(page).getByText('Line 10 of many')).toHaveCount(0);
  const list = page.getByRole('list', { name: 'Messages', exact: true });
  await list.evaluate((element) => element.scrollTo(0, 0));
  await expect(thread(page).getByText('Line 1 of many', { exact: true })).toBeAttached();
  await expect(page.getByRole('button', { name: 'Show older messages' })).toHaveCount(0);
  await expect(thread(page).getByText('Line 11 of many')).toBeInViewport();
});

const ofAnswers = {
  dana: {
    refusedNumber: '2025550001',
    waits: /Goes out at/,
    cancel: 'Cancel',
    canceled: 'Answer canceled',
    undo: 'Undo',
    again: 'Send again',
    failed: 'Not delivered: this number cannot get texts',
    retry: 'Retry',
  },
  luis: {
    refusedNumber: '2025550002',
    waits: /Hora de envío/,
    cancel: 'Cancelar',
    canceled: 'Respuesta cancelada',
    undo: 'Deshacer',
    again: 'Enviar de nuevo',
    failed: 'No entregado: este número no puede recibir mensajes',
    retry: 'Reintentar',
  },
} as const;

/** Shows the desk's answers as in a practice that is no demo, where they wait for the end of quiet hours until somebody cancels them. */
async function letAnswersWait(page: Page) {
  let isCanceled = false;
  const sendAt = new Date(Date.now() + 8 * 3_600_000).toISOString();
  await page.route(/\/api\/conversation\/[\da-f-]{36}$/, async (route) => {
    // Without the known version: an unchanged thread would be a 304 without a body.
    const { 'if-none-match': _version, ...headers } = route.request().headers();
    const answer = await route.fetch({ headers });
    const thread = (await answer.json()) as { messages: { sender: string }[] };
    const waiting = isCanceled ? { state: 'cancelled', sendAt: null } : { state: 'queued', sendAt };
    const messages = thread.messages.map((one) => (one.sender === 'doctor' ? { ...one, ...waiting } : one));
    await route.fulfill({ response: answer, json: { ...thread, messages } });
  });
  await page.route(/\/messages\/[\da-f-]{36}\/(cancel|restore)$/, (route) => {
    isCanceled = route.request().url().endsWith('cancel');
    return route.fulfill({ json: {} });
  });
}

for (const who of ['dana', 'luis'] as const)
  test(`an answer that waits is canceled and waits again, and one that failed is retried, as ${who} reads it`, async ({
    browser,
  }) => {
    const words = ofAnswers[who];
    const page = await openInbox(browser, who);
    const opens = async (phone: string) => {
      await patientTexts(page, phone, 'Which door?');
      await rowOf(page, phone).click();
      await expect(thread(page).getByText('Which door?').last()).toBeVisible();
    };
    const answers = async () => {
      await thread(page).getByRole('textbox').fill('The blue one');
      await page.keyboard.press('Control+Enter');
    };

    await test.step('the phone carrier refused it', async () => {
      await opens(words.refusedNumber);
      const failed = thread(page).getByText(words.failed);
      const before = await failed.count();
      await answers();
      await expect(failed).toHaveCount(before + 1);
      const retry = thread(page).getByRole('button', { name: words.retry });
      await expect(retry).toHaveCount(1);
      await expectAccessible(page);
      await shoot(page, `inbox-failed-${who}`);
      await retry.click();
      await expect(failed).toHaveCount(before + 2);
      await expect(retry).toHaveCount(1);
    });

    await test.step('the answer waits until the morning', async () => {
      await letAnswersWait(page);
      await opens(newPhone());
      await answers();
      await expect(thread(page).getByText(words.waits)).toBeVisible();
      await expectAccessible(page);
      await shoot(page, `inbox-waits-${who}`);
      await thread(page).getByRole('button', { name: words.cancel }).click();
      await expect(page.getByText(words.canceled)).toBeVisible();
      await expect(thread(page).getByRole('button', { name: words.again })).toBeVisible();
      await page.getByRole('button', { name: words.undo }).click();
      await expect(thread(page).getByText(words.waits)).toBeVisible();
      await expect(thread(page).getByRole('button', { name: words.again })).toHaveCount(0);
    });
  });
