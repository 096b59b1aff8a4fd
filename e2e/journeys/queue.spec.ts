import { consentAnswers, submitForm } from '#e2e/helpers/filed-forms.ts';
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

test('F and Enter open the form that needs a review, before the others', async ({ browser }) => {
  const page = await openDesk(browser);
  const { name, token } = await checkInPatient(page, 'Uma');
  const phone = await (await browser.newContext()).newPage();
  await phone.goto(`/visit/${token}`);
  await submitForm(phone, token, 'covid-screening', {
    symptoms: [{ code: 'fever' }],
    positive: [false],
    waiting: [false],
    contact: [{ code: 'no' }],
  });
  await submitForm(phone, token, 'consent', consentAnswers);
  await selectPatient(page, name);
  await expect(page.getByRole('link', { name: /^View COVID Screening/ })).toBeVisible();
  await page.getByRole('listbox').focus();
  await page.keyboard.press('f');
  await expect(page.getByRole('link', { name: /^View COVID Screening/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /COVID Screening/ })).toBeVisible();
});
