import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { patientTexts, picture } from '#e2e/helpers/patient-texts.ts';
import { cardOf, checkInPatient, expectAccessible, openDesk, selectPatient } from '#e2e/helpers/queue-desk.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

/** The newest link that was texted to a number; empty if there is none. */
async function linkOf(page: Page, phone: string): Promise<string> {
  const answer = await page.request.get('/dev/outbox.json', { params: { to: phone } });
  const bodies = ((await answer.json()) as { body: string }[]).map(({ body }) => body);
  return bodies.flatMap((body) => /https?:\S+\/visit\/\S+/.exec(body) ?? [])[0] ?? '';
}

/** Answers the newest text to a phone on the page of the demo outbox, as somebody who tries the demo does. */
async function answerInOutbox(desk: Page, phone: string, body: string): Promise<void> {
  const outbox = await desk.context().newPage();
  await outbox.goto(`/dev/outbox?to=${encodeURIComponent(phone)}`);
  await outbox
    .getByRole('button', { name: /^Answer as / })
    .first()
    .click();
  const form = outbox.getByRole('dialog', { name: /^Answer as / });
  await expectAccessible(outbox);
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByRole('alert')).toHaveText('Write something, or choose a picture.');
  await form.getByLabel('Text').fill(body);
  await shoot(outbox, 'outbox-answer');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(outbox.getByText(`Answered: ${body}`)).toBeVisible();
  await outbox.close();
}

