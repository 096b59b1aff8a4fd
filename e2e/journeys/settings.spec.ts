import { readFile } from 'node:fs/promises';
import { expect, test, type Locator, type Page } from '#e2e/helpers/journey.ts';
import { patientTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { checkInPatient, expectAccessible, openDesk, selectPatient } from '#e2e/helpers/queue-desk.ts';
import { shootAs } from '#e2e/helpers/screenshots.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

test.use({ storageState: sessionFileOf(staff.dana) });

/** The entries of the list, and the heading of a page that is named otherwise. */
const rooms = [
  'Office details',
  ['Queue', 'Queue settings'],
  ['Messages', 'Message settings'],
  'Website chat',
  'Forms',
  'Panels and screens',
  'Team',
  'Check-in poster',
  'Agreement',
  'Activity log',
  'Notifications',
  'Languages',
  'My preferences',
  'Security',
  'Live customer support',
];
const paths = ['', '/queue', '/panels', '/poster', '/audit', '/languages', '/preferences'];

async function at(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard/settings${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

test('every settings page is reached by keyboard: from the rail, and from the list in a narrow window', async ({
  page,
}) => {
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Settings' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Office details' })).toBeFocused();
  const rail = page.getByRole('navigation', { name: 'Settings' });
  for (const room of rooms.slice(1)) {
    const [entry = '', heading = entry] = [room].flat();
    await rail.getByRole('link', { name: entry, exact: true }).press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused();
    await expect(rail.locator('[aria-current=page]')).toHaveText(entry);
  }
  await page.setViewportSize({ width: 899, height: 768 });
  await expect(rail).toBeHidden();
  await page.getByRole('link', { name: 'All settings' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Queue / })
    .press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Queue settings' })).toBeFocused();
});

