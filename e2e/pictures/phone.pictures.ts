import { randomUUID } from 'node:crypto';
import { expect, type Browser, type Page } from '@playwright/test';
import { consentAnswers, submitForm } from '#e2e/helpers/filed-forms.ts';
import { test } from '#e2e/helpers/journey.ts';
import { deskApi, maple, waitsFor, type DeskApi } from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';
import { answerAnything } from './answer-anything.ts';
import { lookName, openAs, phoneLooks, take, type Look } from './looks.ts';
import { at, phonePicture } from './picture.ts';

/** What a patient sees, from the poster to the end of the visit. */

let desk: DeskApi;
test.beforeAll(async () => {
  desk = await deskApi();
});
test.afterAll(() => desk.close());

const origin = () => ({ origin: process.env.E2E_BASE_URL ?? '' });

/** A visit in the patient's language; a mother with her child. */
async function checkIn(page: Page, { language }: Look): Promise<string> {
  const household = [{ firstName: 'Sofía', lastName: 'Ferreira', birthDate: '2019-02-09' }];
  const data = {
    firstName: 'Beatriz',
    lastName: 'Ferreira',
    phone: newPhone(),
    birthDate: '1990-04-02',
    household,
    language,
  };
  const answer = await page.request.post(`/api/checkin/${maple}`, { headers: { ...origin(), cookie: '' }, data });
  return ((await answer.json()) as { token: string }).token;
}

