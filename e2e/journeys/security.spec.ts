import { createHmac } from 'node:crypto';
import { expect, test, type Browser, type Page } from '#e2e/helpers/journey.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { openDesk, expectAccessible } from '#e2e/helpers/queue-desk.ts';

const email = 'front@summit.test';
const security = '/dashboard/settings/security';

test("security settings: devices, passkeys, the authenticator app, and the practice's rules", async ({ browser }) => {
  test.setTimeout(120_000);
  const page = await (await browser.newContext()).newPage();
  await signsIn(page);
  await page.goto(security);
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible();
  await expectAccessible(page);

  await test.step('the minutes until the panel locks are saved and take effect without a reload', async () => {
    const minutes = page.getByLabel('Minutes until the panel locks');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await expect(minutes).toHaveValue('15');
    await minutes.fill('31');
    await save.click();
    await expect(page.getByText('Enter a whole number from 5 to 30.')).toBeVisible();
    await expect(minutes).toBeFocused();
    await expect(minutes).toHaveValue('31');
    await expectAccessible(page);
    const session = page.waitForResponse('**/api/session');
    await minutes.fill('5');
    await minutes.press('Enter');
    const { locksAt, now } = (await (await session).json()) as { locksAt: string; now: string };
    expect(Date.parse(locksAt) - Date.parse(now)).toBeLessThanOrEqual(5 * 60_000);
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.reload();
    await expect(minutes).toHaveValue('5');
    await minutes.fill('15');
    await save.click();
    await expect(minutes).toHaveValue('15');
  });

  await test.step('another device is listed, and signed out from here at once', async () => {
    const phone = await phoneOf(browser);
    await signsInByPhone(phone);
    await phone.goto(security);
    await expect(phone.getByText('Este dispositivo', { exact: true })).toBeVisible();
    await expectAccessible(phone);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out: Safari on iPhone' }).click();
    await expect(page.getByRole('button', { name: 'Sign out: Safari on iPhone' })).toBeHidden();
    await phone.reload();
    await expect(phone.getByRole('heading', { name: '¡Bienvenido!' })).toBeVisible();
    await phone.context().close();
  });

  await test.step('after an unlock by code a shared desk is offered a PIN, which unlocks until it is removed', async () => {
    await locks(page);
    await unlocksByCode(page);
    await expect(page.getByRole('heading', { name: 'Unlock faster next time?' })).toBeFocused();
    await expectAccessible(page);
    await page.getByLabel('Six-digit PIN').fill('123456');
    await expect(page.getByText('That PIN is too easy to guess.')).toBeVisible();
    await page.getByLabel('Six-digit PIN').fill('739105');
    await expect(page.getByLabel('Repeat the PIN')).toBeFocused();
    await page.getByLabel('Repeat the PIN').fill('739106');
    await page.keyboard.press('Enter');
    await expect(page.getByText('The two PINs are not the same.')).toBeVisible();
    await expectAccessible(page);
    // As if more than a minute had passed since the code: another one is asked for, and what was typed is sent.
    await page.route(
      '**/api/session/pin',
      (route) => route.fulfill({ status: 403, json: { type: 'urn:anteroom:problem:proof_needed' } }),
      { times: 1 },
    );
    await page.getByLabel('Repeat the PIN').fill('739105');
    await page.keyboard.press('Enter');
    await expect(page.getByText('please verify that it’s you before we make this change')).toBeFocused();
    await expectAccessible(page);
    await unlocksByCode(page);
    await expect(page.getByRole('heading', { name: 'PIN for this device' })).toBeVisible();
    await locks(page);
    await page.getByLabel('Your PIN').fill('805317');
    await expect(page.getByText('Wrong PIN. After five wrong tries it’s removed.')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Your PIN').fill('739105');
    await expect(page.getByRole('button', { name: 'Change the PIN' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove the PIN' }).click();
    await expect(page.getByRole('button', { name: 'Set a PIN' })).toBeVisible();
    // This browser answered the offer; the next step looks at it again.
    await page.evaluate(() => localStorage.clear());
  });

  await test.step('after an unlock by code a device with a PIN of its own is offered a passkey, once', async () => {
    await withPasskeys(page);
    await locks(page);
    await unlocksByCode(page);
    await expect(page.getByRole('heading', { name: 'Unlock faster next time?' })).toBeFocused();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByRole('button', { name: 'Remove Chrome · Linux' })).toBeVisible();
    await page.getByRole('button', { name: 'Remove Chrome · Linux' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('button', { name: 'Remove Chrome · Linux' })).toBeHidden();
    await locks(page);
    await unlocksByCode(page);
    await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Unlock faster next time?' })).toBeHidden();
  });

  await test.step('a passkey is added, unlocks, and signs in', async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('Desk key');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Desk key')).toBeVisible();

    await locks(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByText('Desk key')).toBeVisible();

    await signsOut(page);
    await page.getByRole('button', { name: 'Passkey' }).click();
    await expect(page).toHaveURL(/\/dashboard/);
  });

  let recovery: string[] = [];
  await test.step('the authenticator app is set up, and the practice asks everyone for one', async () => {
    await page.goto(security);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
    await expectAccessible(page);
    await dialog.getByLabel('Code from your authenticator app').fill(appCode(secret));
    await expect(dialog.getByRole('heading', { name: 'Keep these recovery codes' })).toBeFocused();
    recovery = await dialog.locator('li code').allInnerTexts();
    expect(recovery).toHaveLength(10);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I’ve saved them' }).click();
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
    await page.getByLabel('Require an authenticator app for everyone').check();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('after signing out everywhere, a code alone opens nothing', async () => {
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await expectAccessible(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect(page.getByText('Sign in to your account to continue')).toBeVisible();
    await signsIn(page, 'One more step');
    await expectAccessible(page);
    await page.getByLabel('Code from your authenticator app').fill('000000');
    await expect(page.getByText('That code is wrong or was already used.')).toBeVisible();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recovery[0] ?? '');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/dashboard/);
  });

  await test.step('a person without an authenticator app sets one up before seeing anything', async () => {
    await page.goto(security);
    await page.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the app' }).click();
    await expect(page.getByRole('heading', { name: 'Set up an authenticator app' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Begin' }).click();
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
    await expectAccessible(page);
    await page.getByLabel('Code from your authenticator app').fill(appCode(secret));
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await expect(page).toHaveURL(/\/dashboard/);

    await page.goto(security);
    await page.getByLabel('Require an authenticator app for everyone').uncheck();
    await page.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the app' }).click();
    await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
  });
  await page.context().close();
});

test('an untouched panel warns a minute before it locks, a press keeps it open, and its token is renewed before it ends', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  await page.clock.install();
  const warning = page.getByRole('alertdialog', { name: 'Are you still there?' });
  // The watch is loaded after the queue is shown, and counts from then.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('listbox')).toBeVisible();
    await page.waitForLoadState('networkidle');
    await page.clock.fastForward(14 * 60_000 + 5_000);
    await expect(warning.getByText('The panel hasn’t been used for a while.')).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 45_000 });
  await expectAccessible(page);
  const told = page.waitForRequest('**/api/session/active');
  // The way to the button does not close the warning: the press would land on what is behind it.
  await page.mouse.move(200, 200);
  await page.mouse.move(400, 300);
  await page.keyboard.press('Tab');
  await page.clock.fastForward(2_000);
  await expect(warning).toBeVisible();
  await warning.getByRole('button', { name: 'Stay signed in' }).click();
  await expect(warning).toBeHidden();
  await page.clock.fastForward(60_000);
  await told;

  const renewed = page.waitForRequest('**/api/session/refresh');
  await page.clock.fastForward(55 * 60_000);
  await renewed;
  await page.context().close();
});

test("a demo user can clear the browser's data", async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Email Address').fill('front@maple.example');
  await expect(page.getByRole('button', { name: 'Clear browser data' })).toBeHidden();
  await page.getByLabel('Email Address').fill('front@maple.test');
  await page.evaluate(() => localStorage.setItem('kept', 'yes'));
  await page.getByRole('button', { name: 'Clear browser data' }).click();
  await expect(page.getByText('Browser data cleared')).toBeVisible();
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
});

test('Google sign-in: declined, unverified, and as a new person', async ({ page }) => {
  const choose = async (account: string | RegExp) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Google' }).click();
    await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
    await page.getByRole('button', { name: account }).click();
  };
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Google' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Google' }).click();
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
  await expectAccessible(page);

  await choose('Refuse');
  await expect(page.getByText('Google was not allowed to tell us who you are.')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await expect(page.getByText('Sign in to your account to continue')).toBeVisible();

  await choose(/not verified/);
  await expect(page.getByText('Google has not verified that email address.')).toBeVisible();

  await choose('Somebody new');
  await expect(page.getByRole('heading', { name: 'Registration' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

/** With the code from the outbox, up to the dashboard or the given heading. */
async function signsIn(page: Page, heading?: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Email Address').fill(email);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByLabel('Verification Code').waitFor();
  await page.getByLabel('Verification Code').fill(await codeSentTo(page, email));
  if (heading) await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  else await expect(page).toHaveURL(/\/dashboard/);
}

/** The same person in Spanish, by phone number: codes to one address are sent at most every thirty seconds. */
async function signsInByPhone(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Usar número de celular' }).click();
  await page.getByLabel('Número de celular').fill('2125550104');
  await page.getByRole('button', { name: 'Iniciar sesión', exact: true }).click();
  await page.getByLabel('Código de verificación').waitFor();
  await page.getByLabel('Código de verificación').fill(await codeSentTo(page, '+12125550104'));
  await expect(page).toHaveURL(/\/dashboard/);
}

async function signsOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome!' })).toBeVisible();
}

async function phoneOf(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    locale: 'es-US',
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  });
  return context.newPage();
}

async function locks(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('menuitem', { name: 'Lock' }).click();
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible();
}

async function unlocksByCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Verification Code')).toBeVisible();
  await page.getByLabel('Verification Code').fill(await codeSentTo(page, email));
}

/** A device that stores passkeys and always verifies its user. */
async function withPasskeys(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** The authenticator app's current code (RFC 6238). */
function appCode(secret: string): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hmac = createHmac('sha1', key).update(counter).digest();
  const offset = (hmac.at(-1) as number) & 15;
  return String((hmac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}