test('settings form shows errors at their fields, keeps unsaved input, and confirms a save', async ({ page }) => {
  await at(page, '/queue');
  const wait = page.getByLabel('Minutes from arrival');
  const save = page.getByRole('button', { name: 'Save' });
  const before = await wait.inputValue();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await wait.fill('soon');
  await save.click();
  await expect(wait).toBeFocused();
  await expect(page.getByText('Enter minutes from 0 to 1440.')).toBeVisible();
  await page.getByRole('switch', { name: 'Always open' }).uncheck();
  await page.getByRole('button', { name: 'Add break: Monday' }).click();
  await page.getByLabel('Monday: break ends').fill('18:00');
  await expect(page.getByText('The break must be within the opening hours.')).toBeVisible();
  await page.getByRole('button', { name: 'Add US holidays' }).click();
  await expect(page.getByLabel('Name (optional)').first()).not.toHaveValue('');
  await expect(page.getByRole('button', { name: 'Add US holidays' })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Discard' }).click();

  await wait.fill(String(Number(before) + 1));
  await page.route('**/api/office/queue-settings', (route) => route.abort());
  await save.click();
  await expect(page.getByText('Not saved:')).toBeInViewport();
  await expect(wait).toHaveValue(String(Number(before) + 1));
  await expectAccessible(page);
  await page.unroute('**/api/office/queue-settings');

  await page.getByRole('link', { name: 'Check-in', exact: true }).click();
  await expect(page.getByRole('alertdialog', { name: 'Discard unsaved changes?' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Keep editing' }).click();

  await save.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.reload();
  await expect(wait).toHaveValue(String(Number(before) + 1));
  await wait.fill(before);
  await save.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
});

test('in forced colors, a switch and the current tab show their state', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await at(page, '/queue');
  const colors = (locator: Locator, pseudo?: string) =>
    locator.evaluate((element, of) => getComputedStyle(element, of).backgroundColor, pseudo);
  const toggle = page.getByRole('switch', { name: 'Always open' });
  const looks: string[] = [];
  for (const checked of [true, false]) {
    await toggle.setChecked(checked);
    const [track, knob] = [await colors(toggle), await colors(toggle, '::after')];
    expect(knob).not.toBe(track);
    looks.push(track);
  }
  expect(looks[0]).not.toBe(looks[1]);
  const [current, other] = [
    page.getByRole('link', { name: 'Settings' }),
    page.getByRole('link', { name: 'View Forms' }),
  ];
  expect(await colors(current)).not.toBe(await colors(other));
  const rail = page.getByRole('navigation', { name: 'Settings' });
  expect(await colors(rail.getByRole('link', { name: 'Queue' }))).not.toBe(
    await colors(rail.getByRole('link', { name: 'Team' })),
  );
});

test('auto-invite asks before it texts patients who have waited long enough already', async ({ page }) => {
  await page.goto('/dashboard');
  await checkInPatient(page, 'Early');
  await at(page, '/queue');
  const saved = () =>
    page.request.get('/api/office/queue-settings').then((answer) => answer.json() as Promise<unknown>);
  const before = await saved();
  await page.getByRole('switch', { name: 'Invite patients automatically' }).check();
  await page.getByLabel('Minutes from arrival').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('alertdialog', { name: /already waiting$/ });
  await expect(question.getByRole('button', { name: 'Text them now' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByRole('switch', { name: 'Invite patients automatically' })).toBeChecked();
  expect(await saved()).toEqual(before);

  // Answered by the page only: the rule itself would invite the patients of other journeys.
  const sent: unknown[] = [];
  await page.route('**/api/office/queue-settings', async (route) => {
    const { autoInviteFrom, ...settings } = route.request().postDataJSON() as { autoInviteFrom?: string };
    if (autoInviteFrom === undefined) return route.continue();
    sent.push(autoInviteFrom);
    return route.fulfill({ json: settings });
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await question.getByRole('button', { name: 'Start with new arrivals' }).press('Enter');
  await expect(page.getByText('The new rule starts with the next arrival.')).toBeVisible();
  await expect(page.getByText('All changes saved')).toBeVisible();
  expect(sent).toEqual(['new-arrivals']);
});

test('a colleague’s change appears in untouched fields, and is announced if something is typed', async ({
  page,
  context,
}) => {
  await at(page, '/queue');
  const greeting = page.getByLabel('In English');
  const colleague = async (en: string) => {
    const settings = (await (await context.request.get('/api/office/queue-settings')).json()) as { greeting: object };
    const data = { ...settings, greeting: { ...settings.greeting, en } };
    expect((await context.request.put('/api/office/queue-settings', { data })).ok()).toBe(true);
  };
  const before = await greeting.inputValue();
  await colleague('Hello from Luis');
  await expect(greeting).toHaveValue('Hello from Luis');
  await greeting.fill('Hello from Dana');
  await colleague(before);
  await expect(page.getByRole('alert').filter({ hasText: 'A colleague changed these settings' })).toBeVisible();
  await expect(greeting).toHaveValue('Hello from Dana');
  await page.getByRole('button', { name: 'Show theirs' }).click();
  await expect(greeting).toHaveValue(before);
});

test('changing the language takes effect at once and follows the person', async ({ page, browser }) => {
  await at(page, '/languages');
  // The language is shown before it is saved; another page reads what is saved.
  const saved = () => page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok());
  await page.getByRole('radio', { name: 'English' }).focus();
  const spanish = saved();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { level: 1, name: 'Idiomas' })).toBeVisible();
  await spanish;
  const elsewhere = await (await browser.newContext({ storageState: sessionFileOf(staff.dana) })).newPage();
  await elsewhere.goto('/dashboard/settings');
  await expect(elsewhere.getByRole('navigation', { name: 'Ajustes' })).toBeVisible();
  const english = saved();
  await page.getByRole('radio', { name: 'English' }).check();
  await expect(page.getByRole('heading', { level: 1, name: 'Languages' })).toBeVisible();
  await english;
});

test('the poster prints as one page with this office’s URL', async ({ page }) => {
  await at(page, '/poster');
  await expect(page.getByText(/\/c\/1234567893$/).first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await expect(page.getByRole('article', { name: 'Maple Street Pediatrics' })).toHaveCount(1);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test('the audit log is filtered by kind, patient and person, is downloaded, and says when nothing matches', async ({
  page,
}) => {
  await page.goto('/dashboard');
  const { name } = await checkInPatient(page, 'Grace');
  const opened = page.waitForResponse(/\/api\/virtual-queue\/visit\//);
  await selectPatient(page, name);
  await opened;
  await at(page, '/audit');
  await expect(page.getByRole('table').first()).toBeVisible();
  await page.getByLabel('What').selectOption('Visit status changes');
  await expect(page).toHaveURL(/action=visit\.move/);
  await expect(page.getByRole('row').filter({ hasText: 'Invited and texted' }).first()).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Viewed the queue' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel('What')).toHaveValue('visit.move');
  await page.getByLabel('What').selectOption('Everything');
  await page.getByRole('combobox', { name: 'Patient' }).fill(name);
  await page.getByRole('option', { name }).click();
  await expect(page).toHaveURL(/patient=[0-9a-f-]{36}$/);
  await expect(page.getByRole('button', { name: `${name}: show all patients` })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Checked in' })).toHaveCount(1);
  await page.getByLabel('Who').selectOption('Dana Whitlock');
  await expect(page.getByRole('row').filter({ hasText: 'Opened a visit' })).toHaveCount(1);
  await expect(page.getByRole('row').filter({ hasText: 'Checked in' })).toHaveCount(0);
  await expectAccessible(page);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const csv = await readFile(await (await file).path(), 'utf8');
  const [heads, ...lines] = csv.trim().split('\r\n');
  expect(heads).toBe('Date,Time,Who,What,Patient,Refused,Entry number');
  expect(lines.filter((line) => !line.includes(`,Dana Whitlock,`) || !line.includes(`,${name},`))).toEqual([]);
  expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\d,\d\d:\d\d:\d\d,Dana Whitlock,Opened a visit with its messages,/);
  await page.getByLabel('To').fill('2020-01-01');
  await expect(page.getByText('No entries match')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('table').first()).toBeVisible();
});

test('reading the queue again and again is one row of the audit log, which Enter opens', async ({ page }) => {
  await page.goto('/dashboard');
  const { origin } = new URL(page.url());
  for (let i = 0; i < 5; i += 1)
    expect((await page.request.get('/api/virtual-queue/doctor', { headers: { origin } })).ok()).toBe(true);
  await at(page, '/audit');
  const views = page.getByRole('row').filter({ hasText: 'Viewed the queue' });
  const group = page.getByRole('button', { name: /^Viewed the queue \d+ times$/ }).first();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  const before = await views.count();
  const count = Number(/\d+/.exec(await group.innerText())?.[0]);
  expect(count).toBeGreaterThanOrEqual(5);
  await group.press('Enter');
  await expect(views).toHaveCount(before + count);
  await expectAccessible(page);
  await shootAs('audit')(page, 'opened');
  await group.press('Enter');
  await expect(views).toHaveCount(before);
});

test('an audit log that cannot be loaded offers to try again, and never looks empty', async ({ page }) => {
  await page.route('**/api/audit*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await at(page, '/audit');
  await expect(page.getByText('The activity log could not be loaded')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/audit*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('table').first()).toBeVisible();
});

for (const path of paths) {
  test(`/dashboard/settings${path} passes axe and fits a phone`, async ({ page }) => {
    await at(page, path);
    await expect(page.getByRole('main').locator('[aria-hidden=true][style*=height]')).toHaveCount(0);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 740 });
    if (path === '') await at(page, path);
    await expectAccessible(page);
    expect(await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
  });
}

test('message settings survive a failed save; a snippet is saved, undone, and inserted in an answer by keyboard', async ({
  browser,
}) => {
  const page = await openDesk(browser, 'dana');
  await page.goto('/dashboard/settings/messages');
  await page.getByRole('button', { name: 'Add snippet' }).click();
  await page.getByLabel('Name', { exact: true }).last().fill('Parking');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter the text in at least one language.')).toBeVisible();
  await page.getByLabel('In English').last().fill('Hi {name}, please park behind {office}.');
  await page.getByLabel('In Spanish').last().fill('Hola {name}, estacione detrás de {office}.');
  await expectAccessible(page);
  await page.route('**/api/office/message-settings', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The server could not be reached.').first()).toBeVisible();
  await expect(page.getByLabel('In English').last()).toHaveValue('Hi {name}, please park behind {office}.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  if (process.env.E2E_SHOTS)
    await page.screenshot({ path: `${process.env.E2E_SHOTS}/message-settings.png`, fullPage: true });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('In English')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add snippet' }).click();
  await page.getByLabel('Name', { exact: true }).last().fill('Parking');
  await page.getByLabel('In English').last().fill('Hi {name}, please park behind {office}.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();

  const phone = newPhone();
  await patientTexts(page, phone, 'Where can I park?');
  await page.goto('/dashboard/messages?filter=all');
  const conversations = page.getByRole('list', { name: 'Conversations' });
  await conversations
    .getByRole('button')
    .filter({ hasText: phone.slice(-4) })
    .click();
  await page.getByRole('button', { name: 'Snippets' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('park');
  await expectAccessible(page);
  if (process.env.E2E_SHOTS) await page.screenshot({ path: `${process.env.E2E_SHOTS}/snippets.png` });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Send a message')).toHaveValue(/please park behind Maple/);
  await expect(page.getByLabel('Send a message')).toBeFocused();
});
