import { expect, test, type Locator } from '#e2e/helpers/journey.ts';
import { checkInPatient, selectPatient, openDesk, expectAccessible } from '#e2e/helpers/queue-desk.ts';

test('every state of the list passes axe', async ({ browser }) => {
  test.slow();
  const page = await openDesk(browser);
  await page.getByRole('option').first().click();
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  await expectAccessible(page);
  // A stage that is closed stays closed after a reload.
  const stage = page.getByRole('button', { name: /^Waiting \d+$/ }).and(page.locator('[aria-expanded]'));
  for (const state of ['false', 'true']) {
    const saved = page.waitForResponse('**/session/preferences');
    await stage.click();
    await saved;
    if (state === 'false') await page.reload();
    await expect(stage).toHaveAttribute('aria-expanded', state);
  }
  await page.getByRole('searchbox').fill('zzzz');
  await expect(page.getByText('No patients found')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByLabel('Previous day').click();
  await page.getByLabel('Previous day').click();
  await expect(page.getByText('Nobody checked in on this day')).toBeVisible();
  await expectAccessible(page);
});

test('a dialog keeps the page behind it inert, shows toasts above it and returns the focus', async ({ browser }) => {
  const page = await openDesk(browser);
  const opener = page.getByRole('button', { name: 'Text a patient' });
  const dialog = page.getByRole('dialog', { name: 'Text a patient' });
  const number = dialog.getByLabel('Mobile number');
  await opener.press('Enter');
  await expect(number).toBeFocused();
  await page.getByRole('searchbox').focus();
  await expect(number).toBeFocused();
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  // The second Escape without a click between them closes a native dialog whatever the page says.
  await opener.press('Enter');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  await opener.click();
  await page.route('**/api/appointments/addCheckin', (route) => route.fulfill({ status: 500, json: {} }));
  await number.fill('2125550142');
  await dialog.getByRole('button', { name: 'Send' }).click();
  const toast = page.getByRole('listitem').filter({ hasText: "We couldn't send your SMS invite" });
  await toast.getByRole('button', { name: 'Close' }).click();
  await expect(toast).toBeHidden();
  await expect(dialog).toBeVisible();
  await page.mouse.click(5, 300);
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  await page.setViewportSize({ width: 360, height: 740 });
  await opener.click();
  const cancel = await dialog.getByRole('button', { name: 'Cancel' }).boundingBox();
  expect(cancel!.y).toBeGreaterThan(620);
});

for (const viewport of [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
])
  test(`a toast covers no Send button at a width of ${viewport.width} px`, async ({ browser }) => {
    const page = await openDesk(browser, 'dana', { viewport });
    const toast = page
      .getByRole('region', { name: 'Notifications' })
      .getByRole('listitem')
      .filter({ hasNotText: 'has arrived' });
    const expectFree = async (button: Locator) => {
      await expect(toast).toBeVisible();
      const [above, below] = [await toast.boundingBox(), await button.boundingBox()];
      if (!above || !below) throw new Error('the toast or the button is not on screen');
      const isApart =
        above.x + above.width <= below.x ||
        below.x + below.width <= above.x ||
        above.y + above.height <= below.y ||
        below.y + below.height <= above.y;
      expect({ above, below, isApart }).toMatchObject({ isApart: true });
    };

    await page.getByRole('button', { name: 'Text a patient' }).click();
    const dialog = page.getByRole('dialog', { name: 'Text a patient' });
    await page.route('**/api/appointments/addCheckin', (route) => route.fulfill({ status: 500, json: {} }));
    await dialog.getByLabel('Mobile number').fill('2125550142');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expectFree(dialog.getByRole('button', { name: 'Send' }));
    await toast.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('Escape');

    const { name } = await checkInPatient(page, 'Toni');
    await selectPatient(page, name);
    const box = page.getByLabel('Message to patient');
    await box.fill('Room 3 is being cleaned');
    // Send at the bottom of the screen, where toasts used to be.
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.evaluate((button) => button.scrollIntoView({ block: 'end' }));
    await box.press('Control+Enter');
    await expectFree(send);
    await page.context().close();
  });

test('every dialog and menu passes axe', async ({ browser }) => {
  test.slow();
  const page = await openDesk(browser);
  const view = page.getByRole('button', { name: 'View' });
  await view.click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(view).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menu').locator('[role^=menuitem]').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menu').locator('[role^=menuitem]').last()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(view).toBeFocused();
  for (const key of ['?', 'n', 'Control+k']) {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('the dark queue passes axe', async ({ browser }) => {
  const page = await openDesk(browser, 'dana', { colorScheme: 'dark' });
  // A patient of its own: just after midnight the demo's morning may still be on its way.
  await selectPatient(page, (await checkInPatient(page, 'Nadia')).name);
  await expect(page.getByText('Patient Information')).toBeVisible();
  await expectAccessible(page);
});

test('the Spanish queue passes axe', async ({ browser }) => {
  const page = await openDesk(browser, 'luis');
  await expect(page.getByRole('tab', { name: 'En curso' })).toBeVisible();
  await selectPatient(page, (await checkInPatient(page, 'Noemí')).name);
  await expect(page.getByText('Información del paciente')).toBeVisible();
  await expectAccessible(page);
  // Of one patient, not of a list.
  await page.getByRole('button', { name: 'Quitar' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Se fue', 'No vino', 'Cancelado', 'Duplicado']);
});

test('an unknown URL leads to the start page, which says so; the person stays signed in', async ({ browser }) => {
  const page = await openDesk(browser);
  const lost = page.getByRole('alert').filter({ hasText: 'We couldn’t find that page.' });
  for (const path of ['/dashboard/nothing', '/nothing']) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(lost).toBeVisible();
    await expect(page.getByRole('listbox')).toBeVisible();
    await expectAccessible(page);
  }
  await lost.getByRole('button', { name: 'Close' }).press('Enter');
  await expect(lost).toBeHidden();

  const stranger = await (await browser.newContext()).newPage();
  expect((await stranger.goto('/nothing'))?.status()).toBe(404);
  await expect(stranger.getByRole('alert').filter({ hasText: 'We couldn’t find that page.' })).toBeVisible();
  await expect(stranger.getByLabel('Email Address')).toBeVisible();
  await expectAccessible(stranger);
});

test('a queue that cannot be loaded says so and is never shown as empty', async ({ browser }) => {
  const page = await openDesk(browser);
  await page.route('**/virtual-queue/{doctor,changes}**', (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await expect(page.getByText('The queue could not be loaded')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/virtual-queue/{doctor,changes}**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
});

test('the document itself never scrolls: header and tabs stay where they are', async ({ browser }) => {
  for (const width of [1366, 390]) {
    const page = await openDesk(browser, 'dana', { viewport: { width, height: 768 } });
    const isStill = async () => {
      const [whole, window] = await page.evaluate(() => [
        document.scrollingElement?.scrollHeight,
        document.documentElement.clientHeight,
      ]);
      expect(whole, `${page.url()} at ${width}`).toBe(window);
    };
    await isStill();
    await page.getByRole('option').first().click();
    await expect(page.getByLabel('Message to patient')).toBeVisible();
    await isStill();
    for (const path of ['/dashboard/forms', '/dashboard/settings/audit', '/dashboard/settings/forms']) {
      await page.goto(path);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('main').getByRole('button').first()).toBeVisible();
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      await isStill();
    }
    await page.context().close();
  }
});
