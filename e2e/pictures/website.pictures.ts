import { expect, type Page } from '@playwright/test';
import { test } from '#e2e/helpers/journey.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { maple, newName } from '#e2e/helpers/patient-phone.ts';
import { picture } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';
import { lookName, openAs, panelLooks, phoneLooks, take, type Look } from './looks.ts';
import { panelPicture, phonePicture } from './picture.ts';

/** The chat on a practice's website, from the button to the answer by text, and the desk's side of it. */

const looks = [...phoneLooks, ...panelLooks.slice(0, 2)];
const thread = (page: Page) => page.getByRole('region', { name: /^(Conversation|Conversación)$/ });
const rows = (page: Page) => page.locator('main li button');

/** The website's page is in the language of the look. */
async function openWebsite(page: Page, { language }: Look): Promise<void> {
  await page.goto(`/widget-test/${maple}`);
  await page.evaluate((lang) => (document.documentElement.lang = lang), language);
}

for (const look of looks)
  test(`widget-steps ${lookName(look)}`, async ({ browser }) => {
    const name = newName();
    const desk = await (await browser.newContext({ storageState: sessionFileOf(staff.dana) })).newPage();
    const page = await openAs(browser, look);
    const shoot = (step: string) => take(page, `widget-${step}`, look);
    await openWebsite(page, look);
    await shoot('1-closed');
    await page.getByRole('button', { name: /^(Chat with us|Chatee con nosotros)/ }).click();
    const chat = page.frameLocator('iframe[title=Chat]');
    await expect(chat.getByRole('heading', { level: 1 })).toBeVisible();
    await shoot('2-consent');
    await chat.getByRole('textbox').first().fill(name);
    await chat.getByRole('button', { name: /^(Start chat|Start the chat|Iniciar el chat)$/ }).click();
    const box = chat.getByLabel(/^(Your message|Su mensaje)$/);
    const send = chat.getByRole('button', { name: /^(Send|Enviar)$/ });
    await box.waitFor();
    await shoot('3-empty');
    await box.fill(look.language === 'es' ? '¿Atienden sin cita?' : 'Do you take walk-ins?');
    await send.click();
    await desk.goto('/dashboard/chat');
    await rows(desk).filter({ hasText: name }).first().click();
    const answer = async (words: string) => {
      await thread(desk).getByRole('textbox').fill(words);
      await desk.keyboard.press('Control+Enter');
      await expect(thread(desk).getByText(words)).toBeVisible();
    };
    await answer(look.language === 'es' ? 'Sí, hasta las 12.' : 'Yes, until noon.');
    await chat.locator('input[type=file]').setInputFiles({
      name: 'door.png',
      mimeType: 'image/png',
      buffer: Buffer.from(picture.content, 'base64'),
    });
    await expect(chat.locator('img').first()).toBeVisible();
    await shoot('4-picture-attached');
    await send.click();
    await expect(chat.getByRole('log').locator('img')).toBeVisible();
    await box.fill(look.language === 'es' ? 'Esta es la puerta' : 'This is the door');
    await send.click();
    await shoot('5-conversation');
    await chat.getByRole('button', { name: /^(Leaving\?|¿Se va\?)/ }).click();
    await shoot('6-leaving');
    const phone = newPhone();
    await chat.locator('input[type=tel]').fill(phone);
    await chat
      .getByRole('button', { name: /^(Text me a code|Env)/ })
      .first()
      .click();
    const code = chat.locator('[autocomplete=one-time-code]');
    await code.waitFor();
    await shoot('7-code');
    await code.fill(await codeSentTo(desk, `+1${phone}`));
    await chat.getByRole('button', { name: /^(Confirm|Confirmar)$/ }).click();
    await expect(code).toBeHidden();
    await shoot('8-number-proved');
    await page.goto('about:blank');
    await expect(thread(desk).getByText('Last Seen now')).toBeHidden({ timeout: 30_000 });
    await answer('We are here until six.');
    await openWebsite(page, look);
    await page.getByRole('button', { name: /^(Chat with us|Chatee con nosotros)/ }).click();
    await chat.getByText('We are here until six.').waitFor();
    await shoot('9-answered-by-text');
    await chat.getByRole('button', { name: /^(End chat|Terminar|Finalizar)/ }).click();
    await shoot('10-end');
    await chat
      .getByRole('button', { name: /^(End the chat|Terminar el chat)$/ })
      .last()
      .click();
    await chat.getByRole('button', { name: /^(Start chat|Start the chat|Iniciar el chat)$/ }).waitFor();
    await shoot('11-ended');
  });