async function moves(page: Page, token: string, action: string): Promise<void> {
  const headers = { ...origin(), 'idempotency-key': randomUUID() };
  const answer = await page.request.post(`/api/visit/${token}`, { headers, data: { action } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** The page of a visit to which this happened. */
const visit = (happened?: (page: Page, token: string) => Promise<unknown>) => async (page: Page, look: Look) => {
  const token = await checkIn(page, look);
  await page.goto('/document?file=privacy');
  await happened?.(page, token);
  await page.goto(`/visit/${token}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
};

phonePicture('phone-01-check-in', at(`/c/${maple}`));
phonePicture('phone-02-check-in-child-errors', async (page) => {
  await page.goto(`/c/${maple}`);
  await page.locator('[name=visitFor]').nth(2).check({ force: true });
  await page.locator('button[type=submit]').click();
});
phonePicture('phone-03-waiting', visit());
phonePicture(
  'phone-04-waited-long',
  visit((page, token) => waitsFor(page, token, 24)),
);
phonePicture(
  'phone-05-message',
  visit((_, token) => desk.write(token, 'Please bring the referral letter.')),
);
phonePicture(
  'phone-06-called',
  visit((_, token) => desk.call(token)),
);
phonePicture(
  'phone-07-called-forms-done',
  visit(async (page, token) => {
    await submitForm(page, token, 'consent', consentAnswers);
    await desk.call(token);
  }),
);
phonePicture(
  'phone-08-on-my-way',
  visit(async (page, token) => {
    await desk.call(token);
    await moves(page, token, 'onMyWay');
  }),
);
phonePicture(
  'phone-09-inside',
  visit(async (page, token) => {
    await desk.call(token);
    await moves(page, token, 'onMyWay');
    await moves(page, token, 'imIn');
  }),
);
phonePicture(
  'phone-10-canceled',
  visit((page, token) => moves(page, token, 'cancel')),
);
phonePicture(
  'phone-11-ended-by-desk',
  visit((_, token) => desk.end(token, 'no-show')),
);
phonePicture('phone-12-link-ended', at(`/visit/${'x'.repeat(43)}`));
phonePicture('phone-13-expected', async (page) => {
  await page.goto(`/c/t/${await desk.expect(newPhone())}`);
});
phonePicture('phone-14-unknown-practice', at('/c/0000000000'));

interface MemberForms {
  memberId: string;
  forms: { formType: string }[];
}

/** Every page of every form, answered like somebody in a hurry. */
for (const look of phoneLooks)
  for (const [i, formType] of ['insurance-card', 'photo-id', 'health-history', 'covid-screening', 'consent'].entries())
    test(`phone-2${i}-${formType} ${lookName(look)}`, async ({ browser }) => {
      const page = await openAs(browser, look);
      const token = await checkIn(page, look);
      await page.goto(`/visit/${token}`);
      const { members } = (await (await page.request.get(`/api/visit/${token}/forms`)).json()) as {
        members: MemberForms[];
      };
      // The child's own health history asks more than the mother's.
      const member = members.at(formType === 'health-history' ? 1 : 0);
      await page.goto(`/visit/${token}/forms/${member?.memberId}/${formType}`);
      await fillAndTake(page, `phone-2${i}-${formType}`, look);
    });

/** Up to the page that thanks for the form. */
async function fillAndTake(page: Page, name: string, look: Look): Promise<void> {
  for (let step = 1; step <= 9; step++) {
    const next = page.locator('button[type=submit]');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await take(page, `${name}-${step}`, look);
    if (!(await next.isVisible())) break;
    const before = page.url();
    if (step === 1) {
      await next.click();
      if (page.url() === before) await take(page, `${name}-${step}-errors`, look);
    }
    await answerAnything(page, /history|covid/.test(name));
    await take(page, `${name}-${step}-filled`, look);
    await next.click();
    // The last step shows its thanks at the same address.
    const isNext = page.waitForURL((url) => url.href !== before, { timeout: 20_000 }).then(() => true);
    const isDone = next.waitFor({ state: 'hidden', timeout: 20_000 }).then(() => true);
    if (!(await Promise.any([isNext, isDone]).catch(() => false))) break;
  }
  const submit = page.getByRole('button', { name: /^(Submit|Enviar)$/ });
  if (!(await submit.isVisible())) return;
  await submit.click();
  await submit.waitFor({ state: 'hidden', timeout: 30_000 });
  await take(page, `${name}-sent`, look);
}

phonePicture('phone-30-share', async (page, look) => {
  const token = await checkIn(page, look);
  await page.goto('/document?file=privacy');
  await submitForm(page, token, 'consent', consentAnswers);
  await page.goto(`/visit/${token}/forms/share`);
});
/** A link that the patient made; its address. */
async function shareConsent(page: Page, look: Look): Promise<string> {
  const token = await checkIn(page, look);
  await page.goto('/document?file=privacy');
  await submitForm(page, token, 'consent', consentAnswers);
  await page.goto(`/visit/${token}/forms/share`);
  await page.locator('form input[type=text], form input:not([type])').first().fill('Elm School');
  await page.getByRole('button', { name: /^(Create link|Crear enlace)$/ }).click();
  const address = page.getByLabel(/^(Link|Enlace)$/);
  await expect(address).toBeVisible();
  return address.inputValue();
}
phonePicture('phone-30-share-link', shareConsent);
phonePicture('phone-30-share-stop', async (page, look) => {
  await shareConsent(page, look);
  await page.getByRole('button', { name: /^(Stop sharing|Dejar de compartir)/ }).click();
});
phonePicture('phone-30-share-opened', async (page, look) => page.goto(await shareConsent(page, look)));
phonePicture('phone-30-share-forms', async (page, look) => {
  await page.goto(await shareConsent(page, look));
  await page.getByRole('button', { name: /^(View Forms|Ver formularios)$/ }).click();
  await expect(page.getByRole('listitem').first()).toBeVisible();
});
phonePicture('phone-30-share-expired', at('/form-expired'));
phonePicture('phone-30-share-error', at('/form-error'));
phonePicture('phone-31-payment', async (page, look) => {
  await page.goto(await paymentLink(page, look));
  await page.getByRole('button', { name: /^(Pay by card|Pagar con tarjeta)$/ }).click();
  await expect(page.locator('iframe')).toBeVisible();
});

/** A copay of $25 that the desk requested; its texted link. */
async function paymentLink(page: Page, look: Look): Promise<string> {
  const browser = page.context().browser() as Browser;
  const panel = await openAs(
    browser,
    { ...look, width: 1366, height: 768, language: 'en' },
    { storageState: sessionFileOf(staff.dana) },
  );
  const phone = newPhone();
  const answer = await panel.request.post(`/api/checkin/${maple}`, {
    headers: { ...origin(), cookie: '' },
    data: {
      firstName: 'Paloma',
      lastName: `Quill${phone}`,
      phone,
      birthDate: '1990-04-02',
      household: [],
      language: look.language,
    },
  });
  expect(answer.ok()).toBe(true);
  await panel.goto('/dashboard');
  await panel.getByRole('searchbox').fill(phone);
  await panel.getByRole('option').first().click();
  await panel.getByRole('button', { name: 'Request payment' }).click();
  await panel.getByLabel('Copay, in dollars').fill('25');
  await panel.getByRole('dialog').getByRole('button', { name: 'Request $25.00' }).click();
  const linkOf = (bodies: string[]) => bodies.map((body) => /\/visit\/[\w-]{20,}/.exec(body)?.[0]).find(Boolean);
  await expect.poll(async () => linkOf(await desk.texts(phone))).toBeDefined();
  return linkOf(await desk.texts(phone)) ?? '';
}
