import { expect, test, type Page } from '@playwright/test';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import {
  checkInByApi,
  deskApi,
  fillIn,
  checkInButton,
  loseNetwork,
  maple,
  newName,
  textedToken,
  tokenOf,
  type DeskApi,
} from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

let desk: DeskApi;
test.beforeAll(async () => {
  desk = await deskApi();
});
test.afterAll(() => desk.close());

const says = (page: Page, title: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const opens = (page: Page, token: string) => page.goto(`/visit/${token}`);
const isHere = async (page: Page, name = newName(), phone = newPhone()) => {
  await page.goto(`/c/${maple}`);
  await fillIn(page, name, phone);
  await checkInButton(page).click();
  await says(page, 'You are checked in');
  return { name, phone, token: tokenOf(page) };
};

test('a patient checks in, is called by push, walks in, and is in', async ({ page }) => {
  await page.goto(`/c/${maple}`);
  await expect(page.getByText('Maple Street Pediatrics')).toBeVisible();
  const { token } = await isHere(page);
  await expect(page.getByText('Your place in line', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByText('Please fill these in before you come in.')).toBeVisible();
  await page.waitForTimeout(500);
  await desk.call(token);
  await expect(page.getByRole('heading', { name: 'Come in now' })).toBeVisible({ timeout: 3_000 });
  await expect(page.getByText('You can finish these at the front desk.')).toBeVisible();
  await expect(page.getByText('Please fill these in before you come in.')).toHaveCount(0);
  await expect(page).toHaveTitle(/^🔔 Come in now/);
  await press(page, 'On my way');
  await says(page, 'You are on your way');
  await press(page, "I'm in");
  await says(page, 'You’re inside');
  await expect(page.getByRole('link', { name: 'Check in again' })).toBeVisible();
});

test('the place in line moves up by push, and without push by polling', async ({ page, browser }) => {
  const tokens = [await checkInByApi(newName()), await checkInByApi(newName())];
  const token = await checkInByApi(newName());
  const deaf = await (await browser.newContext()).newPage();
  await deaf.routeWebSocket(/\/api\/live$/, (socket) => socket.close());
  await deaf.clock.install();
  for (const phone of [page, deaf]) await opens(phone, token);
  const place = (phone: Page) => phone.locator('strong').filter({ hasText: /^\d+$/ });
  const before = Number(await place(page).innerText());
  await page.waitForTimeout(1_000);
  for (const gone of tokens) await desk.call(gone);
  await expect(place(page)).toHaveText(String(before - 2), { timeout: 4_000 });
  await expect(place(deaf)).toHaveText(String(before));
  await deaf.clock.fastForward(15_000);
  await expect(place(deaf)).toHaveText(String(before - 2));
});

test('"Come in now" sounds and vibrates once', async ({ page }) => {
  await page.addInitScript(() => {
    const rung = { tones: 0, buzzes: 0 };
    Object.assign(window, { rung });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) {
      rung.tones++;
      start.call(this, at);
    };
    navigator.vibrate = () => ++rung.buzzes > 0;
  });
  const { token } = await isHere(page);
  await desk.call(token);
  await says(page, 'Come in now');
  await page.waitForTimeout(500);
  expect(await page.evaluate(() => (window as unknown as { rung: unknown }).rung)).toEqual({ tones: 4, buzzes: 1 });
});

test('the visit survives a reload and closing the browser', async ({ page, browser }) => {
  const { token } = await isHere(page);
  await page.reload();
  await says(page, 'You are checked in');
  const kept = await page.context().storageState();
  await page.context().close();
  const later = await (await browser.newContext({ storageState: kept })).newPage();
  await later.goto(`/c/${maple}`);
  await says(later, 'Someone is already checked in on this phone');
  await press(later, 'Continue as P…?');
  await expect(later).toHaveURL(`/visit/${token}`);
  await says(later, 'You are checked in');
});

test('a language chosen while the page loads becomes the visit’s', async ({ page }) => {
  const token = await checkInByApi(newName());
  await page.route(/visit-page-.*\.js$/, async (route) => {
    await page.getByRole('button', { name: 'Español' }).click();
    await expect(page.getByRole('button', { name: 'English' })).toBeVisible();
    await route.continue();
  });
  const told = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.url().endsWith(token));
  await page.goto(`/visit/${token}`);
  expect((await told).ok()).toBe(true);
  await page.unrouteAll();
  await page.reload();
  await expect(page.getByRole('button', { name: 'English' })).toBeVisible();
});

