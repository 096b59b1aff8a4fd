import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible, openDesk } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

const npi = '1234567893';

/** A visitor of Maple's website who has agreed to chat. Their name can be found again when a test runs twice on one server. */
async function startChat(page: Page) {
  const name = `Visitor ${Date.now().toString(36)}`;
  const headers = { cookie: '', origin: new URL(page.url()).origin };
  const started = await page.request.post(`/api/website-chat/${npi}`, {
    headers,
    data: { consent: true, language: 'en', name },
  });
  expect(started.ok(), await started.text()).toBe(true);
  const { token } = (await started.json()) as { token: string };
  const call = (path: string, data: object) =>
    page.request.post(`/api/visitor-chat${path}`, { headers: { ...headers, authorization: `Bearer ${token}` }, data });
  return {
    name,
    write: (body: string) => call('/messages', { clientId: crypto.randomUUID(), body }),
    isWriting: () => call('/writing', {}),
    leave: () => call('/leave', {}),
    prove: async (phone: string) => {
      expect((await call('/phone', { phone })).ok()).toBe(true);
      expect((await call('/phone/code', { code: await codeSentTo(page, `+1${phone}`) })).ok()).toBe(true);
    },
  };
}

const openChatbox = async (page: Page) => {
  await page.getByRole('link', { name: /^(Website Chatbox|Chat del sitio web)/ }).click();
  await expect(unread(page)).toBeVisible();
};
const unread = (page: Page) => page.getByRole('list', { name: /^(Unread Messages|Mensajes sin leer)$/ });
const thread = (page: Page) => page.getByRole('region', { name: /^(Conversation|Conversación)$/ });