test('a reply marks the card on both desks until somebody at one of them has read it', async ({ browser }) => {
  const dana = await openDesk(browser, 'dana');
  const luis = await openDesk(browser, 'luis', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const { name, phone } = await checkInPatient(dana, 'Noor');
  await selectPatient(dana, name);
  // Whoever opens a thread has seen what it shows then.
  await expect(dana.getByText('No messages yet.')).toBeVisible();
  await patientTexts(dana, phone, 'We are at the back door');
  await patientTexts(dana, phone, 'Is that right?');
  await expect(cardOf(dana, name)).toContainText('2 unread messages');
  await luis.getByRole('searchbox').fill(name);
  await expect(cardOf(luis, name)).toContainText('2 mensajes sin leer');
  for (const desk of [dana, luis]) await expect(cardOf(desk, name)).toContainText('Is that right?');
  await expect(luis.getByRole('button', { name: 'Le esperan 1', expanded: true })).toBeVisible();
  await expect(dana).toHaveTitle(/^\(\d+\) \d+ new messages · Check-in/);
  await expect(dana.getByRole('status').filter({ hasText: 'New message from a patient' })).toHaveCount(1);
  await expectAccessible(dana);
  await shoot(dana, 'reply-mark');
  await expectAccessible(luis);
  await shoot(luis, 'reply-mark-phone');

  // Nobody moves at Dana's desk, so the mark stays although the thread is on her screen.
  await dana.getByLabel('Conversation').getByText('Is that right?').scrollIntoViewIfNeeded();
  await dana.waitForTimeout(1_000);
  await expect(cardOf(luis, name)).toContainText('2 mensajes sin leer');
  await dana.mouse.move(700, 300);
  await dana.mouse.move(720, 320);
  for (const desk of [dana, luis]) await expect(cardOf(desk, name)).not.toContainText(/unread|sin leer/);

  // Whoever opens a patient with an unread reply sees it, also below the facts on a phone.
  await expect(dana.getByRole('button', { name: 'Send', exact: true })).toBeInViewport();
  await patientTexts(dana, phone, 'Nobody is here');
  await expect(cardOf(luis, name)).toContainText('1 mensaje sin leer');
  await cardOf(luis, name).click();
  await expect(luis.getByText('Nobody is here').last()).toBeInViewport();
});

test('two desks that answer one conversation at the same moment both see both answers, each once', async ({
  browser,
}) => {
  const desks = [await openDesk(browser, 'dana'), await openDesk(browser, 'luis')] as const;
  const [dana] = desks;
  const { phone } = await checkInPatient(dana, 'Otis');
  await patientTexts(dana, phone, 'Where do we park?');
  const thread = (page: Page) => page.getByRole('region', { name: /^(Conversation|Conversación)$/ });
  for (const [i, desk] of desks.entries()) {
    await desk.goto('/dashboard/messages');
    await desk.getByRole('button').filter({ hasText: 'Where do we park?' }).click();
    await thread(desk)
      .getByRole('textbox')
      .fill(`Answer ${i + 1}: behind the house`);
  }
  await Promise.all(desks.map((desk) => desk.keyboard.press('Control+Enter')));
  for (const desk of desks)
    for (const n of [1, 2]) await expect(thread(desk).getByText(`Answer ${n}: behind the house`)).toHaveCount(1);
  const outbox = await dana.request.get(`/dev/outbox.json?to=${encodeURIComponent(phone)}`);
  const bodies = ((await outbox.json()) as { body: string }[]).map(({ body }) => body);
  expect(bodies.filter((body) => body.startsWith('Answer')).sort()).toEqual([
    'Answer 1: behind the house',
    'Answer 2: behind the house',
  ]);
  await answerInOutbox(dana, phone, 'Found it, thanks');
  for (const desk of desks) await expect(thread(desk).getByText('Found it, thanks')).toHaveCount(1);
});

test('a desk and a patient on the visit’s page write to each other, see Writing... and the patient’s picture', async ({
  browser,
}) => {
  const dana = await openDesk(browser);
  const luis = await openDesk(browser, 'luis');
  const { name, phone } = await checkInPatient(dana, 'Vera');
  for (const desk of [dana, luis]) await selectPatient(desk, name);
  await dana.keyboard.press('i');
  await expect.poll(() => linkOf(dana, phone)).toContain('/visit/');
  const patient = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await patient.goto(await linkOf(dana, phone));
  await expect(patient.getByRole('heading', { name: 'Come in now' })).toBeVisible();
  // For longer than the pause between two signs: the first may be lost while the patient's page connects.
  await Promise.all([
    expect(patient.getByText('Writing...')).toBeVisible(),
    expect(luis.getByText('Un colega está escribiendo…')).toBeVisible(),
    dana.getByLabel('Message to patient').pressSequentially('The blue door', { delay: 350 }),
  ]);
  await expectAccessible(patient);
  await shoot(patient, 'writing-patient');
  await shoot(luis, 'writing-desk');
  await expect(patient.getByText('Writing...')).toHaveCount(0);
  await dana.keyboard.press('Control+Enter');
  await expect(patient.getByText('The blue door')).toBeVisible();

  const box = patient.getByLabel('Message to the front desk');
  await box.fill('.'.repeat(1601));
  await patient.getByRole('button', { name: 'Send message' }).click();
  await expect(patient.getByText('This message has 1,601 characters; the limit is 1,600.')).toBeVisible();
  await expect(box).toHaveValue('.'.repeat(1601));
  await box.fill('');

  // The same: the desk may be connecting again.
  await Promise.all([
    expect(dana.getByText('Writing...')).toBeVisible(),
    box.pressSequentially('Which one?', { delay: 400 }),
  ]);
  await patient.getByRole('button', { name: 'Send message' }).click();
  await expect(patient.getByRole('log').getByText('Which one?')).toBeVisible();
  await expect(box).toHaveValue('');
  await expect(dana.getByLabel('Conversation').getByText('Which one?')).toBeVisible();

  await patientTexts(dana, phone, 'This one', { file: picture });
  await expect(dana.getByRole('button', { name: 'Enlarge: This one' })).toBeVisible();
  await expect(patient.getByRole('img', { name: 'This one' })).toBeVisible();
  for (const page of [patient, dana]) await expectAccessible(page);
  await shoot(patient, 'patient-writes');
  await shoot(dana, 'patient-picture-desk');

  await patient.getByRole('button', { name: "I'm in" }).click();
  await expect(dana.getByText(new RegExp(`^${name} is inside, 0 of \\d+ forms$`))).toBeVisible();
  await expect(cardOf(dana, name)).toContainText('Done!');
  // Once what the patient wrote is read, they are Inside. For ten minutes the desk can still request what is missing.
  await dana.mouse.move(700, 300);
  await dana.mouse.move(720, 320);
  await expect(dana.getByRole('button', { name: /^Inside \d+$/ }).and(dana.locator('[aria-expanded]'))).toBeVisible();
  await dana.getByRole('button', { name: /^Request \d+ missing forms$/ }).click();
  await expect(dana.getByRole('button', { name: 'All requested' })).toBeVisible();
  await expectAccessible(dana);
  await dana.getByRole('button', { name: 'Move back' }).click();
  await expect(cardOf(dana, name)).toContainText('Invited');
});

test('a landline is named as such where a text to it is written', async ({ browser }) => {
  const page = await openDesk(browser);
  await page.getByRole('button', { name: 'Text a patient' }).click();
  const dialog = page.getByRole('dialog', { name: 'Text a patient' });
  const number = dialog.getByLabel('Mobile number');
  await number.pressSequentially('2025550004');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(number).toHaveAccessibleDescription(/^This is a landline and cannot get texts\./);
  await expect(page.getByText('Your SMS invite was successfully sent to the patient')).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, 'landline');
});
