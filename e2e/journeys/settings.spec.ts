import { expect, test, type Page } from '@playwright/test';
import { isAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, stateOf } from '#e2e/helpers/staff.ts';

test.use({ storageState: stateOf(staff.dana) });

const rooms = [
  'Office details',
  'Queue settings',
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

test('every room is reached from the list of settings, by keyboard, and leads back to it', async ({ page }) => {
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Settings' }).press('Enter');
  for (const [i, room] of rooms.entries()) {
    await page.getByRole('main').getByRole('listitem').nth(i).getByRole('link').press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: room })).toBeFocused();
    await page.getByRole('link', { name: 'All settings' }).press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
  }
});

test('what cannot be is said at its field, what could not be saved stays typed, what was saved is said', async ({
  page,
}) => {
  await at(page, '/queue');
  const wait = page.getByLabel('Minutes from arrival');
  const save = page.getByRole('button', { name: 'Save' });
  const before = await wait.inputValue();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await wait.fill('soon');
  await save.click();
  await expect(wait).toBeFocused();
  await expect(page.getByText('Enter minutes from 0 to 1440.')).toBeVisible();
  await isAccessible(page);

  await wait.fill(String(Number(before) + 1));
  await page.route('**/api/office/queue-settings', (route) => route.abort());
  await save.click();
  await expect(page.getByText('Not saved:')).toBeInViewport();
  await expect(wait).toHaveValue(String(Number(before) + 1));
  await isAccessible(page);
  await page.unroute('**/api/office/queue-settings');

  await page.getByRole('link', { name: 'Check-in', exact: true }).click();
  await expect(page.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
  await isAccessible(page);
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

test('a colleague’s change is shown where nothing is typed, and announced where something is', async ({
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

test('the language changes at once and follows the person', async ({ page, browser }) => {
  await at(page, '/languages');
  await page.getByRole('radio', { name: 'English' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { level: 1, name: 'Idiomas' })).toBeVisible();
  const elsewhere = await (await browser.newContext({ storageState: stateOf(staff.dana) })).newPage();
  await elsewhere.goto('/dashboard/settings');
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Ajustes' })).toBeVisible();
  await page.getByRole('radio', { name: 'English' }).check();
  await expect(page.getByRole('heading', { level: 1, name: 'Languages' })).toBeVisible();
});

test('the poster prints as one page with the address of this office', async ({ page }) => {
  await at(page, '/poster');
  await expect(page.getByText(/\/c\/1234567893$/).first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await expect(page.getByRole('article', { name: 'Maple Street Pediatrics' })).toHaveCount(1);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test('the record tells who did what, is narrowed by the address, and says when nothing matches', async ({ page }) => {
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
  await isAccessible(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('table').first()).toBeVisible();
});

test('an audit log that cannot be loaded offers to try again, and never looks empty', async ({ page }) => {
  await page.route('**/api/audit*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await at(page, '/audit');
  await expect(page.getByText('The audit log could not be loaded')).toBeVisible();
  await isAccessible(page);
  await page.unroute('**/api/audit*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('table').first()).toBeVisible();
});

for (const path of paths) {
  test(`/dashboard/settings${path} passes axe and fits a phone`, async ({ page }) => {
    await at(page, path);
    await expect(page.getByRole('main').locator('[aria-hidden=true][style*=height]')).toHaveCount(0);
    await isAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 740 });
    await isAccessible(page);
    expect(await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
  });
}
