import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { freshlySignedIn, newBrowser, signInByCode } from '#e2e/helpers/fresh-sign-in.ts';
import { codeSentTo } from '#e2e/helpers/outbox.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

/** Everything sent to an address, newest first. */
const sentTo = async (page: Page, to: string) =>
  (await (await page.request.get('/dev/outbox.json', { params: { to } })).json()) as { body: string }[];

async function invitationLink(page: Page, to: string): Promise<string> {
  const email = (await sentTo(page, to)).find(({ body }) => body.includes('/join/'));
  return /\/join\/[\w-]+/.exec(email?.body ?? '')?.[0] ?? '';
}

test('a colleague is invited, joins, works for two practices in two tabs, and is removed while looking', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const email = 'front@cedar.test';
  const desk = await freshlySignedIn(browser, staff.dana);

  // Dana invites Mina, who already works for another practice.
  await desk.goto('/dashboard/settings');
  await desk.getByRole('link', { name: 'Team' }).press('Enter');
  await expect(desk.getByRole('heading', { level: 1, name: 'Team' })).toBeFocused();
  const rows = desk.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await desk.getByLabel('Email Address').fill('mina@cedar');
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('Invalid email')).toBeVisible();
  await expect(desk.getByLabel('Email Address')).toBeFocused();
  await expectAccessible(desk);
  await desk.getByLabel('Email Address').fill(email);
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('Invitation sent', { exact: true })).toBeVisible();
  await expect(rows.filter({ hasText: email }).getByText('Sent', { exact: true })).toBeVisible();

  // Inviting twice is one invitation; resending makes a new link, and the old one ends.
  const first = await invitationLink(desk, email);
  await desk.getByLabel('Email Address').fill(email);
  await desk.getByRole('button', { name: 'Send invitation' }).click();
  await expect(rows).toHaveCount(3);
  expect((await sentTo(desk, email)).filter(({ body }) => body.includes('/join/'))).toHaveLength(1);
  await desk.getByRole('button', { name: `Send again to ${email}` }).click();
  await expect(desk.getByText('Invitation sent again')).toBeVisible();
  await expectAccessible(desk);
  const mina = await newBrowser(browser);
  await mina.goto(first);
  await expect(mina.getByRole('heading', { level: 1, name: 'This invitation is no longer valid' })).toBeVisible();
  await expectAccessible(mina);

  // Signing in as usual joins nothing: Mina works where she did, and sees the invitation.
  const practice = (page: Page) => page.getByRole('button', { name: /^Practice:/ });
  await mina.goto('/');
  await mina.getByLabel('Email Address').fill(email);
  await signInByCode(mina, email);
  await expect(practice(mina)).toHaveAccessibleName('Practice: Cedar Dental Group, 1 invitation');
  await expect(mina.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(rows).toHaveCount(3);
  await practice(mina).press('Enter');
  await mina.keyboard.press('End');
  await expectAccessible(mina);
  await mina.keyboard.press('Enter');
  await expect(mina.getByRole('heading', { level: 1, name: 'You’re invited' })).toBeVisible();
  await expect(mina.getByRole('region', { name: 'Maple Street Pediatrics' })).toContainText('Dana Whitlock');
  await expect(mina.getByRole('region', { name: 'Maple Street Pediatrics' })).toContainText('(NPI 1234567893)');
  await expectAccessible(mina);
  await mina.getByRole('button', { name: 'Back to the panel' }).click();
  await mina.getByRole('button', { name: 'Profile' }).click();
  await mina.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(mina.getByLabel('Email Address')).toBeVisible();

  // The link shows who invites to which practice, and signs nobody in. After signing in, one press joins.
  await mina.goto(await invitationLink(desk, email));
  await expect(mina.getByText('Dana Whitlock invites you to Maple Street Pediatrics (NPI 1234567893).')).toBeVisible();
  await expect(mina.getByLabel('Email Address')).toHaveValue(email);
  await expectAccessible(mina);
  await signInByCode(mina, email);
  await expect(mina.getByRole('heading', { name: 'Join Maple Street Pediatrics' })).toBeVisible();
  await expect(rows.filter({ hasText: email }).filter({ hasText: 'Joined' })).toHaveCount(0);
  await expectAccessible(mina);
  await mina.getByRole('button', { name: 'Join Maple Street Pediatrics' }).click();
  await expect(practice(mina)).toHaveAccessibleName('Practice: Maple Street Pediatrics');
  await expect(mina).toHaveURL(/\/dashboard\?office=/);
  const row = rows.filter({ hasText: email });
  await expect(row).toContainText('Joined today');
  await expect(desk.getByRole('main')).not.toContainText('Mina Castro');
  await expect(rows.filter({ hasText: staff.dana })).toContainText('You');

  // The other tab shows her first practice. Neither a reload nor what happens in one tab changes the other.
  const cedar = await mina.context().newPage();
  await cedar.goto('/dashboard/settings');
  await expect(practice(cedar)).toHaveAccessibleName('Practice: Cedar Dental Group');
  await mina.reload();
  await cedar.reload();
  await expect(practice(mina)).toHaveAccessibleName('Practice: Maple Street Pediatrics');
  await expect(practice(cedar)).toHaveAccessibleName('Practice: Cedar Dental Group');
  await expect(cedar.getByRole('navigation', { name: 'Settings' })).toContainText('Cedar Dental Group');
  const inNewTab = mina.context().waitForEvent('page');
  await mina.getByRole('link', { name: 'Settings' }).click({ modifiers: ['ControlOrMeta'] });
  const opened = await inNewTab;
  await expect(opened.getByRole('navigation', { name: 'Settings' })).toContainText('Maple Street Pediatrics');
  await opened.close();

  // Switch by keyboard, there and back.
  await practice(cedar).press('Enter');
  await cedar.keyboard.press('ArrowDown');
  await expectAccessible(cedar);
  await cedar.keyboard.press('Enter');
  await expect(practice(cedar)).toHaveAccessibleName('Practice: Maple Street Pediatrics');
  await practice(cedar).click();
  await cedar.getByRole('menuitemradio', { name: 'Cedar Dental Group' }).click();
  await expect(practice(cedar)).toHaveAccessibleName('Practice: Cedar Dental Group');

  // Removed while she looks: that tab closes at once and says why, the other one stays.
  await desk.getByRole('button', { name: `More about ${email}` }).click();
  await desk.getByRole('menuitem', { name: 'Remove from this practice' }).click();
  const question = desk.getByRole('alertdialog', { name: `Remove ${email} from Maple Street Pediatrics?` });
  await expectAccessible(desk);
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(desk.getByText(`${email} was removed`)).toBeVisible();
  await expect(mina.getByRole('heading', { level: 1, name: 'Choose your practice' })).toBeVisible();
  await expect(mina.getByText('You are no longer a member of Maple Street Pediatrics')).toBeVisible();
  await expectAccessible(mina);
  expect((await sentTo(desk, email))[0]?.body).toContain('You no longer belong to Maple Street Pediatrics');
  await mina.getByRole('button', { name: 'Cedar Dental Group' }).click();
  await expect(practice(mina)).toHaveCount(0);
  await expect(cedar.getByRole('heading', { level: 1 })).toBeVisible();
});

