import { expect, test, type Browser, type Page } from '#e2e/helpers/journey.ts';
import { patientTexts, summitTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { sessionFileOf, staff } from '#e2e/helpers/staff.ts';

/** A nurse's desk at Summit, at the page that the gate leads to. */
async function openNurse(browser: Browser, who: 'theo' | 'amara', options = {}): Promise<Page> {
  const page = await (await browser.newContext({ storageState: sessionFileOf(staff[who]), ...options })).newPage();
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard\/patients/);
  return page;
}

/** Surveys are due from midnight on, so that the hour of the run does not matter. */
async function surveysAtMidnight(page: Page): Promise<void> {
  const { request } = page;
  const headers = { origin: new URL(page.url()).origin };
  const read = async (path: string) => (await (await request.get(path)).json()) as Record<string, object>;
  const quietHours = { from: '03:00', until: '03:01' };
  const messages = await read('/api/office/message-settings');
  const saved = await request.put('/api/office/message-settings', { headers, data: { ...messages, quietHours } });
  expect(saved.ok(), await saved.text()).toBe(true);
  const { settings } = await read('/api/ambu/surveys');
  const plan = await request.put('/api/ambu/settings', { headers, data: { ...settings, surveyTime: '00:00' } });
  expect(plan.ok(), await plan.text()).toBe(true);
}

const yesterday = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Phoenix' }).format(Date.now() - 24 * 3_600_000);

/** The newest link that was texted to a number. */
async function linkTo(page: Page, phone: string): Promise<string> {
  const link = async () => {
    const answer = await page.request.get('/dev/outbox.json', { params: { to: `+1${phone}` } });
    return /\/episode\/[\w-]+/.exec(((await answer.json()) as { body: string }[])[0]?.body ?? '')?.[0] ?? '';
  };
  await expect.poll(link).not.toBe('');
  return link();
}

const choose = (phone: Page, question: RegExp, answer: string) =>
  phone.getByRole('group', { name: question }).getByRole('radio', { name: answer, exact: true }).check();

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
  await dialog.getByLabel('Patient name').fill(name);
  await dialog.getByLabel('Mobile number').pressSequentially(number);
  await dialog.getByLabel('Day of the surgery').fill(yesterday());
  await expectAccessible(theo);
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
  await phone.getByRole('button', { name: 'Acepto' }).click();
  // Day 2 if midnight has passed since the invitation.
  await phone.getByRole('button', { name: /^Empezar: Encuesta del día [12]$/ }).click({ timeout: 40_000 });
  await choose(phone, /en reposo/, '4');
  const rowsOfScale = await phone
    .getByRole('group', { name: /en reposo/ })
    .getByRole('radio')
    .evaluateAll((numbers) => new Set(numbers.map((number) => number.getBoundingClientRect().top)).size);
  expect(rowsOfScale).toBe(1);
  await choose(phone, /se mueve/, '8');
  await choose(phone, /medicamento/, 'No');
  await expectAccessible(phone);
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

  const take = theo.getByRole('button', { name: `Take the callback of ${name}` });
  await expect(take).toBeVisible();
  await expectAccessible(theo);
  await take.click();
  await expect(amara.getByRole('button', { name: `Tomar el relevo de la llamada de ${name}` })).toBeVisible();
  await expectAccessible(amara);
  await theo.getByRole('button', { name: `Close the callback of ${name}` }).click();
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
  await theo.getByRole('button', { name: `Close the callback of ${name}` }).click();
  await expect(note).toHaveValue('She is on her way to the hospital.');
  await dialog.getByRole('button', { name: 'Close callback' }).click();
  await expect(dialog).toBeHidden();
  await expect(theo.getByText('Note not saved')).toBeHidden();
  await theo.getByRole('link', { name }).first().click();
  await expect(theo.getByText('She is on her way to the hospital.')).toBeVisible();
  await expect(theo.getByRole('region', { name: 'Pain scores by day' })).toContainText('8');
  await expectAccessible(theo);

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
  await phone.getByRole('button', { name: 'Llámenme, por favor' }).click();
  await expect(phone.getByText('Avisamos a enfermería')).toBeVisible();
  await expectAccessible(phone);
  await expect(theo.getByText('A patient needs a call', { exact: true })).toBeAttached();
  await phone.getByRole('button', { name: 'No quiero más encuestas' }).click();
  await expect(phone.getByRole('button', { name: 'Quiero responder encuestas' })).toBeVisible();
  await expectAccessible(phone);
  await expect(theo.getByText('Declined by the patient')).toBeVisible();
  await expect(theo.getByRole('button', { name: 'Resume surveys' })).toHaveCount(0);

  await theo.getByRole('button', { name: 'Open Chat' }).click();
  await expect(theo.getByLabel('Send a message')).toBeVisible();
  await expectAccessible(theo);
  await theo.getByRole('link', { name: 'Surveys' }).click();
  await theo.getByRole('button', { name: 'Add Survey' }).click();
  await expect(dialog.getByLabel('Also ask for a photo of the wound')).toBeVisible();
  await expectAccessible(theo);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expectAccessible(theo);
  await theo.getByRole('button', { name: 'Preview, day 1', exact: true }).click();
  await expect(dialog.getByText('This is what a patient sees.', { exact: false })).toBeVisible();
  await expectAccessible(theo);
});

test('the chat of a day lists unread messages, then the other conversations', async ({ browser }) => {
  const theo = await openNurse(browser, 'theo');
  const question = `May I shower? ${newPhone()}`;
  await patientTexts(theo, newPhone(), question, { to: summitTexts });
  await theo.getByRole('link', { name: /^Chat/ }).click();
  const row = (list: string) =>
    theo.getByRole('list', { name: list }).getByRole('button').filter({ hasText: question });
  await expect(row('Unread Messages')).toBeVisible();
  await expectAccessible(theo);
  await row('Unread Messages').click();
  await expect(row('Other Conversations')).toBeVisible();
  await expect(theo.getByRole('button', { name: 'Next day', exact: true })).toBeDisabled();
  await expectAccessible(theo);
  await theo.getByRole('button', { name: 'Previous day', exact: true }).click();
  await expect(row('Other Conversations')).toBeHidden();
  await expect(row('Unread Messages')).toBeHidden();
  await expectAccessible(theo);
});
