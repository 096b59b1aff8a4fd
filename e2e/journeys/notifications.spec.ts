import { expect, test } from '#e2e/helpers/journey.ts';
import { wholeBrowser } from '#e2e/helpers/browsers.ts';
import { checkInPatient, expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

test.use({ launchOptions: wholeBrowser });

test.use({ storageState: sessionFileOf(staff.dana) });

interface OutboxEntry {
  channel: string;
  to: string;
  body: string;
}

test('arrivals are announced with the panel closed: permission, alerts and sound, a push', async ({
  browser,
  baseURL,
}) => {
  const origin = baseURL ?? '';
  const context = await browser.newContext({ storageState: sessionFileOf(staff.dana) });
  const page = await context.newPage();
  const pushes = async () =>
    (
      (await (
        await page.request.get('/dev/outbox.json', { params: { to: 'push.anteroom.test' } })
      ).json()) as OutboxEntry[]
    )
      .filter(({ channel }) => channel === 'push')
      .map(({ body }) => body);

  const before = (await pushes()).length;

  // Nothing can be switched on before the browser permits it.
  await page.goto('/dashboard/settings/notifications');
  const push = page.getByRole('switch', { name: 'Notify this browser when a patient arrives' });
  await expect(page.getByRole('button', { name: 'Request permission' })).toBeVisible();
  await expect(push).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Request permission' }).click();
  await context.grantPermissions(['notifications'], { origin });
  await expect(page.getByText('Allowed')).toBeVisible();

  // Sound and alerts follow the person to any device.
  const sound = page.getByRole('switch', { name: 'Sound when a patient arrives' });
  const alerts = page.getByRole('switch', { name: 'Alert when a patient arrives' });
  // Two changes in quick succession: neither reply undoes the other.
  await alerts.click();
  await sound.click();
  await expect(alerts).toBeChecked();
  await expect(sound).toBeChecked();
  await page.getByRole('button', { name: 'Play the sound' }).click();
  await page.getByRole('button', { name: 'Show an alert now' }).click();
  await page.reload();
  await expect(alerts).toBeChecked();
  await expect(sound).toBeChecked();
  await expectAccessible(page);

  // A push says that somebody is waiting, and never who.
  await push.check();
  await page.getByRole('button', { name: 'Send a test notification' }).click();
  await expect.poll(async () => (await pushes()).length).toBe(before + 1);
  expect((await pushes())[0]).toBe('New patient waiting\nMaple Street Pediatrics');
  await expectAccessible(page);
  await checkInPatient(page, 'Canary');
  await expect.poll(async () => (await pushes()).length).toBeGreaterThan(before + 1);
  expect((await pushes()).join()).not.toContain('Canary');

  // With the panel closed the service worker shows it.
  const cdp = await context.newCDPSession(page);
  const registration = new Promise<string>((done) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) done(registrations[0].registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registration;
  await page.goto('/dev/outbox');
  const data = JSON.stringify({ title: 'New patient waiting', body: 'Maple', path: '/dashboard' });
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      return (await worker.getNotifications()).map(({ title, tag }) => ({ title, tag }));
    });
  await expect.poll(shown).toContainEqual({ title: 'New patient waiting', tag: 'arrivals' });

  // Switches this browser off again.
  await page.goto('/dashboard/settings/notifications');
  await push.uncheck();
  await expect(page.getByRole('button', { name: 'Send a test notification' })).toHaveCount(0);
  await alerts.click();
  await expect(alerts).not.toBeChecked();
  await sound.click();
  await expect(sound).not.toBeChecked();
  await context.close();
});

test('the push settings link to the outbox in the demo only', async ({ browser }) => {
  const context = await browser.newContext({ storageState: sessionFileOf(staff.dana) });
  const page = await context.newPage();
  const outbox = page.getByRole('main').getByRole('link', { name: 'outbox' });
  await page.goto('/dashboard/settings/notifications');
  await expect(outbox).toBeVisible();
  // The same installation without the demo: the server says so in the page.
  await page.route('**/dashboard/settings/notifications', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('"demo":true', '"demo":false');
    await route.fulfill({ response: answer, body });
  });
  await page.reload();
  await expect(page.getByText('Notifications are not connected yet, so none are sent.')).toBeVisible();
  await expect(outbox).toHaveCount(0);
  await expectAccessible(page);
  await context.close();
});

test('a support message reaches the operator, and stays typed if it cannot be sent', async ({ page }) => {
  await page.goto('/dashboard/settings/live-customer-support');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Please write a message first.')).toBeVisible();
  await expect(page.getByLabel('Message')).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel('Message').fill('The poster does not print.');
  await page.route('**/api/support/messages', (route) => route.abort());
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue('The poster does not print.');
  await page.unroute('**/api/support/messages');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Your message was sent.')).toBeVisible();
  await expectAccessible(page);
});