test('inviting long after signing in asks for a code first, and then continues with what was typed', async ({
  browser,
}) => {
  const email = `later-${Date.now()}@newcomer.test`;
  const desk = await freshlySignedIn(browser, staff.ruth);
  // The server's clock cannot be moved from here, so the panel gets an expired proof.
  await desk.route('**/api/session/security', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), provedUntil: null } });
  });
  await desk.goto('/dashboard/settings/team');
  await desk.getByLabel('Name (optional)').fill('Sam Reyes');
  await desk.getByLabel('Email Address').fill(email);
  await desk.keyboard.press('Enter');
  const question = desk.getByRole('dialog', { name: 'Verify it’s you' });
  await expect(question).toBeVisible();
  await expectAccessible(desk);
  await question.getByRole('button', { name: 'Send me a code' }).click();
  await expect(question.getByLabel('Verification Code')).toBeVisible();
  expect(await sentTo(desk, email)).toHaveLength(0);
  await question.getByLabel('Verification Code').fill(await codeSentTo(desk, staff.ruth));
  await expect(desk.getByText('Invitation sent', { exact: true })).toBeVisible();
  await expect(question).toBeHidden();
  await expect(desk.getByLabel('Email Address')).toHaveValue('');
  expect(await sentTo(desk, email)).toHaveLength(1);
  await desk.getByRole('button', { name: 'Cancel the invitation to Sam Reyes' }).click();
  await expect(desk.getByRole('main').getByRole('listitem').filter({ hasText: email })).toHaveCount(0);
});

test('team and practice details fit in Spanish, dark, on a phone', async ({ browser }) => {
  const page = await newBrowser(browser, {
    storageState: sessionFileOf(staff.luis),
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
  });
  for (const [path, title] of [
    ['team', 'Equipo'],
    ['office', 'Datos del consultorio'],
    ['notifications', 'Avisos'],
    ['live-customer-support', 'Atención al cliente en vivo'],
  ] as const) {
    await page.goto(`/dashboard/settings/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('main').locator('[aria-hidden=true][style*=height]')).toHaveCount(0);
    await expectAccessible(page);
    expect(await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
  }
});

test('practice details: errors at their fields, saved values on every page, and a new time zone explained', async ({
  browser,
}) => {
  const page = await newBrowser(browser, { storageState: sessionFileOf(staff.dana) });
  await page.goto('/dashboard/settings/office');
  const name = page.getByLabel('Office name');
  await name.fill('');
  await page.getByLabel('City').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter the name of your practice')).toBeVisible();
  await expect(page.getByText("Please enter your practice's city")).toBeVisible();
  await expect(name).toBeFocused();
  await expectAccessible(page);
  await name.fill('Maple Street Pediatrics & Teens');
  await page.getByLabel('City').fill('Brooklyn');
  await page.getByLabel('Time zone').selectOption('Pacific Time');
  await expect(page.getByRole('alert').filter({ hasText: 'Your practice’s clock will show' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Time zone').selectOption('Eastern Time');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Office details saved')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Settings' })).toContainText('Maple Street Pediatrics & Teens');
  await name.fill('Maple Street Pediatrics');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('All changes saved')).toBeVisible();
});
