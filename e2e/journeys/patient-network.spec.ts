import { expect, test } from '#e2e/helpers/journey.ts';
import { desk, isHere, openDeskAndPhone, opens, press, says } from '#e2e/helpers/patient-journey.ts';
import { checkInByApi, fillIn, checkInButton, loseNetwork, maple, newName } from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';

openDeskAndPhone();

test('"I\'m here" without a network is sent once when it returns', async ({ page, context }) => {
  const name = newName();
  await page.goto(`/c/${maple}`);
  await fillIn(page, name);
  await loseNetwork(context, page);
  await checkInButton(page).click();
  await expect(page.getByText(/We’ll send it when you’re back online/)).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveValue(name);
  await context.setOffline(false);
  await says(page, 'You’re checked in');
  expect(await desk.count(name)).toBe(1);
});

test('a lost answer does not cause a second visit', async ({ page }) => {
  const name = newName();
  const phone = newPhone();
  let lost = 0;
  await page.route('**/api/checkin/*', async (route) => {
    if (route.request().method() !== 'POST' || lost++ >= 2) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await isHere(page, name, phone);
  expect(await desk.count(name)).toBe(1);
  expect(await desk.texts(phone)).toEqual([]);
});

test('a tap without a network is stored and sent, and the page shows its state', async ({ page, context }) => {
  const token = await checkInByApi(newName());
  await desk.call(token);
  await opens(page, token);
  await says(page, 'Come in now');
  await loseNetwork(context, page);
  await expect(page.getByText('Your place is kept.')).toBeVisible();
  await press(page, 'On my way');
  await expect(page.getByText(/We’ll send it when you’re back online/)).toBeVisible();
  await says(page, 'Come in now');
  await context.setOffline(false);
  await says(page, 'You are on your way');
  await expect(page.getByText('Your place is kept.')).toBeHidden();
});

test('a rate limit keeps the visit on screen, is not treated as a lost network, and is retried', async ({ page }) => {
  const token = await checkInByApi(newName());
  await opens(page, token);
  await says(page, 'You’re checked in');
  let refused = 0;
  await page.route(`**/api/visit/${token}`, (route) => {
    refused += 1;
    return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: '{}' });
  });
  await desk.call(token);
  await expect.poll(() => refused).toBeGreaterThan(0);
  await says(page, 'You’re checked in');
  await expect(page.getByText('Your place is kept.')).toBeHidden();
  await page.unroute(`**/api/visit/${token}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Come in now', { timeout: 20_000 });
});

test('a page that lost the network while loading recovers with it', async ({ page, context }) => {
  const token = await checkInByApi(newName());
  await page.route('**/visit-*.js', (route) => route.abort());
  await opens(page, token);
  await says(page, 'This page did not load');
  await page.unroute('**/visit-*.js');
  await context.setOffline(true);
  await context.setOffline(false);
  await says(page, 'You’re checked in');
});
