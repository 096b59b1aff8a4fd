import axe from 'axe-core';
import { randomInt } from 'node:crypto';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { waitForCode } from '#e2e/helpers/fresh-sign-in.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { checkInPatient, openDesk, expectAccessible } from '#e2e/helpers/queue-desk.ts';

const newcomer = () => `qa${randomInt(1_000_000_000)}@newcomer.test`;

/** Goes up to the code form. */
async function askForCode(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Welcome!' })).toBeVisible();
  await page.getByLabel('Email Address').fill(email);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText(`Enter the confirmation code sent to ${email}`)).toBeVisible();
}

test('signing in by email loses nothing typed, and submits after six digits', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText('Sign in to your account to continue')).toBeVisible();
  await expect(page.getByText('Patients check in from their car')).toBeVisible();
  await expect(page.getByText('Enter your work email and we’ll set up your practice')).toBeVisible();
  await expect(page.getByText('HIPAA agreement included')).toBeVisible();
  await expect(page.getByText('Patients install nothing.')).toBeVisible();
  await expect(page.getByText('From $99 a month per provider')).toBeVisible();
  await expect(page.getByText('14 days free, no card')).toBeVisible();
  await page.getByLabel('Pause').check();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Take the tour' }).click();
  await page.getByRole('link', { name: 'See the demo queue' }).first().click();
  for (const press of ["I'm here", 'Invite Patient', 'On my way', "I'm in"])
    await page.getByRole('button', { name: press }).click();
  await expect(page.getByRole('button', { name: /^Ana Rivera.*Done!$/ })).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await page.goBack();
  // A practice that starts here keeps what it typed, and may find that it has an account.
  await page.getByLabel('Email Address').fill('front maple');
  await page.getByRole('link', { name: 'Set up my practice' }).click();
  await expect(page.getByLabel('Email Address')).toBeFocused();
  await expect(page.getByLabel('Email Address')).toHaveValue('front maple');
  await expect(page.getByRole('button', { name: 'Passkey' })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set up my practice' }).click();
  await expect(page.getByText('Invalid email')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.goto('/tour');
  await page.getByRole('link', { name: 'Open a demo office (no sign-up)' }).click();
  await expect(page.getByLabel('Email Address')).toHaveValue('front@maple.test');
  await expect(page.getByRole('link', { name: 'Open the outbox' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/');
  await expect(page.getByText('Sign in to your account to continue')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Invalid email')).toBeVisible();
  await expect(page.getByLabel('Email Address')).toBeFocused();
  await expectAccessible(page);

  await page.context().setOffline(true);
  await page.getByLabel('Email Address').fill('front@cedar.test');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await page.context().setOffline(false);
  await waitForCode(page);

  await expect(page.getByText('Enter the confirmation code sent to front@cedar.test')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^Code expires in 0[23]:\d\d$/);
  const code = await codeSentTo(page, 'front@cedar.test');
  await page.getByLabel('Verification Code').fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
  await expect(page.getByText('Incorrect confimation code')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText('Incorrect confimation code')).toBeHidden({ timeout: 4_000 });

  await page.getByRole('button', { name: 'Use another email address' }).click();
  await expect(page.getByLabel('Email Address')).toHaveValue('front@cedar.test');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByLabel('Verification Code').focus();
  await page.keyboard.insertText(` ${code.slice(0, 3)} ${code.slice(3)}`);
  // This practice works in the SMS dashboard.
  await expect(page).toHaveURL(/\/sms-dashboard$/);
});

test('signing in by mobile number as a newcomer, in Spanish, in the dark, on a small phone', async ({ browser }) => {
  const context = await browser.newContext({
    locale: 'es-US',
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  const phone = newPhone();
  await page.goto('/tour');
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  // Who wants no motion can try the queue too.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const tryOut = page.locator('#try');
  await tryOut.getByRole('button', { name: 'Ya llegué' }).click();
  await expect(tryOut.getByText('Su llegada está registrada')).toBeVisible();
  await page.emulateMedia({ reducedMotion: null });
  await page.getByRole('link', { name: 'Configurar mi consultorio' }).first().click();
  await page.getByRole('button', { name: 'Usar número de celular' }).click();
  await page.getByLabel('Número de celular').fill(phone.slice(0, 7));
  await page.getByRole('button', { name: 'Configurar mi consultorio' }).click();
  await expect(page.getByText('Número de teléfono no válido')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Número de celular').fill(phone);
  await page.getByRole('button', { name: 'Configurar mi consultorio' }).click();
  await expect(page.getByLabel('Código de verificación')).toHaveAttribute('autocomplete', 'one-time-code');
  await expectAccessible(page);
  await page.getByLabel('Código de verificación').fill(await codeSentTo(page, `+1${phone}`));
  await expect(page.getByRole('heading', { name: 'Registro' })).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await expect(page.getByRole('heading', { name: '¡Bienvenido!' })).toBeVisible();
  await context.close();
});

test('an expired code says so, and another one can be requested', async ({ page }) => {
  await page.clock.install();
  await askForCode(page, newcomer());
  await expect(page.getByRole('button', { name: 'Re-send code' })).toHaveAttribute('aria-disabled', 'true');
  await page.clock.fastForward(181_000);
  await expect(page.getByText("Code expired - click 're-send code'")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Re-send code' })).toBeEnabled();
  await expectAccessible(page);
});

test('too many guesses use a code up; a busy server is explained', async ({ page }) => {
  await askForCode(page, newcomer());
  const field = page.getByLabel('Verification Code');
  await page.route('**/api/sign-in/verify', (route) => route.fulfill({ status: 503, body: '' }));
  await field.fill('111111');
  await expect(page.getByText('The server is not available right now.')).toBeVisible();
  await expect(field).toHaveValue('111111');
  await page.unroute('**/api/sign-in/verify');
  for (let guess = 0; guess < 6; guess++) {
    const answered = page.waitForResponse('**/api/sign-in/verify');
    await field.fill(`00000${guess}`);
    await answered;
  }
  await expect(page.getByText("Too many tries with this code - click 're-send code'")).toBeVisible();
});

test('the lock leaves no patient data on the screen, rings without a name, and resumes where it was', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const { name } = await checkInPatient(page, 'Ines');
  await page.getByRole('searchbox').fill(name);
  await expect(page.getByRole('option').filter({ hasText: name })).toBeVisible();
  await page.getByRole('tab', { name: 'History' }).click();
  const left = page.url();

  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('menuitem', { name: 'Lock' }).click();
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeFocused();
  expect(await page.content()).not.toContain(name);
  const count = page.getByText(/^\d+ patients? (is|are) waiting$/);
  const before = Number.parseInt((await count.textContent()) ?? '', 10);
  await checkInPatient(page, 'Omar');
  await expect(page.getByText(`${before + 1} patients are waiting`)).toBeVisible();
  await expect(page.getByText('1 patient has arrived')).toBeVisible();
  expect(await page.content()).not.toContain('Omar');
  await expectAccessible(page);

  await page.reload();
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByText('Enter the confirmation code sent to f•••@maple.test')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Verification Code').fill(await codeSentTo(page, 'front@maple.test'));
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  expect(page.url()).toBe(left);
  await page.context().close();
});

test('signing out takes effect in every tab at once, and Back shows nothing', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await askForCode(page, 'front@summit.test');
  await page.getByLabel('Verification Code').fill(await codeSentTo(page, 'front@summit.test'));
  await expect(page).toHaveURL(/\/dashboard/);
  const other = await context.newPage();
  await other.goto('/dashboard');
  await expect(other.getByRole('button', { name: 'Profile' })).toBeVisible();

  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: 'Welcome!' })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome!' })).toBeVisible();
  // Somebody signed in with this browser before: the form without the moving picture.
  await expect(page.getByLabel('Pause')).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Profile' })).toBeHidden();
  expect(await other.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(/test|office/);
  await context.close();
});

test('the page of the API has enough contrast in light and dark', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/api/docs');
    await page.locator('.opblock').first().waitFor();
    await page.evaluate(axe.source);
    // Only what our colors decide: how its buttons are nested is Swagger's. One call of each method: the 200 others look the same.
    const violations = await page.evaluate(async () => {
      const { axe: axeOfPage } = window as unknown as { axe: typeof axe };
      const methods = ['get', 'post', 'put', 'patch', 'delete'].map((method) => `.opblock-${method}`);
      const ofEach = methods.map((method) => document.querySelector(method)).filter((call) => call !== null);
      const around = document.querySelectorAll('.information-container, .opblock-tag');
      const found = await axeOfPage.run(
        { include: [...ofEach, ...around] },
        { runOnly: ['color-contrast'], resultTypes: ['violations'] },
      );
      return found.violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 160)));
    });
    expect(violations).toEqual([]);
  }
});
