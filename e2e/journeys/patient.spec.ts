import { consentAnswers, submitForm } from '#e2e/helpers/filed-forms.ts';
import { expect, test, type Locator, type Page } from '#e2e/helpers/journey.ts';
import { desk, isHere, openDeskAndPhone, opens, press, says } from '#e2e/helpers/patient-journey.ts';
import { expectAccessible, openDesk, selectPatient } from '#e2e/helpers/queue-desk.ts';
import {
  checkInByApi,
  checkInButton,
  loseNetwork,
  maple,
  newName,
  textedToken,
  tokenOf,
  waitsFor,
} from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { shootAs } from '#e2e/helpers/screenshots.ts';

openDeskAndPhone();

/** Longer than a message must be in view to count as read. */
const readMs = 2_500;
const newMessageBar = (page: Page) => page.getByRole('button', { name: 'New message', exact: true });

/** The words of these links' names that stand on two lines. */
function brokenWords(links: Element[]): string[] {
  return links.flatMap((link) => {
    const text = link.querySelector('span')?.firstChild;
    if (!text) return ['no name'];
    return [...(text.textContent ?? '').matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      const range = new Range();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1 ? [word] : [];
    });
  });
}

/** The desk's warning about a page of an older build. */
const outdated = /Phone needs an update|Page out of date/;

test('a patient checks in, is called by push, walks in, and is in', async ({ page }) => {
  await page.goto(`/c/${maple}`);
  await expect(page.getByText('Maple Street Pediatrics')).toBeVisible();
  const { token } = await isHere(page);
  await expect(page.getByText('Your place in line', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByText('Please fill these in before you come in.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Fill out forms 0 of 5 done, about 9 minutes' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Still waiting?' })).toBeHidden();
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
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByText('You’re inside. Finish your forms at the desk.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Check in again' })).toBeHidden();
  await page.getByText('Another visit?').click();
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

/** Counts the tones and vibrations of a page that is opened next. */
async function countRings(page: Page): Promise<() => Promise<unknown>> {
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
  return () => page.evaluate(() => (window as unknown as { rung: unknown }).rung);
}

/** How far the page's content moved by itself since it was opened: the sum of the layout shifts. */
const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const shift of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!shift.hadRecentInput) sum += shift.value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 200);
      }),
  );

test('"Come in now" sounds and vibrates once', async ({ page }) => {
  const rings = await countRings(page);
  const { token } = await isHere(page);
  await desk.call(token);
  await says(page, 'Come in now');
  await page.waitForTimeout(500);
  expect(await rings()).toEqual({ tones: 4, buzzes: 1 });
});

