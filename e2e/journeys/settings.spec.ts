import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { patientTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { checkInPatient, expectAccessible, openDesk } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

test.use({ storageState: sessionFileOf(staff.dana) });

/** The entries of the list, and the heading of a page that is named otherwise. */
const rooms = [
  'Office details',
  ['Queue', 'Queue settings'],
  ['Messages', 'Message settings'],
  'Website chat',
  'Forms',
  'Team',
  'Check-in poster',
  'Agreement',
  'Audit log',
  'Notifications',
  'Languages',
  'My preferences',
  'Security',
  'Live customer support',
];
const paths = ['', '/queue', '/poster', '/audit', '/languages', '/preferences'];

async function at(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard/settings${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

test('every settings page is reached from the list by keyboard, and leads back to it', async ({ page }) => {
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Settings' }).press('Enter');
  for (const room of rooms) {
    const [entry = '', heading = entry] = [room].flat();
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^${entry} `) })
      .press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused();
    await page.getByRole('link', { name: 'All settings' }).press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
  }
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
  await expectAccessible(page);

  await wait.fill(String(Number(before) + 1));
  await page.route('**/api/office/queue-settings', (route) => route.abort());
  await save.click();
  await expect(page.getByText('Not saved:')).toBeInViewport();
  await expect(wait).toHaveValue(String(Number(before) + 1));
  await expectAccessible(page);
  await page.unroute('**/api/office/queue-settings');

  await page.getByRole('link', { name: 'Check-in', exact: true }).click();
  await expect(page.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).click();

  await save.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(page.getByText('Everything is saved')).toBeVisible();
  await page.reload();
  await expect(wait).toHaveValue(String(Number(before) + 1));
  await wait.fill(before);
  await save.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
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
  const question = page.getByRole('alertdialog', { name: /^Text \d+ patients? now\?$/ });
  await expect(question).toContainText('as soon as you save');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByRole('switch', { name: 'Invite patients automatically' })).toBeChecked();
  expect(await saved()).toEqual(before);

  // Nobody has waited that long: nothing to ask.
  await page.getByLabel('Minutes from arrival').fill('1440');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.getByRole('switch', { name: 'Invite patients automatically' }).uncheck();
  await page
    .getByLabel('Minutes from arrival')
    .fill(String((before as { autoInviteWaitTime: number }).autoInviteWaitTime / 60));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
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
  await page.getByRole('radio', { name: 'English' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { level: 1, name: 'Idiomas' })).toBeVisible();
  const elsewhere = await (await browser.newContext({ storageState: sessionFileOf(staff.dana) })).newPage();
  await elsewhere.goto('/dashboard/settings');
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Ajustes' })).toBeVisible();
  await page.getByRole('radio', { name: 'English' }).check();
  await expect(page.getByRole('heading', { level: 1, name: 'Languages' })).toBeVisible();
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

test('the audit log lists who did what, is filtered by the URL, and says when nothing matches', async ({ page }) => {
  await at(page, '/audit');
  await expect(page.getByRole('table').first()).toBeVisible();
  await page.getByLabel('What').selectOption('Visit status changes');
  await expect(page).toHaveURL(/action=visit\.move/);
  await expect(page.getByRole('row').filter({ hasText: 'Invited and texted' }).first()).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Viewed the queue' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel('What')).toHaveValue('visit.move');
  await page.getByLabel('To').fill('2020-01-01');
  await expect(page.getByText('No entries match')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('table').first()).toBeVisible();
});

test('an audit log that cannot be loaded offers to try again, and never looks empty', async ({ page }) => {
  await page.route('**/api/audit*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await at(page, '/audit');
  await expect(page.getByText('The audit log could not be loaded')).toBeVisible();
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
