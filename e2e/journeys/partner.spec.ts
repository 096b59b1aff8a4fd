import { randomInt } from 'node:crypto';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import {
  signInOnNewBrowser,
  patientArrives,
  signAgreementOnScreen,
  signingFrame,
  tabTo,
} from '#e2e/helpers/new-practice.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';

const newcomer = () => `qa${randomInt(1_000_000_000)}@birch.test`;

async function fillDetails(page: Page, email: string, name = 'Birch Pediatrics'): Promise<void> {
  await page.getByLabel('Practice name').fill(name);
  await page.getByLabel('Address', { exact: true }).fill(`${randomInt(1, 100_000)} Birch Lane`);
  await page.getByLabel('City').fill('Albany');
  await page.getByLabel('State').selectOption('NY');
  await page.getByLabel('ZIP code').fill('12207');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Practice management software').selectOption('Epic');
}

/** Opens the signing with a page in place of Dropbox Sign's, which reports an error as theirs does. */
async function providerReportsError(page: Page): Promise<void> {
  const url = new URL('/signing-with-error', page.url()).href;
  await page.route(url + '*', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<script>parent.postMessage({ type: 'hellosign:error', payload: { code: 'signature_request_not_found' } }, '*')</script>`,
    }),
  );
  await page.route('**/retrieve', (route) =>
    route.fulfill({
      json: {
        status: 'URL_RETRIEVED',
        url,
        expiresAt: null,
        client: { kind: 'dropbox-sign', clientId: 'client', skipDomainVerification: true },
      },
    }),
  );
  await page.getByRole('button', { name: /^(Read and sign|Continue signing)$/ }).click();
  await page.waitForURL('/chadis/error');
  await page.unroute('**/retrieve');
}

/** A new location that cannot be registered leads back to its form, whose answers are called saved only if they are. */
async function failNewLocation(page: Page): Promise<void> {
  const next = page.getByRole('button', { name: 'Next' });
  await page.route('**/partner/chadis/details', (route) => route.fulfill({ status: 500, body: '' }));
  await page.route('**/partner/chadis/application', (route) => route.fulfill({ status: 500, body: '' }));
  for (const isSaved of [false, true]) {
    await next.click();
    await expect(page).toHaveURL('/chadis/error');
    await expect(page.getByText('Your answers are saved.')).toHaveCount(isSaved ? 1 : 0);
    await page.unroute('**/partner/chadis/application');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page).toHaveURL('/chadis');
    await page.getByLabel('City').fill('Troy');
  }
  await page.unroute('**/partner/chadis/details');
}

test("a partner's practice registers by mouse: the code, the agreement, another location, the live queue", async ({
  page,
  browser,
}) => {
  test.setTimeout(90_000);
  const email = newcomer();
  await page.goto('/chadis/laststep');
  await expect(page).toHaveURL('/');
  await page.goto('/chadis');
  await expect(page.getByRole('heading', { name: 'Welcome!' })).toBeVisible();
  await expect(page.getByText('CHADIS').first()).toBeVisible();
  const next = page.getByRole('button', { name: 'Next' });
  await expect(next).toBeDisabled();
  await expectAccessible(page);
  await page.getByLabel('City').focus();
  await page.getByLabel('ZIP code').focus();
  await expect(page.getByText("Please enter your practice's city")).toBeVisible();
  await fillDetails(page, 'birch');
  await next.click();
  await expect(page.getByText('Please enter your email address')).toBeVisible();
  await expect(page.getByLabel('Email Address')).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel('Email Address').fill(email);
  await next.click();

  await expect(page.getByText(`Enter the confirmation code sent to ${email}`)).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^Code expires in 0[23]:\d\d$/);
  await expect(page.getByRole('button', { name: 'Re-send code' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  const code = await codeSentTo(page, email);
  await page.getByLabel('Verification Code').fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
  await expect(page.getByText('Incorrect confimation code')).toBeVisible();
  await page.reload();
  await expect(page.getByText(`Enter the confirmation code sent to ${email}`)).toBeVisible();
  await page.getByLabel('Verification Code').fill(code);

  await expect(page).toHaveURL('/chadis/signhipaa');
  await expectAccessible(page);
  const other = await signInOnNewBrowser(browser, page);
  await other.goto('/');
  await expect(other).toHaveURL('/chadis/signhipaa');
  await other.context().close();

  await page.route('**/retrieve', (route) => route.fulfill({ status: 503, body: '' }));
  await page.getByRole('button', { name: 'Read and sign' }).click();
  await expect(page).toHaveURL('/chadis/error');
  await expect(
    page.getByRole('heading', { name: 'Oops! Something went wrong, please refresh the page or try again' }),
  ).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText('Your answers are saved.')).toBeVisible();
  await page.unroute('**/retrieve');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveURL('/chadis/signhipaa');
  await providerReportsError(page);
  await expect(page).toHaveURL('/chadis/error');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveURL('/chadis/signhipaa');
  await signAgreementOnScreen(page);

  await expect(page).toHaveURL('/chadis/laststep');
  await expect(page.getByRole('heading', { name: 'Congratulations!' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add New Location' }).click();
  await expect(page.getByRole('heading', { name: 'Registration' })).toBeVisible();
  await expect(page.getByLabel('Email Address')).toHaveValue(email);
  await expect(page.getByLabel('Practice name')).toHaveValue('');
  await fillDetails(page, email, 'Birch Pediatrics North');
  await failNewLocation(page);
  await expect(page.getByLabel('Practice name')).toHaveValue('Birch Pediatrics North');
  await next.click();
  await expect(page).toHaveURL(/\/chadis\/signhipaa/);
  await signAgreementOnScreen(page);
  await expect(page.getByText('Birch Pediatrics North is ready to use')).toBeVisible();
  await page.getByRole('button', { name: 'Go to dashboard' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByText("You don't have any patients waiting yet.")).toBeVisible();
});

test('an email address in use is reported only after the right code; a failure in between loses nothing', async ({
  page,
}) => {
  await page.goto('/chadis');
  await fillDetails(page, 'luis@maple.test');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByLabel('Verification Code')).toBeVisible();
  await page.getByLabel('Verification Code').fill(await codeSentTo(page, 'luis@maple.test'));
  await expect(page.getByText('This mail is being used by another office')).toBeVisible();
  await expect(page.getByLabel('Email Address')).toBeFocused();
  await expect(page.getByLabel('Practice name')).toHaveValue('Birch Pediatrics');
  await expectAccessible(page);

  await page.getByLabel('Email Address').fill(newcomer());
  await page.getByRole('button', { name: 'Next' }).click();
  await page.route('**/confirm', (route) => route.fulfill({ status: 500, body: '' }));
  await page.getByLabel('Verification Code').fill('123456');
  await expect(page).toHaveURL('/chadis/error');
  await page.unroute('**/confirm');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Verification Code')).toBeVisible();
});

test('a partner registration closed before the code resumes after any sign-in, and links to the regular registration', async ({
  page,
}) => {
  const email = newcomer();
  await page.route('**/partner/chadis/application', (route) =>
    route.fulfill({
      json: {
        addressLine1: '7 Birch Lane',
        city: 'Albany',
        state: 'NY',
        zip: '12207',
        name: 'Birch',
        email,
        emr: 'Epic',
      },
    }),
  );
  await page.goto('/');
  await page.getByLabel('Email Address').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Verification Code')).toBeVisible();
  await page.getByLabel('Verification Code').fill(await codeSentTo(page, email));
  await expect(page).toHaveURL('/chadis');
  await expect(page.getByLabel('City')).toHaveValue('Albany');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Register without CHADIS' }).click();
  await expect(page.getByRole('button', { name: 'Next Step' })).toBeVisible();
});

test("a partner's practice registers by keyboard alone, in Spanish, in the dark, on a small phone", async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const context = await browser.newContext({
    locale: 'es-US',
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  const email = newcomer();
  await page.goto('/chadis');
  await expect(page.getByLabel('Nombre del consultorio')).toBeFocused();
  await page.keyboard.type('Pediatría Abedul');
  const type = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  };
  await type('Dirección', `${randomInt(1, 100_000)} Calle Abedul`);
  await type('Ciudad', 'Ponce');
  await type('Estado', 'Puerto');
  await type('Código postal', '00716');
  await type('Correo electrónico', email);
  await type('Software de gestión del consultorio', 'Office');
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await tabTo(page, page.getByRole('button', { name: 'Siguiente' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Código de verificación')).toBeFocused();
  await page.keyboard.type(await codeSentTo(page, email));

  await expect(page).toHaveURL('/chadis/signhipaa');
  await tabTo(page, page.getByRole('button', { name: 'Leer y firmar' }));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.keyboard.press('Enter');
  const frame = signingFrame(page, 'es');
  await tabTo(page, frame.getByLabel('Su nombre completo'));
  await page.keyboard.type('Noor Haddad');
  await tabTo(page, frame.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await tabTo(page, frame.getByRole('button', { name: 'Firmar', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: '¡Felicitaciones!' })).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, page.getByRole('button', { name: 'Ir al panel' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard/);
  await patientArrives(page, 'Luz');
  await expect(page.getByRole('option').filter({ hasText: 'Luz Byron' })).toBeVisible();
  await context.close();
});
