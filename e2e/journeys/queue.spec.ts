import { expect, test, type Locator } from '#e2e/helpers/journey.ts';
import { checkInPatient, cardOf, selectPatient, openDesk, expectAccessible } from '#e2e/helpers/queue-desk.ts';

test('an arrival shows on both desks without a reload, and an invite from one reaches the other', async ({
  browser,
}) => {
  const dana = await openDesk(browser);
  const luis = await openDesk(browser, 'luis');
  const { name } = await checkInPatient(dana, 'Ava');
  for (const page of [dana, luis]) {
    await page.getByRole('searchbox').fill(name);
    await expect(cardOf(page, name)).toBeVisible();
  }
  await expect(dana.getByText(`${name} has arrived`)).toBeAttached();
  await expect(dana.getByRole('button', { name: '1 new' })).toBeVisible();

  await selectPatient(dana, name);
  await dana.getByRole('button', { name: 'Invite Patient' }).click();
  await expect(dana.getByText('The invitation was sent to the patient')).toBeVisible();
  await expect(dana.getByRole('button', { name: '1 new' })).toBeHidden();
  await expect(cardOf(dana, name)).toContainText('Invited');
  await expect(cardOf(luis, name)).toContainText('Invitado');
});

test('the invite button rests for four seconds and never turns into another one under the pointer', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const { name } = await checkInPatient(page, 'Ben');
  await selectPatient(page, name);
  const invite = page.getByRole('button', { name: 'Invite Patient' });
  const place = await invite.boundingBox();
  await invite.dblclick();
  await expect(invite).toHaveAttribute('aria-disabled', 'true');
  await expect(cardOf(page, name)).toContainText('Invited');
  await expect(invite).toBeHidden();
  await expect(page.getByRole('button', { name: 'Reinvite' })).toBeVisible();
  const finish = page.getByRole('button', { name: 'Move to History', exact: true });
  await expect(finish).toHaveAccessibleDescription('Move to History · Seen');
  for (const other of await page.getByRole('group', { name: 'Next step' }).getByRole('button').all()) {
    const box = await other.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(place!.x);
  }
});

test('two people invite the same patient: one text is sent, and the other person sees who was first', async ({
  browser,
}) => {
  const dana = await openDesk(browser);
  const luis = await openDesk(browser, 'luis');
  const { name, phone } = await checkInPatient(dana, 'Cora');
  await selectPatient(dana, name);
  await selectPatient(luis, name);
  // Dana's desk does not learn of it in time.
  await dana.route('**/virtual-queue/{doctor,changes}**', (route) => route.abort());
  await luis.getByRole('button', { name: 'Invitar al paciente' }).click();
  await expect(cardOf(luis, name)).toContainText('Invitado');
  await dana.getByRole('button', { name: 'Invite Patient' }).click();
  await expect(cardOf(dana, name)).toContainText('Not invited. Luis Herrera already updated this patient');
  await expect(
    dana.getByRole('region', { name: 'Patient' }).getByText('Luis Herrera already updated this patient').first(),
  ).toBeVisible();

  const sent = (await (await dana.request.get('/dev/outbox.json', { params: { to: phone } })).json()) as unknown[];
  expect(sent).toHaveLength(1);
});

