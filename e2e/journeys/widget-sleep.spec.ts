import { expect, test } from '#e2e/helpers/journey.ts';
import { maple, newName } from '#e2e/helpers/patient-phone.ts';
import { expectAccessible, openDesk } from '#e2e/helpers/queue-desk.ts';

test('a visitor’s laptop sleeps while the practice answers, and shows each answer once when it wakes; nothing moves', async ({
  browser,
}) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`/widget/${maple}?lang=en`);
  const name = newName();
  await page.getByLabel('Your name (optional)').fill(name);
  await page.keyboard.press('Enter');
  const question = `Do you have a ramp? ${name}`;
  await page.getByLabel('Your message').fill(question);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const log = page.getByRole('log');
  await expect(log.getByText(question)).toBeVisible();
  const isMoving = () =>
    document.getAnimations().some(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1);
  expect(await page.evaluate(isMoving)).toBe(false);

  const desk = await openDesk(browser);
  await desk.getByRole('link', { name: /^Website Chatbox/ }).click();
  await desk.getByRole('button').filter({ hasText: question }).first().click();
  const conversation = desk.getByRole('region', { name: 'Conversation' });
  const answers = ['Yes, at the side door.', 'Ring there, and we come out.'];
  const reply = async (words: string) => {
    await conversation.getByLabel('Send a message').fill(words);
    await desk.keyboard.press('Control+Enter');
    await expect(conversation.getByText(words)).toBeVisible();
  };

  // Timers stop, and the network is gone without a goodbye.
  const laptop = await context.newCDPSession(page);
  await laptop.send('Page.setWebLifecycleState', { state: 'frozen' });
  await context.setOffline(true);
  await reply(answers[0] ?? '');
  await context.setOffline(false);
  await reply(answers[1] ?? '');
  await laptop.send('Page.setWebLifecycleState', { state: 'active' });

  for (const words of answers) await expect(log.getByText(words)).toHaveCount(1, { timeout: 30_000 });
  await page.getByLabel('Your message').fill('Thank you');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(conversation.getByText('Thank you')).toHaveCount(1);
  expect(await page.evaluate(isMoving)).toBe(false);
  await expectAccessible(page);
});
