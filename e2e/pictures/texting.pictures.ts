import { expect, type Page } from '@playwright/test';
import { patientTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import type { Look } from './looks.ts';
import { panelPicture } from './picture.ts';

/** Texts to lists, their outbox, and the inbox in its less usual states. */

const csvFile = (lines: readonly string[]) => ({
  name: 'list.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n')),
});
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const fileField = (page: Page) => page.locator('input[type=file]').first();
const sendButton = (page: Page) => page.getByRole('button', { name: /^(Send SMS|Enviar SMS)$/ });
const recipients = (page: Page) => page.getByRole('list', { name: /^(Recipients|Destinatarios)$/ });
const outbox = (page: Page) => page.getByRole('list', { name: /^(Outbox|Bandeja de salida)$/ });

/** Harbor texts lists from Engage Patients at each width; the SMS dashboard has a list from 768 px only. */
const upload = (lines: () => readonly string[]) => async (page: Page) => {
  await page.goto('/dashboard');
  await fileField(page).setInputFiles(csvFile(lines()));
  await expect(recipients(page)).toBeVisible();
};
const good = () => [
  'Phone,Send at',
  ...Array.from({ length: 5 }, () => `${newPhone()},`),
  `${newPhone()},${inDays(2)} 10:00`,
  '+1 646 555 0161,',
  '(646) 555-0161,',
];
const bad = () => [
  'Phone,Send at',
  '2.12556E+09,',
  'call mom,',
  `${newPhone()},tomorrow`,
  `${newPhone()},1/2/2020 10:00 AM`,
  newPhone(),
];

panelPicture('sms-list-errors', 'ruth', async (page) => {
  await upload(bad)(page);
  await sendButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: /./ }).first()).toBeVisible();
});
panelPicture(
  'sms-list-numbers-only',
  'ruth',
  upload(() => ['Phone', newPhone(), newPhone(), newPhone()]),
);
panelPicture('sms-list-sheet', 'ruth', async (page) => {
  await upload(good)(page);
  await sendButton(page).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
});
panelPicture('sms-list-nobody', 'ruth', async (page) => {
  await page.goto('/dashboard');
  const phone = newPhone();
  await patientTexts(page, phone, 'STOP', { to: '+12125550151' });
  await upload(() => ['Phone,Send at', `${phone},`])(page);
  await sendButton(page).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
});
panelPicture('sms-not-read', 'ruth', async (page) => {
  await page.goto('/dashboard');
  await page.route('**/assets/phone-list-worker*', (route) => route.abort());
  await fileField(page).setInputFiles(csvFile(['Phone,Send at', `${newPhone()},`]));
  await page.waitForTimeout(1_500);
});
panelPicture('sms-errors', 'mina', async (page) => {
  await page.goto('/sms-dashboard');
  const later = page.getByRole('button', { name: /^\+ (Schedule|Programar)/ });
  await expect(sendButton(page)).toBeVisible();
  if (await later.isVisible()) {
    await later.click();
    await page.locator('input[type=datetime-local]').fill('2020-01-01T10:00');
  }
  await sendButton(page).click();
});
panelPicture('sms-outbox-sends', 'ruth', async (page) => {
  await page.goto('/dashboard');
  const lines = ['Phone,Send at', ...Array.from({ length: 4 }, () => `${newPhone()},${inDays(3)} 10:00`)];
  await fileField(page).setInputFiles(csvFile(lines));
  await sendButton(page).click();
  await page.getByRole('alertdialog').getByRole('button').last().click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await outbox(page).scrollIntoViewIfNeeded();
  await page.locator('section:has(ul) h2', { hasText: /^(Outbox|Bandeja de salida)$/ }).scrollIntoViewIfNeeded();
});
panelPicture('sms-outbox-change', 'ruth', async (page) => {
  await page.goto('/dashboard');
  await outbox(page)
    .getByRole('button', { name: /^(Change|Cambiar)$/ })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
});
panelPicture('sms-outbox-cancel-send', 'ruth', async (page) => {
  await page.goto('/dashboard');
  await page
    .getByRole('button', { name: /^(Cancel the|Cancelar)/ })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
});

