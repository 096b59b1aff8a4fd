import { randomUUID } from 'node:crypto';
import { expect, test } from '#e2e/helpers/journey.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import {
  shoot,
  openNurse,
  surveysAtMidnight,
  send,
  yesterday,
  linkTo,
  expectThumbs,
  choose,
} from '#e2e/helpers/nurses.ts';

test('a patient is invited after surgery, reports pain in Spanish, and a nurse calls back', async ({ browser }) => {
  test.setTimeout(120_000);
  const theo = await openNurse(browser, 'theo');
  const amara = await openNurse(browser, 'amara', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await expect(theo.getByRole('link', { name: 'Check-in' })).toBeHidden();
  await expect(theo.getByRole('button', { name: 'Sound is off, turn on' })).toBeVisible();
  await surveysAtMidnight(theo);
  const number = newPhone();
  const name = `Nadia Qa${number}`;

  await theo.getByRole('button', { name: '+ Invite Patient' }).first().click();
  const dialog = theo.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled();
  await dialog.getByLabel('Mobile number').pressSequentially(number);
  await theo.keyboard.press('Enter');
  await expect(dialog.getByText('Enter the patient’s name.')).toBeVisible();
  await expect(dialog.getByLabel('Patient name')).toBeFocused();
  await dialog.getByLabel('Patient name').fill(name);
  await dialog.getByLabel('Day of the surgery').fill(yesterday());
  await expectAccessible(theo);
  await shoot(theo, 'invite');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog).toBeHidden();
  await theo.getByRole('searchbox').fill(name);
  await expect(theo.getByRole('row', { name }).getByText('Pending')).toBeVisible();

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage();
  const link = await linkTo(theo, number);
  await phone.goto(link);
  await phone.getByRole('button', { name: 'Español' }).click();
  await expect(phone.getByRole('button', { name: 'Acepto' })).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'consent-es');
  await phone.getByRole('button', { name: 'Acepto' }).click();
  // Day 2 if midnight has passed since the invitation.
  await phone.getByRole('button', { name: /^Empezar: Encuesta del día [12]$/ }).click({ timeout: 40_000 });
  // A scale that was left out still stands below its error.
  await phone.getByRole('button', { name: 'Siguiente' }).click();
  await expect(phone.getByText('Responda esta pregunta.').first()).toBeVisible();
  await expectThumbs(phone, /en reposo/);
  await choose(phone, /en reposo/, '4');
  await expectThumbs(phone, /en reposo/);
  await phone.setViewportSize({ width: 360, height: 740 });
  await expectThumbs(phone, /en reposo/);
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.keyboard.press('ArrowRight');
  await expect(phone.getByRole('group', { name: /en reposo/ }).getByRole('radio', { name: '5' })).toBeChecked();
  await phone.keyboard.press('ArrowLeft');
  await choose(phone, /se mueve/, '8');
  await choose(phone, /medicamento/, 'No');
  await expectAccessible(phone);
  await shoot(phone, 'pain-es');
  await phone.getByRole('button', { name: 'Siguiente' }).click();
  await phone.getByRole('checkbox', { name: 'Falta de aire o dolor en el pecho' }).check();
  await phone.getByRole('button', { name: 'Siguiente' }).click();
  await choose(phone, /enfermera/, 'No');
  await phone.getByRole('button', { name: 'Siguiente' }).click();
  await phone.getByRole('button', { name: 'Enviar' }).click();
  // The survey is filed with its PDF.
  await expect(phone.getByRole('heading', { name: 'Llame al 911 ahora' })).toBeVisible({ timeout: 30_000 });
  await expect(phone.getByText('También enviamos sus respuestas a enfermería.')).toBeVisible();
  // Nothing on it tells the patient to wait, or to call anybody but 911 first.
  await expect(phone.getByText('empeora')).toHaveCount(0);
  await expectAccessible(phone);
  await shoot(phone, 'call-911-es');

  // Marked like an arrival: a toast by name with Open, a pill, and the row.
  const toasts = theo.getByRole('region', { name: 'Notifications' });
  await expect(toasts.getByText(`${name} needs a call`)).toBeVisible();
  await expect(toasts.getByRole('button', { name: 'Open' })).toBeVisible();
  // The demo's own callbacks may have come meanwhile.
  await expect(theo.getByRole('button', { name: /^[1-9] new$/ })).toBeVisible();
  const row = theo.locator('tr[data-new]', { hasText: name });
  await expect(row).toBeVisible();
  const take = theo.getByRole('button', { name: `Take ${name}’s callback` });
  await expect(take).toBeVisible();
  await expectAccessible(theo);
  await shoot(theo, 'callbacks-new');
  await expect(amara.getByRole('button', { name: /^[1-9] nuevas?$/ })).toBeVisible();
  await shoot(amara, 'callbacks-new-es');
  // A second click where "Take" was does nothing.
  await take.dblclick();
  await expect(row).toHaveCount(0);
  await expect(amara.getByRole('button', { name: `Tomar el relevo de la llamada de ${name}` })).toBeVisible();
  await expect(theo.getByRole('button', { name: `Put back ${name}’s callback` })).toBeVisible();
  await expectAccessible(amara);
  await theo.getByRole('button', { name: `Close ${name}’s callback` }).click();
  const note = dialog.getByLabel('What did you agree on?');
  await note.fill('She is on her way to the hospital.');
  // The dialog is closed, not the callback: the note is still there, also when the page would be reloaded.
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(theo.getByText('Note not saved')).toBeVisible();
  const question = theo.waitForEvent('dialog');
  // Not `reload`: that would wait for the page that does not come.
  await theo.evaluate(() => void setTimeout(() => location.reload()));
  expect((await question).type()).toBe('beforeunload');
  await (await question).dismiss();
  await theo.getByRole('button', { name: `Close ${name}’s callback` }).click();
  await shoot(theo, 'close-callback');
  await expect(note).toHaveValue('She is on her way to the hospital.');
  await dialog.getByRole('button', { name: 'Close callback' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(theo.getByText('Note not saved')).toBeHidden();
  // The row with the pressed button is gone: the keyboard goes on from the list's heading.
  await expect(theo.getByRole('heading', { name: 'Nurse callbacks' })).toBeFocused();
  await theo.getByRole('link', { name }).first().press('Enter');
  await expect(theo.getByRole('heading', { level: 1, name })).toBeFocused();
  await expect(theo.getByText('She is on her way to the hospital.')).toBeVisible();
  await expect(theo.getByRole('region', { name: 'Pain scores by day' })).toContainText('8');
  await expectAccessible(theo);
  await shoot(theo, 'details');

  const notes = theo.getByLabel('Notes about the patient');
  await notes.fill('Husband answers the phone.');
  await theo.getByRole('link', { name: 'All patients' }).click();
  const leave = theo.getByRole('alertdialog');
  await expect(leave.getByText('The notes have changes that are not saved.')).toBeVisible();
  await expectAccessible(theo);
  await leave.getByRole('button', { name: 'Keep editing' }).click();
  await expect(notes).toHaveValue('Husband answers the phone.');
  await expect(theo.getByText('Unsaved changes')).toBeVisible();
  await theo.getByRole('button', { name: 'Save Notes' }).click();
  await expect(theo.getByText('Unsaved changes')).toBeHidden();

  await phone.getByRole('button', { name: 'Listo' }).click();
  // At once, and not with the next look at the server: what to do stays, and the survey is not asked again.
  await expect(phone.getByRole('button', { name: 'Llámenme, por favor' })).toBeVisible();
  expect(await phone.getByRole('link', { name: 'Llamar al 911' }).count()).toBe(1);
  expect(await phone.getByRole('button', { name: /^Empezar|^Continuar/ }).count()).toBe(0);
  await phone.getByRole('button', { name: 'Llámenme, por favor' }).press('Enter');
  await expect(phone.getByRole('heading', { name: '¿Quiere hablar con alguien de enfermería?' })).toBeFocused();
  await expect(phone.getByText('Nuestro equipo de enfermería recibió su solicitud')).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'today-es');
  await expect(toasts.getByText(`${name} needs a call`)).toBeVisible();
  await phone.getByRole('button', { name: 'No quiero más encuestas' }).click();
  await expect(phone.getByRole('button', { name: 'Quiero responder encuestas' })).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'declined-es');
  await expect(theo.getByText('Declined by the patient')).toBeVisible();
  await expect(theo.getByRole('button', { name: 'Resume surveys' })).toHaveCount(0);

  await theo.getByRole('button', { name: 'Open Chat' }).click();
  await expect(theo.getByLabel('Send a message')).toBeVisible();
  await expectAccessible(theo);
  await shoot(theo, 'chat');
  await theo.getByRole('link', { name: 'Surveys' }).click();
  await theo.getByRole('button', { name: 'Add Survey' }).click();
  await expect(dialog.getByLabel('Also ask for a photo of the wound')).toBeVisible();
  await expectAccessible(theo);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expectAccessible(theo);
  await shoot(theo, 'surveys');
  await theo.getByRole('button', { name: /^Delete the survey of day/ }).click();
  await expect(leave.getByText('Patients no longer get a survey on that day.', { exact: false })).toBeVisible();
  await expectAccessible(theo);
  await shoot(theo, 'delete-survey');
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await theo.getByRole('button', { name: 'Preview, day 1', exact: true }).click();
  await expect(dialog.getByText('This is what a patient sees.', { exact: false })).toBeVisible();
  await expectAccessible(theo);
});