test('check-in shows errors at their fields, focuses the first one, and keeps everything typed', async ({ page }) => {
  await page.goto(`/c/${maple}`);
  await page.getByLabel('Last name').fill('محمد <b>');
  await page.getByLabel('Mobile number').fill('+44 20 7946 0958');
  await page.getByLabel('Date of birth').fill('02/30/2019');
  await checkInButton(page).click();
  await expect(page.getByLabel('First name')).toBeFocused();
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription('Please enter the first name.');
  await expect(page.getByLabel('Mobile number')).toHaveAccessibleDescription(
    /10-digit mobile number from the United States/,
  );
  await expect(page.getByLabel('Date of birth')).toHaveAccessibleDescription(/no such day/);
  await expect(page.getByLabel('Last name')).toHaveValue('محمد <b>');
  await expect(page.getByLabel('Mobile number')).toHaveValue('+44 20 7946 0958');
});

test('a pasted +1 number and a prefilled date are formatted like the fields', async ({ page }) => {
  await page.goto(`/c/${maple}`);
  await page.getByLabel('Mobile number').fill('+1 646-555-0142');
  await page.getByLabel('Date of birth').fill('1990-04-02');
  await page.getByLabel('First name').click();
  await expect(page.getByLabel('Mobile number')).toHaveValue('(646) 555-0142');
  await expect(page.getByLabel('Date of birth')).toHaveValue('04/02/1990');
  await expect(page.getByText('April 2, 1990')).toBeVisible();
});