test('the visit survives a reload and closing the browser, and nothing on the page moves', async ({
  page,
  browser,
}) => {
  const { token } = await isHere(page);
  const formsShown = async () => {
    await expect(page.getByRole('link', { name: 'Consent Not started' })).toBeVisible();
    await page.waitForLoadState('networkidle');
  };
  await formsShown();
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
  for (const size of [{ width: 1366, height: 768 }, page.viewportSize() ?? { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    await page.reload();
    await says(page, 'You’re checked in');
    await formsShown();
    expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
  }
  const kept = await page.context().storageState();
  await page.context().close();
  const later = await (await browser.newContext({ storageState: kept })).newPage();
  await later.goto(`/c/${maple}`);
  await says(later, 'Someone is already checked in on this phone');
  await press(later, 'Continue as P…?');
  await expect(later).toHaveURL(`/visit/${token}`);
  await says(later, 'You’re checked in');
});

test('a language chosen while the page loads becomes the visit’s', async ({ page }) => {
  const token = await checkInByApi(newName());
  await page.route(/\/visit-[\w-]{8}\.js$/, async (route) => {
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

test('after ten minutes "Still waiting?" reaches the desk and a second tab of the phone', async ({ page, context }) => {
  const { token } = await isHere(page);
  const second = await context.newPage();
  await opens(second, token);
  await says(second, 'You’re checked in');
  await expect(second.getByRole('button', { name: 'Still waiting?' })).toBeHidden();
  await waitsFor(page, token, 11);
  await page.reload();
  await press(page, 'Still waiting?');
  await expect(page.getByText('We told the front desk you’re still waiting.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Still waiting?' })).toBeHidden();
  await expect(second.getByText('We told the front desk you’re still waiting.')).toBeVisible();
});

test('a message from the front desk rings, and appears below the status as it was typed', async ({ page }) => {
  const rings = await countRings(page);
  const { phone } = await isHere(page);
  const token = await textedToken(desk, phone);
  await opens(page, token);
  await page.getByRole('heading', { level: 1 }).click();
  await desk.write(token, 'Use door B & bring <b>the card</b>.');
  const messages = page.getByRole('log').getByRole('listitem');
  await expect(messages).toHaveText([/^Front deskUse door B & bring <b>the card<\/b>\./]);
  expect(await rings()).toEqual({ tones: 2, buzzes: 1 });
  const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Infinity;
  expect(await topOf(messages)).toBeLessThan(await topOf(page.getByRole('heading', { name: 'Your forms' })));
  await expect(newMessageBar(page)).toBeHidden();
  await desk.reply(phone, 'I am at door A.');
  await expect(messages.first()).toHaveText(/^YouI am at door A\./);
  await expect(newMessageBar(page)).toBeHidden();
});

test('the bar "New message" stays until the message is read: pressed, or in view for two seconds', async ({ page }) => {
  const { phone } = await isHere(page);
  const token = await textedToken(desk, phone);
  await opens(page, token);
  const lookAway = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);

  await lookAway(true);
  await desk.write(token, 'Use door B.');
  await expect(newMessageBar(page)).toBeVisible();
  await page.waitForTimeout(readMs);
  await expect(newMessageBar(page)).toBeVisible();
  await lookAway(false);
  await expect(newMessageBar(page)).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Messages' })).not.toBeFocused();

  // The message is behind the buttons at the page's foot.
  await page.setViewportSize({ width: 390, height: 700 });
  await desk.write(token, 'And bring your card.');
  await expect(newMessageBar(page)).toBeVisible();
  await page.waitForTimeout(readMs);
  await newMessageBar(page).click();
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeFocused();
  await expect(newMessageBar(page)).toBeHidden();
});

test('an outdated page reloads itself once nothing can be lost', async ({ page, browser }) => {
  const { name, phone } = await isHere(page);
  const token = await textedToken(desk, phone);
  await page.addInitScript(() => {
    // What a journey does in a page counts as a touch.
    Object.defineProperty(navigator, 'userActivation', { value: { isActive: false, hasBeenActive: true } });
    // The first page is of an older build.
    if (sessionStorage.getItem('newer')) return;
    sessionStorage.setItem('newer', '1');
    new MutationObserver((_changes, observer) => {
      const build = document.querySelector<HTMLMetaElement>('meta[name=build]');
      if (!build) return;
      build.content = 'older';
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await opens(page, token);
  const message = page.getByLabel('Message to the front desk');
  await message.fill('On my');
  const dana = await openDesk(browser);
  await selectPatient(dana, name);
  await expect(dana.getByText(outdated)).toBeVisible();
  await page.evaluate(() => {
    const age = performance.now.bind(performance);
    performance.now = () => age() + 60_000;
  });
  await desk.write(token, 'Please bring your card.');
  await expect(page.getByText('Please bring your card.')).toBeVisible();
  await expect(message).toHaveValue('On my');
  // From the moment that nothing is typed the page may reload, also before the next message.
  const reload = page.waitForEvent('load');
  await message.fill('');
  await desk.write(token, 'And your ID.');
  await reload;
  await expect(page.getByText('And your ID.')).toBeVisible();
  await expect(dana.getByText(outdated)).toBeHidden();
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
  await says(owner, 'You’re checked in');
  await expect(page.getByRole('heading', { name: 'To continue, open the link in our text message' })).toBeVisible();
  await says(page, 'You’re checked in');
  await expect(page.getByText(name)).toBeHidden();
  await expect(page.getByRole('button', { name: 'More' })).toBeHidden();
  await expectAccessible(page);
  await press(page, 'Text me the link');
  await expect(
    page.getByText(
      'We text the link to your phone if it gets our texts. No text after a few minutes? Please tell the front desk.',
    ),
  ).toBeVisible();
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
  await says(page, 'You’re checked in');
  await expect(page.getByRole('heading', { name: 'To continue, open the link in our text message' })).toBeVisible();
});

test('a phone with a wrong clock shows the right times', async ({ page }) => {
  const token = await checkInByApi(newName());
  const now = Date.now();
  const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'America/New_York' });
  await page.clock.install({ time: now + 86_400_000 });
  await opens(page, token);
  await says(page, 'You’re checked in');
  await expect(page.getByText(/just now/)).toBeVisible();
  await expect(page.getByText(time.format(now))).toBeVisible();
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
    // A finger finds the practice's number on every page that has it.
    for (const phone of await page.getByRole('banner').locator('a[href^="tel:"]').all())
      expect((await phone.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  };
  /** Opens the forms of a called patient, of whom one is done. */
  const showForms = async (page: Page, heading: string) => {
    await page.getByRole('heading', { name: heading }).click();
    await page.getByRole('button', { name: /^(View copy|Ver copia)/ }).waitFor();
  };
  const longName = async (phone = newPhone()) => {
    await checkInByApi('W'.repeat(60), phone, 'محمد 👩🏽‍⚕️');
    return textedToken(desk, phone);
  };

  test('every state of the phone fits, with words too long for a line', async ({ page, context }) => {
    test.setTimeout(90_000);
    await page.goto(`/c/${maple}`);
    await checkInButton(page).click();
    await press(page, 'Add a family member');
    await fits(page);

    const token = await longName();
    await opens(page, token);
    await says(page, 'You’re checked in');
    await desk.write(token, `https://${'long'.repeat(40)}.example`);
    await page.getByRole('log').getByRole('listitem').waitFor();
    await fits(page);
    await press(page, 'More');
    await press(page, 'Cancel visit');
    await loseNetwork(context, page);
    await fits(page);
    await page.keyboard.press('Escape');
    await context.setOffline(false);
    await submitForm(page, token, 'consent', consentAnswers);
    await desk.call(token);
    await says(page, 'Come in now');
    await showForms(page, 'Your forms');
    await fits(page);
    await press(page, 'On my way');
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
      await submitForm(page, token, 'consent', consentAnswers);
      await desk.call(token);
      await says(page, 'Pase ahora');
      await showForms(page, 'Sus formularios');
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

test('on the smallest screen the forms’ names break between words only', async ({ browser }) => {
  const shoot = shootAs('form-names');
  for (const [locale, colorScheme] of [
    ['en-US', 'light'],
    ['es-US', 'dark'],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 }, locale, colorScheme });
    const page = await context.newPage();
    const token = await checkInByApi(newName());
    await opens(page, token);
    if (locale === 'es-US') await press(page, 'Español');
    await submitForm(page, token, 'consent', consentAnswers);
    await page.reload();
    const links = page.getByRole('listitem').getByRole('link');
    await expect(links).toHaveCount(5);
    await shoot(page, locale);
    expect(await links.evaluateAll(brokenWords)).toEqual([]);
    await context.close();
  }
});
