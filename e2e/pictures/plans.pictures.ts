import { expect, type Page } from '@playwright/test';
import { failingCard, goodCard, planOf, type PlanAtProvider } from '#e2e/helpers/card-provider.ts';
import { test } from '#e2e/helpers/journey.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';
import { openAs, panelLooks, take, type Look } from './looks.ts';
import { panelPicture } from './picture.ts';

/** The plan of a practice from its trial to its end, with the warnings of the alert bar; the application for card payments. */

const asMina = { storageState: sessionFileOf(staff.mina) };

panelPicture('membership-downgrade', 'dana', async (page) => {
  await page.goto('/payments');
  await page.getByRole('button', { name: /^(Switch|Cambiar).*: Pilot$/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});
panelPicture('membership-upgrade', 'ruth', async (page) => {
  await page.goto('/payments');
  await page.getByRole('button', { name: /^(Switch|Cambiar).*: Prime$/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});
panelPicture('membership-cancel', 'dana', async (page) => {
  await page.goto('/payments');
  await page.getByRole('button', { name: /^(Cancel Plan|Cancelar).*: Prime$/ }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
});
panelPicture('membership-card-edit', 'dana', async (page) => {
  await page.goto('/payments');
  await page.getByRole('button', { name: /^(Edit Details|Editar)/ }).click();
  await expect(page.frameLocator('iframe').getByRole('textbox').first()).toBeVisible();
});
panelPicture('membership-card-errors', 'dana', async (page) => {
  await page.goto('/payments');
  await page.getByRole('button', { name: /^(Edit Details|Editar)/ }).click();
  await page.frameLocator('iframe').getByRole('textbox').first().fill('4242');
  await page.getByRole('button', { name: /^(Save Changes|Guardar)/ }).click();
  await expect(page.frameLocator('iframe').getByText(/(Invalid CVC|CVC no válido)/)).toBeVisible();
});

/** What happens to a plan, one after the other, and its status then. */
const life: [string, (plan: PlanAtProvider) => Promise<unknown>, status?: string][] = [
  ['none', async () => undefined],
  ['trial', (plan) => plan.choose('lite'), 'trialing'],
  ['trial-ends', (plan) => plan.passUntil(1), 'trialing'],
  ['paused', (plan) => plan.passUntil(-1), 'paused'],
  [
    'active',
    async (plan) => {
      await plan.saveCard(goodCard);
      await plan.choose('lite');
    },
    'active',
  ],
  ['smaller-next', (plan) => plan.choose('pilot'), 'active'],
  [
    'ends',
    async (plan) => {
      await plan.cancel();
      await plan.passUntil(5);
    },
    'active',
  ],
  [
    'declined',
    async (plan) => {
      await plan.choose('lite');
      await plan.saveCard(failingCard);
      await plan.passUntil(-1);
    },
    'past_due',
  ],
  ['unpaid', (plan) => plan.pass(16), 'unpaid'],
  ['ended', (plan) => plan.passUntil(-1), 'canceled'],
];

test('plan-life', async ({ browser }) => {
  test.setTimeout(600_000);
  const pages: [Look, Page][] = [];
  for (const look of panelLooks) pages.push([look, await openAs(browser, look, asMina)]);
  const [first] = pages;
  if (!first) return;
  await first[1].goto('/payments');
  const plan = await planOf(first[1]);
  for (const [i, [name, happens, status]] of life.entries()) {
    await happens(plan);
    if (status !== undefined) await expect.poll(async () => (await plan.seen()).status).toBe(status);
    // Faster, the pages would read the plan too often.
    await first[1].waitForTimeout(6_000);
    for (const [look, page] of pages) {
      await page.goto('/payments');
      await take(page, `plan-${i}-${name}`, look);
      await page.goto('/sms-dashboard/history');
      await take(page, `plan-${i}-${name}-alert`, look);
    }
  }
});

test('merchant-steps', async ({ browser }) => {
  test.setTimeout(600_000);
  const pages: [Look, Page][] = [];
  for (const look of panelLooks) pages.push([look, await openAs(browser, look, asMina)]);
  const first = pages[0]?.[1];
  if (!first) return;
  const inEveryLook = async (name: string, path: string, then?: (page: Page) => Promise<unknown>) => {
    for (const [look, page] of pages) {
      await page.goto(path);
      await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
      await then?.(page);
      await take(page, `merchant-${name}`, look);
    }
  };
  const save = /^(Save and continue|Guardar y continuar)$/;
  const apply = async (page: Page) => {
    const button = page.getByRole('button', { name: /^(Apply Now|Solicitar ahora|Solicitarlo|Solicitar)/ });
    if (await button.isVisible()) await button.click();
  };
  await inEveryLook('0-promo', '/apply');
  await inEveryLook('1-address', '/apply', apply);
  await first.goto('/apply');
  await apply(first);
  await first.getByRole('button', { name: save }).click();
  await expect(first.getByLabel('Legal name of the business')).toBeVisible();
  await inEveryLook('2-details-errors', '/apply', async (page) => {
    await apply(page);
    await page.getByRole('button', { name: save }).click();
  });
  await first.getByLabel('Type of business').selectOption('Corporation');
  await first.getByLabel('Phone number of the business').fill('3035550190');
  await first.getByRole('button', { name: save }).click();
  await expect(first.getByRole('button', { name: 'Open the form' })).toBeVisible();
  await inEveryLook('3-identity', '/apply', apply);
  await first.getByRole('button', { name: 'Open the form' }).click();
  await first.waitForURL((url) => !url.pathname.startsWith('/apply'));
  const consent = new URL(first.url()).pathname;
  const form = consent.replace(/\/consent$/, '');
  await inEveryLook('4-hosted-consent', consent);
  const origin = new URL(first.url()).origin;
  const post = async (step: string, typed: Record<string, string>) => {
    const answer = await first.request.post(`${form}/${step}`, { form: typed, headers: { origin } });
    expect(answer.ok(), `${step}: ${answer.status()}`).toBe(true);
  };
  for (const [step, typed] of Object.entries(entered)) {
    if (step !== 'consent') await inEveryLook(`5-hosted-${step}`, form);
    if (step !== 'bank') await post(step, typed);
  }
  await inEveryLook('6-back', '/finix-forms?expired=true');
  await post('bank', entered.bank);
  await inEveryLook('7-almost', '/finix-forms');
  await inEveryLook('8-processing', '/apply');
  for (const review of ['update-requested', 'approved']) {
    await post('decide', { review });
    await first.waitForTimeout(1_500);
    await inEveryLook(`9-${review}`, '/apply');
    await inEveryLook(`9-${review}-notice`, '/sms-dashboard/history');
    if (review === 'update-requested') await post('bank', entered.bank);
  }
});

/** What the hosted form asks for, step by step; it is left in review. */
const entered = {
  consent: { consent: 'yes' },
  business: {
    legalName: 'Cedar Dental Group',
    businessType: 'CORPORATION',
    taxId: '123456789',
    phone: '3035550190',
    line1: '1300 Cedar Avenue',
    city: 'Denver',
    state: 'CO',
    zip: '80203',
  },
  owner: { firstName: 'Mina', lastName: 'Castro', title: 'Owner', birthDate: '1980-04-02', share: '100' },
  processing: { annualVolume: '90000', averagePayment: '40' },
  bank: { holder: 'Cedar Dental Group', routing: '122105278', account: '000123456789', review: 'wait' },
};