test('two desks answer a visitor of the website in the Website Chatbox', async ({ browser }) => {
  const dana = await openDesk(browser, 'dana');
  const luis = await openDesk(browser, 'luis', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const visitor = await startChat(dana);
  await visitor.write('Do you take walk-ins?');
  await openChatbox(dana);
  await openChatbox(luis);
  await expect(dana.getByText('Select a conversation')).toBeVisible();
  const row = unread(dana).getByRole('button').filter({ hasText: visitor.name });
  await expect(row).toContainText('Do you take walk-ins?');
  await expect(row).toContainText('Website visitor');
  await expect(unread(dana).getByRole('button').filter({ hasText: 'Unknown' })).toContainText('parking');
  await expectAccessible(dana);
  await shoot(dana, 'chatbox-list');
  await unread(luis).getByRole('button').filter({ hasText: visitor.name }).click();

  await row.click();
  await expect(thread(dana).getByText('Last Seen now - Secure Encrypted Chat')).toBeVisible();
  // Read, it is among the others of its day, which may be yesterday by now.
  await expect(row).toBeHidden();
  const send = thread(dana).getByRole('button', { name: 'Send', exact: false }).last();
  await expect(send).toBeDisabled();
  await expect(async () => {
    await visitor.isWriting();
    await expect(thread(dana).getByText('Writing...')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await thread(dana).getByLabel('Send a message').fill('Yes, until noon.');
  await expectAccessible(dana);
  await shoot(dana, 'chatbox-thread');
  await dana.keyboard.press('Control+Enter');
  await expect(thread(luis).getByText('Yes, until noon.')).toBeVisible();
  await expectAccessible(luis);
  await shoot(luis, 'chatbox-phone');

  await dana.getByLabel('Day', { exact: true }).fill('2026-01-05');
  await expect(dana.getByText('No conversations found')).toBeVisible();
  await expectAccessible(dana);
  await shoot(dana, 'chatbox-empty-day');
  await expect(thread(dana).getByText('Yes, until noon.')).toBeVisible();

  await visitor.leave();
  await expect(thread(dana).getByText('Last Seen now')).toBeHidden();
  await expectAccessible(dana);
  await shoot(dana, 'chatbox-left');
  await thread(dana).getByRole('button', { name: 'More' }).click();
  await dana.getByRole('menuitem', { name: 'Block this visitor' }).click();
  const unblock = thread(dana).getByRole('button', { name: 'Unblock' });
  await expect(unblock).toBeVisible();
  await expectAccessible(dana);
  await shoot(dana, 'chatbox-blocked');
  expect((await visitor.write('Hello?')).status()).toBe(403);
  await unblock.click();
  await expect(thread(dana).getByLabel('Send a message')).toBeVisible();
  expect((await visitor.write('Hello again')).ok()).toBe(true);
  await expect(thread(dana).getByText('Hello again')).toBeVisible();

  // They leave at the moment of the answer, and the screen still calls it a secure chat.
  await visitor.prove(newPhone());
  await dana.reload();
  await expect(thread(dana).getByText('Last Seen now - Secure Encrypted Chat')).toBeVisible();
  await thread(dana).getByLabel('Send a message').fill('Your results are here.');
  await dana.route('**/api/conversation/send/', async (route) => {
    expect((await visitor.leave()).status()).toBe(200);
    await route.continue();
  });
  const answer = dana.waitForResponse('**/api/conversation/send/');
  await dana.keyboard.press('Control+Enter');
  expect((await answer).status()).toBe(409);
  await expect(
    thread(dana).getByText('The visitor has just left, so nothing was sent yet.', { exact: false }),
  ).toBeVisible();
  await expect(thread(dana).getByLabel('Send a message')).toHaveValue('Your results are here.');
  await expectAccessible(dana);
  await shoot(dana, 'chatbox-just-left');
});

test('a chat that looks like advertising is held back below the list until a desk says otherwise', async ({
  browser,
}) => {
  const dana = await openDesk(browser, 'dana');
  const luis = await openDesk(browser, 'luis', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await openChatbox(dana);
  await openChatbox(luis);
  const visitor = await startChat(dana);
  await visitor.write('Rank first! https://seo.example/a https://seo.example/b');
  const held = { dana: dana.getByText('Held back: 1'), luis: luis.getByText('Retenidos: 1') };
  const row = (page: Page) => page.locator('details').getByRole('button').filter({ hasText: visitor.name });
  for (const [page, fold] of [
    [dana, held.dana],
    [luis, held.luis],
  ] as const) {
    await fold.click();
    await expect(row(page)).toContainText('seo.example');
    await expect(unread(page).getByRole('button').filter({ hasText: visitor.name })).toBeHidden();
    await expectAccessible(page);
    await shoot(page, page === dana ? 'chatbox-held' : 'chatbox-held-phone');
  }
  await row(dana).click();
  await expect(thread(dana).getByText('Rank first!', { exact: false })).toBeVisible();
  await expectAccessible(dana);
  await shoot(dana, 'chatbox-held-thread');
  await thread(dana).getByRole('button', { name: 'Not advertising' }).click();
  await expect(held.dana).toBeHidden();
  await expect(held.luis).toBeHidden();
  await expect(
    dana.getByRole('list', { name: /^(Unread Messages|Other Conversations)$/ }).getByText(visitor.name),
  ).toBeVisible();
  await thread(dana).getByRole('button', { name: 'Close conversation' }).click();
});

test('a practice without the chat asks for it once, and sees that it did after a reload', async ({ browser }) => {
  const ruth = await (await browser.newContext({ storageState: sessionFileOf(staff.ruth) })).newPage();
  await ruth.goto('/dashboard/chat');
  await expect(ruth.getByRole('heading', { name: 'Handle Patient Messaging From Your Website' })).toBeVisible();
  await expectAccessible(ruth);
  const request = ruth.getByRole('button', { name: 'Request Feature' });
  const inLine = ruth.getByText("You're in line!");
  // A second run on one server finds the request of the first.
  await expect(request.or(inLine)).toBeVisible();
  if (await request.isVisible()) await request.click();
  await expect(inLine).toBeVisible();
  await ruth.reload();
  await expect(inLine).toBeVisible();
  await expectAccessible(ruth);
  await shoot(ruth, 'chatbox-promo');
});

test('a practice that turns the chat on sees a Website Chatbox without any conversation', async ({ browser }) => {
  const ruth = await (await browser.newContext({ storageState: sessionFileOf(staff.ruth) })).newPage();
  await ruth.goto('/dashboard/chat');
  await ruth.getByRole('link', { name: 'Turn on the website chat' }).click();
  const isOn = ruth.getByRole('switch', { name: 'Let visitors of your website write to you' });
  try {
    await isOn.check();
    await ruth.getByRole('button', { name: 'Save' }).click();
    await expect(ruth.getByText('All changes saved')).toBeVisible();
    await ruth.getByRole('link', { name: 'Website Chatbox' }).click();
    await expect(ruth.getByText('No conversations found')).toBeVisible();
    await expect(ruth.getByRole('link', { name: 'Website chat settings' })).toBeVisible();
    await expect(ruth.getByText('Select a conversation')).toBeVisible();
    await expectAccessible(ruth);
    await shoot(ruth, 'chatbox-none');
    await ruth.getByRole('button', { name: 'Previous day' }).click();
    await expect(ruth.getByText('No conversations found')).toBeVisible();
    await expect(ruth.getByRole('link', { name: 'Website chat settings' })).toHaveCount(0);
    await expectAccessible(ruth);

    const phone = await browser.newContext({
      storageState: sessionFileOf(staff.ruth),
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'es-US',
    });
    const small = await phone.newPage();
    await small.goto('/dashboard/chat');
    await expect(small.getByText('No se encontraron conversaciones')).toBeVisible();
    await expectAccessible(small);
    await shoot(small, 'chatbox-none-phone');
  } finally {
    await ruth.goto('/dashboard/settings/widget');
    await isOn.uncheck();
    await ruth.getByRole('button', { name: 'Save' }).click();
    await expect(ruth.getByText('All changes saved')).toBeVisible();
  }
});