test('a patient is asked for a photo and told to call the office, and an ended link says whose it was', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const theo = await openNurse(browser, 'theo');
  await surveysAtMidnight(theo);
  const plan = await send<{ surveys: { id: string; day: number; formType: string }[] }>(theo, 'GET', '/ambu/surveys');
  // Day 2 if midnight passes meanwhile.
  const askForPhotos = async (photo: boolean) => {
    for (const { id, day, formType } of plan.surveys)
      if (day < 3) await send(theo, 'PUT', `/ambu/surveys/${id}`, { formType, photo });
  };
  await askForPhotos(true);
  const number = newPhone();
  const { userCode, userId } = await send<{ userCode: string; userId: string }>(theo, 'POST', '/ambu/invites', {
    phoneNumber: number,
    patientName: `Olga Qa${number}`,
    episodeDate: yesterday(),
    quietHours: 'ignore',
  });
  const phone = await (
    await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, colorScheme: 'dark' })
  ).newPage();
  await phone.goto(await linkTo(theo, number));
  await expect(phone.getByRole('button', { name: 'I agree' })).toBeVisible();
  // The practice's number is on every page.
  const office = phone.getByRole('banner').getByRole('link', { name: /^\(\d{3}\) \d{3}-\d{4}$/ });
  await expect(office).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'consent');
  await phone.getByRole('button', { name: 'I agree' }).press('Enter');
  // The pressed button is gone: the keyboard goes on from the new page's heading.
  await expect(phone.getByRole('heading', { level: 1 })).toBeFocused();
  await phone.getByRole('button', { name: /^Start: Survey of day [12]$/ }).click({ timeout: 40_000 });
  await choose(phone, /when you rest/, '7');
  await choose(phone, /when you move/, '6');
  await choose(phone, /medicine for the pain/, 'No');
  await expectThumbs(phone, /when you rest/);
  await expect(office).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'pain');
  await askForPhotos(false);
  await phone.getByRole('button', { name: 'Next' }).click();
  await phone.getByRole('checkbox', { name: 'None of these' }).check();
  await shoot(phone, 'signs');
  await phone.getByRole('button', { name: 'Next' }).click();
  await choose(phone, /nurse to call/, 'No');
  await shoot(phone, 'talk');
  await phone.getByRole('button', { name: 'Next' }).click();
  await expect(phone.getByText('Please take a photo of the wound in good light. (optional)')).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'photo');
  await phone.getByRole('button', { name: 'Next' }).click();
  await expect(phone.getByRole('button', { name: 'Submit' })).toBeVisible();
  await shoot(phone, 'review');
  await phone.getByRole('button', { name: 'Submit' }).click();
  await expect(phone.getByRole('heading', { name: 'Please call the office now' })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(phone);
  await shoot(phone, 'call-office');
  await phone.getByRole('button', { name: 'Done' }).click();
  await expect(phone.getByRole('button', { name: 'Please call me' })).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'today');

  const { pathname } = new URL(phone.url());
  await phone.goto(`${pathname}/surveys/${randomUUID()}`);
  await expect(phone.getByRole('heading', { name: 'This survey is closed' })).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'survey-closed');
  await phone.getByRole('button', { name: 'Back' }).click();
  await phone.getByRole('button', { name: 'Stop my surveys' }).click();
  await expect(phone.getByRole('heading', { name: 'Your surveys are turned off' })).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'declined');
  await phone.getByRole('button', { name: 'Restart my surveys' }).click();
  await expect(phone.getByRole('button', { name: 'Please call me' })).toBeVisible();

  await send(theo, 'PUT', `/ambu/patients/${userCode}/${userId}/follow-up`, { active: false });
  await phone.goto(pathname);
  await expect(phone.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expect(phone.getByRole('banner')).toContainText('Summit');
  await expect(office).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'link-ended');
  const current = { officeName: 'Summit Surgical Center', officePhone: '+16025550100', hasExpired: true };
  await phone.route(/\/api\/episode\//, (route) =>
    route.fulfill({ status: 404, json: { type: 'urn:problem:episode_link_ended', current } }),
  );
  await phone.emulateMedia({ colorScheme: 'light' });
  await phone.reload();
  await phone.getByRole('button', { name: 'Español' }).click();
  await expect(phone.getByRole('heading', { name: 'Este enlace venció' })).toBeVisible();
  await expect(office).toBeVisible();
  await expectAccessible(phone);
  await shoot(phone, 'link-expired-es');
});