test('after a move to History the next card is selected, and Undo brings the patient back', async ({ browser }) => {
  const page = await openDesk(browser);
  const family = `Qdelta${Date.now() % 1_000_000}`;
  const first = await checkInPatient(page, 'Dora', family);
  const second = await checkInPatient(page, 'Eli', family);
  await selectPatient(page, first.name);
  await page.getByRole('searchbox').fill(family);
  await page.getByRole('button', { name: 'Invite Patient' }).click();
  await page.getByRole('button', { name: 'Move to History', exact: true }).click();
  await expect(cardOf(page, first.name)).toBeHidden();
  await expect(cardOf(page, second.name)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('listbox')).toBeFocused();
  await expect(page.getByText(`${first.name} moved to History`)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cardOf(page, first.name)).toContainText('Invited');
  await expect(cardOf(page, first.name)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText(`${first.name} moved back to Checkin`)).toBeVisible();

  await page.getByRole('button', { name: 'Move to History with another reason' }).click();
  await page.getByRole('menuitem', { name: 'No-show' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(cardOf(page, first.name)).toContainText('No-show');
  await cardOf(page, first.name).click();
  await page.getByRole('button', { name: 'Move back' }).click();
  await expect(page.getByRole('tab', { name: 'Checkin' })).toHaveAttribute('aria-selected', 'true');
  await expect(cardOf(page, first.name)).toContainText('Invited');
  await expect(cardOf(page, first.name)).toHaveAttribute('aria-selected', 'true');

  await cardOf(page, second.name).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Left', 'No-show', 'Canceled', 'Duplicate']);
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByText(`${second.name} removed`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1);
});

test('a removed patient who is brought back stands in their own stage again', async ({ browser }) => {
  const page = await openDesk(browser);
  const called = await checkInPatient(page, 'Cora');
  await selectPatient(page, called.name);
  await page.getByRole('button', { name: 'Invite Patient' }).click();
  await expect(cardOf(page, called.name)).toContainText('Invited');
  const { name } = await checkInPatient(page, 'Wim');
  await selectPatient(page, name);
  await page.getByRole('searchbox').fill('');
  await page.mouse.move(900, 300);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Left' }).click();
  await expect(cardOf(page, name)).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(cardOf(page, name)).toHaveAttribute('aria-selected', 'true');
  const topOf = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN;
  const heading = page.getByRole('button', { name: /^Called \d+$/ }).last();
  await expect.poll(async () => (await topOf(cardOf(page, name))) < (await topOf(heading))).toBe(true);
});

test('a message is sent and its delivery shown; a draft stays with its patient', async ({ browser }) => {
  const page = await openDesk(browser);
  const { name, phone } = await checkInPatient(page, 'Finn');
  const other = await checkInPatient(page, 'Gia');
  await selectPatient(page, name);
  const box = page.getByLabel('Message to patient');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await box.fill('Room 3 is being cleaned');
  await selectPatient(page, other.name);
  await expect(box).toHaveValue('');
  await selectPatient(page, name);
  await expect(box).toHaveValue('Room 3 is being cleaned');

  await page.route('**/onemd/api/v2/message/**', (route) => route.abort());
  await box.press('Control+Enter');
  await expect(page.getByText('The message was not sent').first()).toBeVisible();
  await expect(box).toHaveValue('Room 3 is being cleaned');
  await page.unroute('**/onemd/api/v2/message/**');
  await box.press('Control+Enter');
  // The specification's sentence stands by itself; the name is on a line of its own.
  await expect(page.getByText('The message was sent to the patient', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText(name, { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Conversation' })).toContainText('Delivered');

  const sent = (await (await page.request.get('/dev/outbox.json', { params: { to: phone } })).json()) as {
    body: string;
  }[];
  expect(sent.filter(({ body }) => body.includes('Room 3'))).toHaveLength(1);

  await page.getByRole('button', { name: 'Snippets' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Running late/ })
    .click();
  await expect(box).toHaveValue(/^We're running \d+ minutes late\.$/);
  await expect(page.getByText(/^\d+ characters · 1 text$/)).toBeVisible();
});

test('the queue works by keyboard alone: find, invite, write, move to History, undo', async ({ browser }) => {
  const page = await openDesk(browser);
  const { name } = await checkInPatient(page, 'Hana');
  await page.keyboard.press('/');
  await page.keyboard.type(name);
  await expect(cardOf(page, name)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
  await page.keyboard.press('i');
  await expect(cardOf(page, name)).toContainText('Invited');
  await page.keyboard.press('m');
  await expect(page.getByLabel('Message to patient')).toBeFocused();
  await page.keyboard.type('jk?/');
  await expect(page.getByLabel('Message to patient')).toHaveValue('jk?/');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeFocused();
  await page.keyboard.press('h');
  await expect(cardOf(page, name)).toBeHidden();
  await page.keyboard.press('Control+z');
  await expect(cardOf(page, name)).toBeVisible();

  const called = page.getByRole('group', { name: 'Show one stage' }).getByRole('button', { name: 'Called 1' });
  await page.keyboard.press('3');
  await expect(called).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('3');
  await expect(called).toHaveAttribute('aria-pressed', 'false');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('initials');
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'HQ')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('full names');
  await page.keyboard.press('Enter');
  await expect(cardOf(page, name)).toBeVisible();
});

test('a new patient is texted, and a wrong number is reported', async ({ browser }) => {
  const page = await openDesk(browser);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Text a patient' });
  await expect(dialog.getByLabel('Mobile number')).toBeFocused();
  const send = dialog.getByRole('button', { name: 'Send' });
  await expect(dialog.getByText(/stay in your car .*check in here: \(link to the visit\)/)).toBeVisible();
  await expect(dialog.getByText(/^\d+ characters · 1 text$/)).toBeVisible();
  // Send is never locked without a reason: it says what is missing.
  await send.click();
  await expect(dialog.getByText('Enter all ten digits of a US number.')).toBeVisible();
  await page.keyboard.type('011');
  await send.click();
  await expect(dialog.getByText('Enter all ten digits of a US number.')).toBeVisible();
  await expect(dialog.getByLabel('Mobile number')).toBeFocused();
  await page.keyboard.type('5550123');
  await send.click();
  await expect(
    page.getByText("We couldn't send your SMS invite, please verify the phone number and try again"),
  ).toBeVisible();
  const texted = `(917) 555-${String(Date.now() % 10_000).padStart(4, '0')}`;
  await dialog.getByLabel('Mobile number').fill(texted);
  await send.click();
  await expect(page.getByText('Your SMS invite was successfully sent to the patient')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('list', { name: 'Expected' }).getByText(texted)).toBeVisible();
});

test('on a phone the list comes first, and a patient has a way back', async ({ browser }) => {
  const page = await openDesk(browser, 'dana', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const { name } = await checkInPatient(page, 'Ines');
  await expectAccessible(page);
  await page.getByRole('searchbox').fill(name);
  // The card is about to move until the others are gone.
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
  await cardOf(page, name).tap();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeFocused();
  await expect(page.getByRole('listbox')).toBeHidden();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.getByRole('button', { name: 'Back' }).tap();
  await expect(cardOf(page, name)).toBeVisible();
  await cardOf(page, name).tap();
  await page.goBack();
  await expect(cardOf(page, name)).toBeVisible();
});

test('the URL holds tab and selection but no name; arrivals do not change them', async ({ browser }) => {
  const page = await openDesk(browser);
  const { name } = await checkInPatient(page, 'Jude');
  await selectPatient(page, name);
  expect(page.url()).toMatch(/visit=[\da-f-]{36}$/);
  expect(decodeURIComponent(page.url())).not.toContain('Jude');
  expect(await page.title()).toMatch(/^\(\d+\) (\d+ new messages? · )?Check-in/);
  await page.reload();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
  const list = page.locator('#queue-cards');
  await list.evaluate((element) => (element.scrollTop = 120));
  const before = await list.evaluate((element) => element.scrollTop);
  await page.getByLabel('Message to patient').focus();
  await checkInPatient(page, 'Kai');
  await expect(page.getByText(/Kai .* has arrived/)).toBeAttached();
  await expect(page.getByLabel('Message to patient')).toBeFocused();
  expect(await list.evaluate((element) => element.scrollTop)).toBe(before);
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
});

test('without a connection the row says what was not done, a bar says how old the list is, and nothing is lost', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const { name } = await checkInPatient(page, 'Liv');
  await selectPatient(page, name);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Invite Patient' }).click();
  await expect(cardOf(page, name)).toContainText('Invited');
  await expect(cardOf(page, name)).toContainText('Not invited. The server could not be reached.');
  await expect(page.getByText('Connection lost')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('Connection lost')).toBeHidden({ timeout: 15_000 });
  await page.getByRole('button', { name: 'Invite Patient' }).click();
  await expect(cardOf(page, name)).toContainText('Invited');
});

test('with auto-invite on, the card names the time instead of an invite button; both follow the settings at once', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const { name } = await checkInPatient(page, 'Mo');
  await selectPatient(page, name);
  const settings = (await (await page.request.get('/api/office/queue-settings')).json()) as object;
  const save = (changes: object) =>
    page.request.put('/api/office/queue-settings', {
      headers: { origin: new URL(page.url()).origin },
      data: { ...settings, ...changes },
    });
  try {
    await save({ autoInviteEnabled: true, autoInviteWaitTime: 7200 });
    await expect(cardOf(page, name)).toContainText(/Waiting \d+:\d\d [AP]M/);
    await expect(page.getByRole('button', { name: 'Invite Patient' })).toBeHidden();
  } finally {
    await save({});
  }
  await expect(page.getByRole('button', { name: 'Invite Patient' })).toBeVisible();
});

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
