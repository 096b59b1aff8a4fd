import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { test } from '#e2e/helpers/journey.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';
import { answerAnything } from './answer-anything.ts';
import { lookName, openAs, phoneLooks, take, type Look } from './looks.ts';
import { at, panelPicture } from './picture.ts';

/** Patients after surgery: the nurse's pages at Summit, and the patient's phone from the invitation to the last page. */

const patients = '/dashboard/patients';

const pressedAt = (path: string, button: RegExp) => async (page: Page) => {
  await page.goto(path);
  await page.getByRole('button', { name: button }).first().click();
};

async function details(page: Page, name: string): Promise<void> {
  await page.goto(patients);
  await page.getByRole('searchbox').fill(name);
  await page.getByRole('link', { name }).first().click();
  await expect(page).toHaveURL(/patient-details/);
}

panelPicture('ambulatory-patients', 'theo', at(patients));
panelPicture('ambulatory-patients-none', 'theo', async (page) => {
  await page.goto(patients);
  await page.getByRole('searchbox').fill('zzzz');
});
panelPicture('ambulatory-invite', 'theo', pressedAt(patients, /^\+/));
panelPicture('ambulatory-invite-errors', 'theo', async (page) => {
  await pressedAt(patients, /^\+/)(page);
  await page.getByRole('dialog').locator('input[type=tel]').fill('0115550123');
  await page.keyboard.press('Enter');
});
panelPicture('ambulatory-withdraw', 'theo', pressedAt(patients, /^(Withdraw|Retirar)/));
panelPicture('ambulatory-details', 'theo', (page) => details(page, 'Samuel Ortega'));
panelPicture('ambulatory-details-callback', 'theo', (page) => details(page, 'Harold Finch'));
panelPicture('ambulatory-surveys', 'theo', at('/dashboard/surveys'));
panelPicture('ambulatory-survey-add', 'theo', pressedAt('/dashboard/surveys', /^(Add Survey|Agregar encuesta)/));
panelPicture('ambulatory-survey-preview', 'theo', pressedAt('/dashboard/surveys', /^(Preview|Vista previa)/));
panelPicture('ambulatory-chat', 'theo', at('/dashboard/chat'));

/** Calls the API as a nurse. */
async function asNurse(page: Page, method: string, path: string, data?: object): Promise<unknown> {
  const headers = { origin: process.env.E2E_BASE_URL ?? '', 'idempotency-key': randomUUID() };
  const answer = await page.request.fetch(`/api${path}`, { method, headers, ...(data && { data }) });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** Invites a patient operated on yesterday whose survey is due now; the path of the texted link. */
async function invite(nurse: Page, language: Look['language']): Promise<string> {
  await asNurse(nurse, 'PUT', '/office/message-settings', {
    ...((await asNurse(nurse, 'GET', '/office/message-settings')) as object),
    quietHours: { from: '03:00', until: '03:01' },
  });
  const { settings } = (await asNurse(nurse, 'GET', '/ambu/surveys')) as { settings: object };
  await asNurse(nurse, 'PUT', '/ambu/settings', { ...settings, surveyTime: '00:00' });
  const phoneNumber = newPhone();
  const episodeDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Phoenix' }).format(Date.now() - 86_400_000);
  await asNurse(nurse, 'POST', '/ambu/invites', { phoneNumber, patientName: 'Nadia Haddad', episodeDate, language });
  const link = async () => {
    const answer = await nurse.request.get('/dev/outbox.json', { params: { to: `+1${phoneNumber}` } });
    return /\/episode\/[\w-]+/.exec(((await answer.json()) as { body: string }[])[0]?.body ?? '')?.[0] ?? '';
  };
  await expect.poll(link).not.toBe('');
  return link();
}

for (const look of phoneLooks)
  for (const kind of ['calm', 'red-flag'] as const)
    test(`episode-${kind} ${lookName(look)}`, async ({ browser }) => {
      const nurse = await (await browser.newContext({ storageState: sessionFileOf(staff.theo) })).newPage();
      const phone = await openAs(browser, look);
      let step = 0;
      const shoot = (name: string) => take(phone, `episode-${kind}-${String(++step).padStart(2, '0')}-${name}`, look);
      await phone.goto(await invite(nurse, look.language));
      await shoot('consent');
      await phone.locator('button[type=submit]').click();
      const start = phone.getByRole('button', { name: /^(Start|Empezar)/ });
      await start.waitFor({ timeout: 60_000 });
      await shoot('today');
      await start.click();
      await phone.locator('form').first().waitFor();
      for (let page = 0; page < 8; page++) {
        const next = phone.locator('button[type=submit]');
        if (!(await next.isVisible())) break;
        const before = phone.url();
        if (page === 0) {
          await next.click();
          await shoot('errors');
        }
        await answerAnything(phone, kind === 'calm');
        await shoot('page');
        await next.click();
        await phone.waitForURL((url) => url.href !== before, { timeout: 15_000 }).catch(() => undefined);
        await phone.waitForLoadState('networkidle');
      }
      await phone.getByRole('button', { name: /^(Submit|Enviar)$/ }).click();
      await phone.getByRole('button', { name: /^(Done|Listo)$/ }).waitFor({ timeout: 30_000 });
      await shoot('sent');
      await phone.getByRole('button', { name: /^(Done|Listo)$/ }).click({ timeout: 30_000 });
      await shoot('after');
      await phone.getByRole('button', { name: /^(Stop my surveys|No quiero más encuestas)/ }).click();
      await shoot('declined');
    });
