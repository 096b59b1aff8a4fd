import { randomInt } from 'node:crypto';
import { expect, test } from '#e2e/helpers/journey.ts';
import {
  signInOnNewBrowser,
  patientArrives,
  signAgreementOnScreen,
  signingFrame,
  tabTo,
} from '#e2e/helpers/new-practice.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

const newcomer = () => `qa${randomInt(1_000_000_000)}@newcomer.test`;

test('a newcomer registers and reaches the live queue by mouse; closed at any step, it resumes there', async ({
  page,
  browser,
}) => {
  test.setTimeout(90_000);
  const email = newcomer();
  await page.goto('/dashboard/settings/queue');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Welcome!' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'HIPAA signing' })).toBeVisible();
  await page.getByLabel('Email Address').fill(email);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByLabel('Verification Code')).toBeVisible();
  await page.getByLabel('Verification Code').fill(await codeSentTo(page, email));

  await expect(page.getByRole('heading', { name: 'Registration' })).toBeVisible();
  const step = page.locator('[aria-current="step"]');
  await expect(step).toContainText('Office details');
  await expectAccessible(page);
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/');
  await page.getByRole('button', { name: 'Add a new address' }).click();
  await page.getByLabel('Address of practice').fill(`${randomInt(1, 100_000)} Test Road`);
  await page.getByLabel('City').fill('Albany');
  await page.getByLabel('State').selectOption('NY');
  await page.getByLabel('ZIP code').fill('12207');
  await page.getByLabel('My practice has no NPI yet').check();
  await page.getByLabel('Office name').fill('Birch Family Care');
  await page.getByLabel('IT contact').fill('it@newcomer.test');
  await page.getByLabel('Management software').selectOption('AthenaOne');
  await page.getByLabel('Number of patients').selectOption('501-1000');
  await page.getByLabel('Adults').check();
  await page.getByRole('button', { name: 'Next Step' }).click();

  await expect(step).toContainText('HIPAA signing');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Correct the details' }).click();
  await expect(step).toContainText('Office details');
  await page.getByLabel('Office name').fill('Birch Family Clinic');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Agreement between Birch Family Clinic and Anteroom')).toBeVisible();
  const other = await signInOnNewBrowser(browser, page);
  await other.goto('/dashboard');
  await expect(other.locator('[aria-current="step"]')).toContainText('HIPAA signing');
  await signAgreementOnScreen(page);

  await expect(page.getByText('Do you want to enable payments for your patients?')).toBeVisible();
  await expect(step).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: 'HIPAA signing, done' })).toBeVisible();
  await expectAccessible(page);
  await expect(other.getByRole('heading', { name: 'Payments Feature' })).toBeVisible();
  await page.getByRole('button', { name: 'Yes I Want' }).click();
  await expect(page).toHaveURL(/\/apply$/);
  await expect(page.getByRole('heading', { name: 'Collect Payments Through the Anteroom App' })).toBeVisible();
  await page.getByRole('link', { name: 'Check-in' }).click();

  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByText("You don't have any patients waiting yet.")).toBeVisible();
  await page.getByRole('button', { name: 'Profile' }).click();
  await expect(page.getByText(/^NPI 9\d{9} \(provisional\)$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await other.reload();
  await expect(other).toHaveURL(/\/dashboard/);
  const stepNamed = (name: string) => page.getByRole('heading', { level: 3, name });
  await test.step('the first steps, and sample patients to practice with', async () => {
    await expect(page.getByText('0 of 5 done')).toBeVisible();
    await expect(page.getByAltText('Code that opens the check-in page')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Practice with sample patients' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Ava Sample' })).toBeVisible();
    await page.getByRole('button', { name: 'Invite Patient' }).click();
    await expect(page.getByText('we are ready for you. Please come in now.')).toBeVisible();
    await expect(page.getByText('On my way!')).toBeVisible();
    await page.getByRole('button', { name: 'Move to History', exact: true }).click();
    await page.getByRole('button', { name: /Ben Sample/ }).click();
    await page.getByRole('button', { name: 'Request 2 missing forms' }).click();
    await expect(page.getByText('All forms are complete.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove samples' }).click();
    await expect(page.getByText('Sample patients', { exact: true })).toHaveCount(0);
    // Nothing of it happened.
    await page.reload();
    await expect(page.getByText('0 of 5 done')).toBeVisible();
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    await expect(stepNamed('Turn on the arrival sound (done)')).toBeVisible();
  });
  await patientArrives(page, 'Ada');
  await expect(stepNamed('Try it on your phone (done)')).toBeVisible();
  await page.getByRole('button', { name: 'Close the first steps' }).click();
  await expect(page.getByText('Get your first patient in')).toHaveCount(0);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitem', { name: 'First steps' }).click();
  await expect(page.getByText('2 of 5 done')).toBeVisible();
  for (const desk of [page, other])
    await expect(desk.getByRole('option').filter({ hasText: 'Ada Byron' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/dashboard/no-such-room');
  await expect(page).toHaveURL(/\/dashboard$/);
  expect((await page.goto('/no-such-page'))?.status()).toBe(404);
  await expect(page).toHaveURL(/\/dashboard$/);
  await other.context().close();
});

test('a newcomer registers by keyboard alone, in Spanish, in the dark', async ({ browser }) => {
  test.setTimeout(90_000);
  const context = await browser.newContext({ locale: 'es-US', colorScheme: 'dark' });
  const page = await context.newPage();
  const email = newcomer();
  await page.goto('/');
  await expect(page.getByLabel('Correo electrónico')).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Código de verificación')).toBeFocused();
  await page.keyboard.type(await codeSentTo(page, email));

  await expect(page.getByRole('heading', { name: 'Registro' })).toBeFocused();
  const type = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  };
  await tabTo(page, page.getByRole('button', { name: 'Agregar una dirección nueva' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Dirección del consultorio')).toBeFocused();
  await page.keyboard.type(`${randomInt(1, 100_000)} Calle de Prueba`);
  await type('Ciudad', 'El Paso');
  await type('Estado', 'Texas');
  await type('Código postal', '79901');
  await tabTo(page, page.getByLabel('Mi consultorio todavía no tiene NPI'));
  await page.keyboard.press('Space');
  await type('Nombre del consultorio', 'Clínica Abedul');
  await type('Contacto de informática', '915 555 0100');
  await type('Software de gestión', 'N/A');
  await type('Cantidad de pacientes', 'De 1 a');
  await tabTo(page, page.getByLabel('Niños'));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Siguiente paso' }));
  await page.keyboard.press('Enter');

  await expect(page.locator('[aria-current="step"]')).toContainText('Firma de HIPAA');
  await expectAccessible(page);
  await tabTo(page, page.getByRole('button', { name: 'Leer y firmar' }));
  await page.keyboard.press('Enter');
  const frame = signingFrame(page, 'es');
  await tabTo(page, frame.getByLabel('Su nombre completo'));
  await page.keyboard.type('Noor Haddad');
  await tabTo(page, frame.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await tabTo(page, frame.getByRole('button', { name: 'Firmar', exact: true }));
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(/\/dashboard/);
  await patientArrives(page, 'Inés');
  await expect(page.getByRole('option').filter({ hasText: 'Inés Byron' })).toBeVisible();
  await expectAccessible(page);
  await context.close();
});

test('an invited newcomer sees the invitation first, on a phone in Spanish, and joins, declines, or registers instead', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const inviter = await browser.newContext({ storageState: sessionFileOf(staff.ruth) });
  await inviter.clearCookies({ name: /anteroom$/ });
  const desk = await inviter.newPage();
  await desk.goto('/');
  await desk.getByLabel('Email Address').fill(staff.ruth);
  await desk.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(desk.getByLabel('Verification Code')).toBeVisible();
  await desk.getByLabel('Verification Code').fill(await codeSentTo(desk, staff.ruth));
  await expect(desk).toHaveURL(/\/dashboard/);
  await desk.goto('/dashboard/settings/team');
  const [joins, declines] = [newcomer(), newcomer()];
  for (const email of [joins, declines]) {
    await desk.getByLabel('Email Address').fill(email);
    await desk.getByRole('button', { name: 'Send invitation' }).click();
    await expect(desk.getByRole('main').getByRole('listitem').filter({ hasText: email })).toBeVisible();
  }
  const members = await desk.getByRole('button', { name: /^More about / }).count();

  const signsIn = async (email: string) => {
    const context = await browser.newContext({
      locale: 'es-US',
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    await page.goto('/');
    await page.getByLabel('Correo electrónico').fill(email);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Código de verificación')).toBeVisible();
    await page.getByLabel('Código de verificación').fill(await codeSentTo(page, email));
    await expect(page.getByRole('heading', { level: 1, name: 'Tiene una invitación' })).toBeVisible();
    await expect(page.getByText('NPI')).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    return page;
  };

  const no = await signsIn(declines);
  await no.getByRole('button', { name: 'Registrar mi propio consultorio' }).click();
  await expect(no.getByRole('heading', { name: 'Registro' })).toBeVisible();
  await no.reload();
  await expect(no.getByRole('heading', { name: 'Registro' })).toBeVisible();
  await no.goto('/');
  await no.getByRole('button', { name: /^Rechazar/ }).click();
  await expect(no.getByRole('heading', { level: 1, name: 'Rechazó la invitación' })).toBeVisible();
  await expect(no.getByText('no podrá agregarle a menos que vuelva a invitarle')).toBeVisible();
  await expect(no.getByRole('button', { name: /^Unirse/ })).toHaveCount(0);
  await expect(no.getByRole('button', { name: 'Cerrar sesión' })).toHaveCount(1);
  await expectAccessible(no);
  await no.getByRole('button', { name: 'Registrar un consultorio' }).click();
  await expect(no.getByRole('heading', { name: 'Registro' })).toBeVisible();
  await expect(desk.getByRole('main').getByRole('listitem').filter({ hasText: declines })).toHaveCount(0);

  const yes = await signsIn(joins);
  expect(await desk.getByRole('button', { name: /^More about / }).count()).toBe(members);
  await yes.getByRole('button', { name: /^Unirse a/ }).click();
  await expect(yes).toHaveURL(/\/(dashboard|sms-dashboard)/);
  await expect(desk.getByRole('button', { name: `More about ${joins.split('@')[0]}` })).toBeVisible();
  for (const page of [no, yes]) await page.context().close();
  await desk.getByRole('button', { name: `More about ${joins.split('@')[0]}` }).click();
  await desk.getByRole('menuitem', { name: 'Remove from this practice' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(desk.getByRole('button', { name: `More about ${joins.split('@')[0]}` })).toBeHidden();
  await inviter.close();
});

test('a visitor requests a demonstration, and the operator gets an email', async ({ page }) => {
  const practice = `Elm Street ${randomInt(1_000_000_000)}`;
  await page.goto('/');
  await expect(page.getByText('The zero-contact patient check-in app')).toBeVisible();
  await page.getByRole('button', { name: 'Request Demo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request Demo' });
  await expect(dialog.getByLabel('Your name')).toBeFocused();
  await dialog.getByRole('button', { name: 'Request Demo' }).click();
  await expect(dialog.getByText('Please enter the name of your practice')).toBeVisible();
  await expect(dialog.getByLabel('Your name')).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel('Your name').fill('Noor Haddad');
  await dialog.getByLabel('Practice', { exact: true }).fill(practice);
  await dialog.getByLabel('Email Address').fill('noor@elm.test');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Thank you!' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Request Demo' })).toBeFocused();
  const toOperator = async () => {
    const answer = await page.request.get('/dev/outbox.json', { params: { to: 'operator@anteroom.test' } });
    return JSON.stringify(await answer.json());
  };
  await expect.poll(toOperator, { timeout: 15_000 }).toContain(practice);
});