test('a family checks in by keyboard alone', async ({ page }) => {
  const name = newName();
  await page.goto(`/c/${maple}`);
  await fillIn(page, name);
  await page.getByRole('button', { name: 'Add a family member' }).press('Enter');
  await expect(page.getByLabel('First name').nth(1)).toBeFocused();
  await page.keyboard.type('Leo');
  await page.getByRole('button', { name: 'Add a family member' }).press('Enter');
  await page.getByRole('button', { name: 'Remove family member 2' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Is anyone else being seen today?' })).toBeFocused();
  await page.getByLabel('Date of birth').first().press('Enter');
  await says(page, 'You are checked in');
  await expect(page.getByRole('definition').filter({ hasText: 'Leo Qa' })).toBeVisible();
  await expect.poll(() => desk.count(name)).toBe(1);
});

test('a check-in on another phone texts the link to the number, never to the one who typed it', async ({ page }) => {
  const phone = newPhone();
  const token = await checkInByApi(newName(), phone);
  await page.goto(`/c/${maple}`);
  await fillIn(page, 'Somebody', phone);
  await checkInButton(page).click();
  await says(page, 'Check your text messages');
  await expect(page.getByText(`We texted its link to`)).toContainText(
    `(${phone.slice(0, 3)}) •••-••${phone.slice(-2)}`,
  );
  await expect(page).not.toHaveURL(new RegExp(token));
  await expect.poll(() => desk.texts(phone)).toHaveLength(1);
  const [link = ''] = /\/visit\/\S+/.exec((await desk.texts(phone))[0] ?? '') ?? [];
  await page.goto(link);
  await says(page, 'You are checked in');
});

test('a patient whose number sent STOP reads what to do, not that a text was sent', async ({ page }) => {
  const phone = newPhone();
  await checkInByApi(newName(), phone);
  await page.goto(`/c/${maple}`);
  const stopped = await page.request.post('/dev/outbox/reply', {
    headers: { origin: new URL(page.url()).origin },
    data: { from: phone, to: '+12125550150', body: 'STOP' },
  });
  expect(stopped.ok(), await stopped.text()).toBe(true);
  await fillIn(page, 'Somebody', phone);
  await checkInButton(page).click();
  await says(page, 'Please tell the front desk');
  await expect(page.getByText('this number asked for no more texts (STOP)')).toBeVisible();
  await expect(page.getByText('answer START to an earlier text')).toBeVisible();
  await expectAccessible(page);
});

test('a Spanish phone is greeted in Spanish, and changing the language keeps what was typed', async ({ browser }) => {
  const page = await (await browser.newContext({ locale: 'es-MX' })).newPage();
  await page.goto(`/c/${maple}`);
  await says(page, 'Registrarse');
  await page.getByLabel('Nombre').fill('Lucía');
  await press(page, 'English');
  await says(page, 'Check in');
  await expect(page.getByLabel('First name')).toHaveValue('Lucía');
  await press(page, 'Español');
  const phone = newPhone();
  await page.getByLabel('Apellido').fill('Qa');
  await page.getByLabel('Número de celular').fill(phone);
  await page.getByLabel('Fecha de nacimiento').fill('04/02/1990');
  await expect(page.getByText('2 de abril de 1990')).toBeVisible();
  await press(page, 'Ya llegué');
  await says(page, 'Su llegada está registrada');
  await desk.call(tokenOf(page));
  await says(page, 'Pase ahora');
  await expect.poll(() => desk.texts(phone)).toEqual([expect.stringContaining('ya puede pasar')]);
});

test('"I\'m here" without a network is sent once when it returns', async ({ page, context }) => {
  const name = newName();
  await page.goto(`/c/${maple}`);
  await fillIn(page, name);
  await loseNetwork(context, page);
  await checkInButton(page).click();
  await expect(page.getByText(/It will be sent as soon as there is one/)).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveValue(name);
  await context.setOffline(false);
  await says(page, 'You are checked in');
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
  await expect(page.getByText(/Your answer is sent as soon as there is one/)).toBeVisible();
  await says(page, 'Come in now');
  await context.setOffline(false);
  await says(page, 'You are on your way');
  await expect(page.getByText('Your place is kept.')).toBeHidden();
});

test('a rate limit keeps the visit on screen, is not treated as a lost network, and is retried', async ({ page }) => {
  const token = await checkInByApi(newName());
  await opens(page, token);
  await says(page, 'You are checked in');
  let refused = 0;
  await page.route(`**/api/visit/${token}`, (route) => {
    refused += 1;
    return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: '{}' });
  });
  await desk.call(token);
  await expect.poll(() => refused).toBeGreaterThan(0);
  await says(page, 'You are checked in');
  await expect(page.getByText('Your place is kept.')).toBeHidden();
  await page.unroute(`**/api/visit/${token}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Come in now', { timeout: 20_000 });
});

test('a page that lost the network while loading recovers with it', async ({ page, context }) => {
  const token = await checkInByApi(newName());
  await page.route('**/visit-page-*.js', (route) => route.abort());
  await opens(page, token);
  await says(page, 'This page did not load');
  await page.unroute('**/visit-page-*.js');
  await context.setOffline(true);
  await context.setOffline(false);
  await says(page, 'You are checked in');
});

test('a late tap shows the current visit', async ({ page, context }) => {
  const token = await checkInByApi(newName());
  await desk.call(token);
  await opens(page, token);
  await says(page, 'Come in now');
  await loseNetwork(context, page);
  await press(page, 'On my way');
  await desk.end(token, 'no-show');
  await context.setOffline(false);
  await says(page, 'We missed you');
});

test('leaving the line asks for confirmation, and a new check-in can follow', async ({ page }) => {
  const { name } = await isHere(page);
  await press(page, 'Cancel visit');
  await expect(page.getByRole('button', { name: 'Keep my place' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Cancel visit' })).toBeFocused();
  await press(page, 'Cancel visit');
  await press(page, 'Cancel my visit');
  await says(page, 'You’re no longer in line');
  await page.getByRole('link', { name: 'Check in again' }).click();
  await fillIn(page, name);
  await checkInButton(page).click();
  await says(page, 'You are checked in');
  expect(await desk.count(name)).toBe(2);
});

test('"Still waiting?" reaches the desk and a second tab of the phone', async ({ page, context }) => {
  const { token } = await isHere(page);
  const second = await context.newPage();
  await opens(second, token);
  await says(second, 'You are checked in');
  await press(page, 'Still waiting?');
  await expect(page.getByText('We told the front desk you’re still waiting.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Still waiting?' })).toBeHidden();
  await expect(second.getByText('We told the front desk you’re still waiting.')).toBeVisible();
});

test('a message from the front desk appears as it was typed', async ({ page }) => {
  const { phone } = await isHere(page);
  const token = await textedToken(desk, phone);
  await opens(page, token);
  await desk.write(token, 'Use door B & bring <b>the card</b>.');
  await expect(page.getByRole('log').getByRole('listitem')).toHaveText([
    /^Front deskUse door B & bring <b>the card<\/b>\./,
  ]);
  await desk.reply(phone, 'I am at door A.');
  await expect(page.getByRole('log').getByRole('listitem').first()).toHaveText(/^YouI am at door A\./);
});

test('once the texted link is open, the browser that typed the number shows only the status', async ({
  page,
  browser,
}) => {
  const { name, phone } = await isHere(page);
  await expect(page.getByText(name)).toBeVisible();
  const token = await textedToken(desk, phone);
  const owner = await (await browser.newContext()).newPage();
  await opens(owner, token);
  await says(owner, 'You are checked in');
  await expect(page.getByRole('heading', { name: 'To continue, open the link in our text message' })).toBeVisible();
  await says(page, 'You are checked in');
  await expect(page.getByText(name)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Cancel visit' })).toBeHidden();
  await expectAccessible(page);
  await press(page, 'Text me the link');
  await expect(page.getByText('We texted the link. Please open it on your phone.')).toBeVisible();
  await desk.call(token);
  await says(page, 'Come in now');
  await expect(page.getByRole('button', { name: 'On my way' })).toBeHidden();
  await owner.getByRole('button', { name: 'On my way' }).click();
  await says(page, 'You are on your way');
});

test('a browser that only typed the number learns that the desk sent a text, but not what it says', async ({
  page,
  browser,
}) => {
  const { phone, token } = await isHere(page);
  await desk.write(token, 'Your results are back.');
  await expect(page.getByRole('heading', { name: 'The front desk sent you a text' })).toBeVisible();
  await expect(page.getByText('Your results are back.')).toHaveCount(0);
  await expectAccessible(page);

  const owner = await (await browser.newContext()).newPage();
  await opens(owner, await textedToken(desk, phone));
  await expect(page.getByText('The front desk sent you a text. Please read it on that phone.')).toBeVisible();
  await expectAccessible(page);
  // From the poster again: its status and what to do next, instead of an empty form.
  await page.goto(`/c/${maple}`);
  await says(page, 'Someone is already checked in on this phone');
  await expect(page.getByText('To continue that visit, open the link in our text message.')).toBeVisible();
  await expectAccessible(page);
  await press(page, 'See the status');
  await says(page, 'You are checked in');
  await expect(page.getByRole('heading', { name: 'To continue, open the link in our text message' })).toBeVisible();
});

test('an unknown URL leads back to the visit or to check-in', async ({ page }) => {
  const { token } = await isHere(page);
  for (const path of [`/visit/${token}/nothing`, `/visit/${token}/forms/nothing`]) {
    expect((await page.goto(path))?.status()).toBe(404);
    await says(page, "We couldn't find that page");
    await expectAccessible(page);
  }
  await page.getByRole('link', { name: 'Go to your visit' }).click();
  await says(page, 'You are checked in');
  expect((await page.goto(`/c/${maple}/nothing`))?.status()).toBe(404);
  await page.getByRole('link', { name: 'Go to check-in' }).click();
  await says(page, 'Someone is already checked in on this phone');
});

test('on a shared phone somebody else can start over, and the phone forgets the earlier visit', async ({ page }) => {
  const { token } = await isHere(page);
  await page.goto(`/c/${maple}`);
  await says(page, 'Someone is already checked in on this phone');
  await expectAccessible(page);
  await press(page, 'Somebody else');
  await says(page, 'Check in');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.reload();
  await says(page, 'Check in');
  const second = await isHere(page);
  expect(second.token).not.toBe(token);
});

test('an expected patient checks in from the link in their text', async ({ page }) => {
  const name = newName();
  const token = await desk.expect(newPhone());
  await page.goto(`/c/t/${token}`);
  await says(page, 'Check in');
  await expect(page.getByLabel('Mobile number')).toHaveCount(0);
  await fillIn(page, name, null);
  await checkInButton(page).click();
  await says(page, 'You are checked in');
  expect(await desk.count(name)).toBe(1);
  await page.reload();
  await says(page, 'You are checked in');
});

test('a phone with a wrong clock shows the right times', async ({ page }) => {
  const token = await checkInByApi(newName());
  const now = Date.now();
  const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'America/New_York' });
  await page.clock.install({ time: now + 86_400_000 });
  await opens(page, token);
  await says(page, 'You are checked in');
  await expect(page.getByText(/\b0 min/)).toBeVisible();
  await expect(page.getByText(time.format(now))).toBeVisible();
});

test('an unknown office, a malformed number and an expired link say so', async ({ page }) => {
  for (const npi of ['9999999999', '12', 'x%00y']) {
    expect((await page.goto(`/c/${npi}`))?.status()).toBeGreaterThanOrEqual(400);
    if (npi.length === 10 || npi === '12') await says(page, 'We could not find this practice');
  }
  await page.goto(`/visit/${'A'.repeat(32)}`);
  await says(page, 'This link has ended');
  await page.goto('/visit/short');
  await says(page, 'This link has ended');
});

test('a closed office says when it opens', async ({ page }) => {
  const wide = { open: '08:00', close: '17:00' };
  const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'America/New_York' });
  const week = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const today = week.indexOf(day.format(new Date()));
  try {
    await desk.hours(week.map((_, i) => (i === (today + 1) % 7 ? wide : null)));
    await page.goto(`/c/${maple}`);
    await says(page, 'We are closed right now');
    await expect(page.getByText('We are closed today.')).toBeVisible();
    await expect(page.getByText(new RegExp(`We open on ${week[(today + 1) % 7]}, .* at 8:00 AM`))).toBeVisible();
    await expectAccessible(page);
  } finally {
    await desk.hours(null);
  }
});

test('no patient data is stored by the page, or put into its title or URL', async ({ page }) => {
  const { name, phone } = await isHere(page);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const secret of [name, phone, tokenOf(page)]) expect(kept).not.toContain(secret);
  expect(await page.title()).not.toContain(name);
  expect(page.url()).not.toContain(name);
  const [cookie] = await page.context().cookies();
  expect(cookie?.httpOnly).toBe(true);
});

test.describe('accessible and within the screen', () => {
  /** Checks the screen for axe violations and horizontal overflow. */
  const fits = async (page: Page) => {
    await expectAccessible(page);
    const { width = 0 } = page.viewportSize() ?? {};
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  };
  const longName = async (phone = newPhone()) => {
    await checkInByApi('W'.repeat(60), phone, 'محمد 👩🏽‍⚕️');
    return textedToken(desk, phone);
  };

  test('every state of the phone fits, with words too long for a line', async ({ page, context }) => {
    test.setTimeout(90_000);
    const buttons = page.locator('main').getByRole('button');
    await page.goto(`/c/${maple}`);
    await checkInButton(page).click();
    await press(page, 'Add a family member');
    await fits(page);

    const token = await longName();
    await opens(page, token);
    await says(page, 'You are checked in');
    await desk.write(token, `https://${'long'.repeat(40)}.example`);
    await page.getByRole('log').getByRole('listitem').waitFor();
    await fits(page);
    await press(page, 'Cancel visit');
    await loseNetwork(context, page);
    await fits(page);
    await page.keyboard.press('Escape');
    await context.setOffline(false);
    await desk.call(token);
    await says(page, 'Come in now');
    await fits(page);
    await buttons.first().click();
    await says(page, 'You are on your way');
    await fits(page);
    await desk.end(token, 'seen');
    await says(page, 'Thank you for coming');
    await fits(page);
    await page.goto('/c/9999999999');
    await says(page, 'We could not find this practice');
    await fits(page);
  });

  for (const look of [
    { name: 'dark, Spanish, 320 px', colorScheme: 'dark', locale: 'es-US', width: 320 },
    { name: 'light, Spanish, 1200 px', colorScheme: 'light', locale: 'es-US', width: 1200 },
  ] as const) {
    test(look.name, async ({ browser }) => {
      const { colorScheme, locale, width } = look;
      const context = await browser.newContext({ colorScheme, locale, viewport: { width, height: 800 } });
      const page = await context.newPage();
      await page.goto(`/c/${maple}`);
      await page.getByRole('button', { name: 'Ya llegué' }).click();
      await fits(page);
      const token = await longName();
      await opens(page, token);
      // The visit was created in English, so its page is English until somebody chooses.
      await press(page, 'Español');
      await says(page, 'Su llegada está registrada');
      await fits(page);
      await desk.call(token);
      await says(page, 'Pase ahora');
      await fits(page);
      await context.close();
    });
  }
});

test('the phone with text at twice its size still fits a small screen', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const token = await checkInByApi(newName());
  for (const path of [`/c/${maple}`, `/visit/${token}`]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  }
});