phonePicture('widget-no-chat', (page, { language }) => page.goto(`/widget/2000000010?lang=${language}`));
for (const look of phoneLooks)
  test(`widget-foreign ${lookName(look)}`, async ({ browser }) => {
    const ours = process.env.E2E_BASE_URL ?? '';
    const page = await openAs(browser, look);
    const origin = 'https://stranger.test';
    await page.context().grantPermissions(['local-network-access'], { origin });
    const body = `<!doctype html><html lang="${look.language}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>A website</title><script src="${ours}/widget.js" data-office="${maple}" async></script><h1>Elm School</h1>`;
    await page
      .context()
      .route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
    await page.goto(`${origin}/`);
    await page.getByRole('button', { name: /^(Chat with us|Chatee con nosotros)/ }).click();
    await page.getByText(/(not on the practice|no está en la lista)/).waitFor();
    await take(page, 'widget-foreign', look);
  });

/** A visitor who asked; the desk has opened the thread. */
const visitorAsked =
  (then?: (page: Page, call: (path: string, data: object) => Promise<unknown>) => Promise<unknown>) =>
  async (page: Page, { language }: Look) => {
    const name = `Visitor ${newName()}`;
    await page.goto('/dashboard/chat');
    const headers = { cookie: '', origin: new URL(page.url()).origin };
    const data = { consent: true, language, name };
    const started = await page.request.post(`/api/website-chat/${maple}`, { headers, data });
    const { token } = (await started.json()) as { token: string };
    const call = async (path: string, body: object) => {
      const answer = await page.request.post(`/api/visitor-chat${path}`, {
        headers: { ...headers, authorization: `Bearer ${token}` },
        data: body,
      });
      expect(answer.ok(), await answer.text()).toBe(true);
    };
    await call('/messages', {
      clientId: crypto.randomUUID(),
      body: language === 'es' ? '¿Atienden sin cita el sábado?' : 'Do you take walk-ins on Saturday?',
    });
    await rows(page).filter({ hasText: name }).first().click();
    await expect(thread(page)).toBeVisible();
    await then?.(page, call);
  };
panelPicture('chatbox-thread', 'dana', visitorAsked());
panelPicture(
  'chatbox-writing',
  'dana',
  visitorAsked(async (page, call) => {
    await thread(page).getByRole('textbox').fill('Yes, from 9 to noon.');
    const writing = page.getByText(/^(Writing|Escribiendo)/).first();
    await expect(async () => {
      await call('/writing', {});
      await expect(writing).toBeVisible({ timeout: 2_000 });
    }).toPass();
  }),
);
panelPicture(
  'chatbox-left',
  'dana',
  visitorAsked((_, call) => call('/leave', {})),
);
panelPicture(
  'chatbox-by-text',
  'dana',
  visitorAsked(async (page, call) => {
    const phone = newPhone();
    await call('/phone', { phone });
    await call('/phone/code', { code: await codeSentTo(page, `+1${phone}`) });
    await call('/leave', {});
    await page.waitForTimeout(1_000);
    await thread(page).getByRole('textbox').fill('Yes, from 9 to noon.');
  }),
);
panelPicture(
  'chatbox-blocked',
  'dana',
  visitorAsked(async (page) => {
    await thread(page)
      .getByRole('button', { name: /^(More|Más)$/ })
      .click();
    await page.getByRole('menuitem').first().click();
    await page.waitForTimeout(800);
  }),
);
panelPicture('chatbox-promo', 'ruth', (page) => page.goto('/dashboard/chat'));
panelPicture('chatbox-empty-day', 'dana', async (page) => {
  await page.goto('/dashboard/chat');
  await page.locator('input[type=date]').fill('2026-01-05');
});