const appointments = (rows: readonly string[]) => async (page: Page) => {
  await page.goto('/dashboard/engage');
  await fileField(page).setInputFiles(csvFile(rows));
  await expect(recipients(page)).toBeVisible();
};
const schedule = (page: Page) => page.getByRole('button', { name: /^(Schedule texts|Programar)/ });
panelPicture('engage-guides', 'ruth', async (page) => {
  await page.goto('/dashboard');
  await page.getByText('Dentrix', { exact: true }).click();
});
panelPicture('engage-preview-bad-rows', 'dana', async (page) => {
  await appointments([
    'Name,Phone,Time',
    `Ada Byron,${newPhone()},9:30 AM`,
    `Grace Hopper,${newPhone()},soon`,
    'Maria de los Angeles Fernandez Quintanilla,555-0161,10:15 AM',
    `Katherine Johnson,${newPhone()},`,
  ])(page);
  await schedule(page).click();
});
panelPicture('engage-sheet', 'dana', async (page) => {
  await appointments(['Name,Phone,Time', `Ada Byron,${newPhone()},9:30 AM`, `Grace Hopper,${newPhone()},10:15 AM`])(
    page,
  );
  await schedule(page).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
});

const conversation = (page: Page, phone: string) =>
  page
    .getByRole('list', { name: /^(Conversations|Conversaciones)$/ })
    .getByRole('button')
    .filter({ hasText: phone.slice(-4) });
const thread = (page: Page) => page.getByRole('region', { name: /^(Conversation|Conversación)$/ });
/** A conversation that somebody has just begun by text. */
const texted =
  (words: string, then?: (page: Page, phone: string, look: Look) => Promise<unknown>) =>
  async (page: Page, look: Look) => {
    const phone = newPhone();
    await page.goto('/dashboard/messages');
    await patientTexts(page, phone, words);
    await conversation(page, phone).first().click();
    await expect(thread(page)).toBeVisible();
    await then?.(page, phone, look);
  };

panelPicture('messages-failed', 'dana', async (page) => page.goto('/dashboard/messages?filter=failed'));
panelPicture('messages-search-none', 'dana', async (page) => {
  await page.goto('/dashboard/messages');
  await page.getByRole('searchbox').fill('nobody has this name');
});
panelPicture(
  'messages-snippets',
  'dana',
  texted('Do you take walk-ins?', async (page) => {
    await thread(page)
      .getByRole('button', { name: /(Snippet|Template|Plantilla|Fragmento|Texto)/i })
      .first()
      .click();
  }),
);
panelPicture(
  'messages-closed',
  'dana',
  texted('Thank you!', async (page) => {
    await page.getByRole('button', { name: /^(Close conversation|Cerrar conversación)/ }).click();
  }),
);
panelPicture(
  'messages-opted-out',
  'dana',
  texted('Are you open on Monday?', async (page, phone) => {
    await patientTexts(page, phone, 'STOP');
    await expect(thread(page).getByText('STOP').first()).toBeVisible();
  }),
);
panelPicture('messages-answer-failed', 'dana', async (page) => {
  await page.goto('/dashboard/messages');
  await patientTexts(page, '2025550001', 'Which door?');
  await conversation(page, '2025550001').first().click();
  await thread(page).getByRole('textbox').fill('The blue one');
  await page.keyboard.press('Control+Enter');
  await expect(
    thread(page)
      .getByRole('button', { name: /^(Retry|Reintentar)$/ })
      .first(),
  ).toBeVisible();
});
panelPicture(
  'messages-picture',
  'dana',
  texted('Which door?', async (page) => {
    const buffer = await page.screenshot();
    await thread(page).locator('input[type=file]').setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer });
  }),
);
