import { expect, type Page } from '@playwright/test';
import { at, panelPicture } from './picture.ts';

/** The pages of the tab bar, at the demo's desks. */

const cards = (page: Page) => page.getByRole('option');

async function queue(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await expect(cards(page).first()).toBeVisible();
}

async function patient(page: Page, name: string): Promise<void> {
  await queue(page);
  await cards(page).filter({ hasText: name }).first().click();
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
}

/** A single key of the queue; pressed on the page, not in a field. */
const key = (name: string) => async (page: Page) => {
  await queue(page);
  await page.keyboard.press(name);
};

/** Opens a page and presses the first row, card or button that matches. */
const pressed = (path: string, selector: string) => async (page: Page) => {
  await page.goto(path);
  await page.locator(selector).first().click();
};

panelPicture('queue', 'dana', queue);
panelPicture('queue-compact', 'dana', async (page) => {
  await queue(page);
  const chooses = async (density: string) => {
    const headers = { origin: new URL(page.url()).origin };
    await page.request.patch('/api/session/preferences', { headers, data: { density } });
  };
  await chooses('compact');
  await queue(page);
  await chooses('comfortable');
});
panelPicture('queue-history', 'dana', at('/dashboard?tab=history'));
panelPicture('queue-patient-forms-done', 'dana', (page) => patient(page, 'Grace'));
panelPicture('queue-patient-family', 'dana', (page) => patient(page, 'Daniel'));
panelPicture('queue-patient-remove', 'dana', async (page) => {
  await patient(page, 'Jamal');
  await page.getByRole('button', { name: /^(Remove|Quitar|Eliminar)/ }).click();
});
panelPicture('queue-text-a-patient', 'dana', key('n'));
panelPicture('queue-palette', 'dana', key('Control+k'));
panelPicture('queue-help', 'dana', key('?'));
panelPicture('queue-search-none', 'dana', async (page) => {
  await queue(page);
  await page.getByRole('searchbox').fill('zzzz');
});
panelPicture('queue-failed', 'dana', async (page) => {
  await page.route(/\/api\/virtual-queue\/(doctor|changes)/, (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/dashboard');
  await page.waitForTimeout(3_000);
});

panelPicture('forms-today', 'dana', at('/dashboard/forms'));
panelPicture('forms-reader', 'dana', async (page) => {
  await page.goto('/dashboard/forms');
  await page
    .getByRole('button', { name: /^(View|Ver) .*(Ruth Weiss|COVID)/ })
    .first()
    .click();
});
panelPicture('forms-type', 'dana', at('/dashboard/forms?type=health-history'));
panelPicture('forms-types', 'dana', at('/dashboard/form-types'));
panelPicture('forms-old-screen', 'ruth', at('/dashboard/forms'));

panelPicture('engage', 'dana', at('/dashboard/engage'));
panelPicture('messages', 'dana', at('/dashboard/messages'));
panelPicture('messages-thread', 'dana', pressed('/dashboard/messages', 'main li button, main li a'));
panelPicture('website-chat', 'dana', at('/dashboard/chat'));
panelPicture('website-chat-thread', 'dana', pressed('/dashboard/chat', 'main li button, main li a'));
panelPicture('patient-list', 'dana', at('/dashboard/patient-list'));
panelPicture(
  'patient-list-patient',
  'dana',
  pressed('/dashboard/patient-list', 'main li button, main li a, main td a'),
);
panelPicture('transactions', 'dana', at('/dashboard/transactions'));
panelPicture('membership', 'dana', at('/payments'));
panelPicture('membership-trial', 'ruth', at('/payments'));
panelPicture('merchant', 'ruth', at('/apply'));

panelPicture('sms', 'mina', at('/sms-dashboard'));
panelPicture('sms-checked-in', 'mina', at('/sms-dashboard/checked-in'));
panelPicture('sms-history', 'mina', at('/sms-dashboard/history'));
