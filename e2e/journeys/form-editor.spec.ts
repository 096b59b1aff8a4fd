import { expect, test, type Locator, type Page } from '#e2e/helpers/journey.ts';
import { tabTo } from '#e2e/helpers/new-practice.ts';
import { checkInByApi, newName } from '#e2e/helpers/patient-phone.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

test.use({ storageState: sessionFileOf(staff.dana) });

interface KnownForm {
  id: string;
  formType: string;
  version: number;
  name: { en: string };
}
const api = '/api/office/forms';
const origin = () => ({ origin: process.env.E2E_BASE_URL ?? '' });
const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true });

/** The form whose title begins so, as the office uses it now. */
async function formCalled(page: Page, title: string): Promise<KnownForm> {
  const { known } = (await (await page.request.get(api)).json()) as { known: KnownForm[] };
  const form = known.find(({ name }) => name.en.startsWith(title));
  if (!form) throw new Error(`no form is called ${title}`);
  return form;
}

let before: { forms: unknown[]; known: KnownForm[] };
test.beforeEach(async ({ page }) => {
  before = (await (await page.request.get(api)).json()) as typeof before;
});
/** Other journeys of the practice ask for the forms that it had. */
test.afterEach(async ({ page }) => {
  await page.request.put(api, { headers: origin(), data: { forms: before.forms } });
  const { known } = (await (await page.request.get(api)).json()) as typeof before;
  const had = new Set(before.known.map(({ formType }) => formType));
  for (const { formType } of known.filter((form) => !had.has(form.formType)))
    await page.request.put(`${api}/own/${formType}`, { headers: origin(), data: { version: 0 } });
});

/** Another person saves a version of the form. */
async function saveByApi(page: Page, id: string, title: string, question: string): Promise<void> {
  const item = [{ linkId: 'q1', type: 'string', text: question }];
  const text = JSON.stringify({ resourceType: 'Questionnaire', status: 'active', id, title, item });
  const reply = await page.request.post(api, { headers: origin(), data: { text } });
  expect(reply.ok(), await reply.text()).toBe(true);
}

test('a form with a score is written in both languages, kept over a reload, previewed and saved; a patient reads it in Spanish', async ({
  page,
  browser,
}) => {
  const title = `Mood ${newName()}`;
  await page.goto('/dashboard/settings/forms');
  await button(page, 'Write a form').press('Enter');
  const editor = page.getByRole('dialog', { name: 'Write a form' });
  await expect(editor.getByLabel('Title in English')).toBeFocused();
  await button(editor, 'Save form').click();
  await expect(editor.getByText('Enter the English wording.')).toBeVisible();
  await expect(editor.getByText('Add a question first.')).toBeVisible();
  await expect(editor.getByLabel('Title in English')).toBeFocused();
  await expectAccessible(page);
  await editor.getByLabel('Title in English').fill(title);
  await editor.getByLabel('Title in Spanish').fill('Ánimo');
  for (const kind of ['One choice', 'Score']) {
    await editor.getByLabel('What to add').selectOption(kind);
    await button(editor, 'Add').click();
  }
  const choice = editor.getByRole('listitem', { name: '1. One choice' });
  await choice.getByLabel('Wording in English').fill('How do you feel?');
  await choice.getByLabel('Wording in Spanish').fill('¿Cómo se siente?');
  for (const [i, [en, es]] of [['Good', 'Bien'] as const, ['Bad', 'Mal'] as const].entries()) {
    await choice.getByLabel(`Option ${i + 1} in English`).fill(en);
    await choice.getByLabel(`Option ${i + 1} in Spanish`).fill(es);
    await choice.getByLabel(`Points of option ${i + 1}`).fill(String(i * 3));
  }
  await button(choice, 'Delete option 2').click();
  await expect(choice.getByLabel('Option 2 in English')).toBeHidden();
  await button(page, 'Undo').click();
  await expect(choice.getByLabel('Option 2 in English')).toHaveValue('Bad');
  await choice.getByLabel('Option 2 in English').fill('good');
  await button(editor, 'Save form').click();
  await expect(choice.getByText('Another option has the same words.')).toBeVisible();
  await expectAccessible(page);
  await choice.getByLabel('Option 2 in English').fill('Bad');
  const score = editor.getByRole('listitem', { name: '2. Score' });
  await score.getByLabel('Wording in English').fill('Total');
  await expect(editor.getByText('1 wording has no Spanish')).toBeVisible();
  await score.getByLabel('Wording in Spanish').fill('Suma');
  await expectAccessible(page);

  await page.reload();
  await button(page, 'Write a form').click();
  await expect(editor.getByText('This is what you typed before.')).toBeVisible();
  await expect(editor.getByLabel('Title in English')).toHaveValue(title);
  await expectAccessible(page);
  await button(editor, 'Preview').click();
  const preview = page.getByRole('region', { name: 'The patient’s phone' });
  await preview.getByRole('radio', { name: 'Bad' }).check();
  await expect(preview.getByText('3', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(button(editor, 'Preview')).toBeFocused();
  await button(editor, 'Save form').click();
  await expect(page.getByRole('switch', { name: `Ask for ${title}` })).toBeFocused();
  await expect(editor).toBeHidden();

  await button(page, 'Save').click();
  await expect(page.getByText('All changes saved')).toBeVisible();

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage();
  await phone.goto(`/visit/${await checkInByApi(newName())}`);
  await button(phone, 'Español').click();
  await phone.getByRole('link', { name: /^Ánimo/ }).click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Ánimo');
  await expect(phone.getByRole('group', { name: '¿Cómo se siente?' })).toBeVisible();
  await phone.getByRole('radio', { name: 'Mal' }).check();
  await expect(phone.getByText('Suma')).toBeVisible();
  await expect(phone.getByText('3', { exact: true })).toBeVisible();
  await expectAccessible(phone);
});

test('a saved form is edited by keyboard alone; a colleague’s newer version stops the save, and nothing is lost', async ({
  page,
}) => {
  const title = `Diet ${newName()}`;
  const id = title.replace(' ', '-').toLowerCase();
  await saveByApi(page, id, title, 'What do you eat?');
  const opens = async () => {
    await tabTo(page, button(page, `More about ${title}`), 150);
    await page.keyboard.press('Enter');
    const item = page.getByRole('menuitem', { name: 'Edit questions' });
    for (let n = 0; n < 8 && !(await item.evaluate((node) => node === document.activeElement)); n++)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };
  await page.goto('/dashboard/settings/forms');
  await opens();
  const editor = page.getByRole('dialog', { name: `Edit ${title}` });
  await expect(editor.getByLabel('Title in English')).toHaveValue(title);
  await tabTo(page, editor.getByLabel('What to add'));
  await page.keyboard.type('Yes or no');
  await tabTo(page, button(editor, 'Add'));
  await page.keyboard.press('Enter');
  const added = editor.getByRole('listitem', { name: '2. Yes or no' });
  await expect(added.getByLabel('Wording in English')).toBeFocused();
  await page.keyboard.type('Do you eat meat?');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(button(editor, 'Move 2. Yes or no up')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('listitem', { name: '1. Yes or no' })).toBeVisible();
  await expect(button(editor, 'Move 1. Yes or no up')).toBeFocused();
  await tabTo(page, button(editor, 'Save as version 2'));
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${title}: version 2 is in use`)).toBeVisible();
  await expect(editor).toBeHidden();

  await page.goto('/dashboard/settings/forms');
  await opens();
  await expect(button(editor, 'Save as version 3')).toBeVisible();
  await tabTo(page, editor.getByRole('listitem', { name: '1. Yes or no' }).getByLabel('Wording in English'));
  await page.keyboard.press('End');
  await page.keyboard.type(' Or fish?');
  await saveByApi(page, id, title, "A colleague's question");
  await tabTo(page, button(editor, 'Save as version 3'));
  await page.keyboard.press('Enter');
  await expect(editor.getByText('Version 3 is in use now. It stays available if you save yours.')).toBeInViewport();
  await expect(editor.getByLabel('Wording in English').first()).toHaveValue('Do you eat meat? Or fish?');
  await expectAccessible(page);
  const over = button(editor, 'Save mine after theirs');
  for (let n = 0; n < 20 && !(await over.evaluate((node) => node === document.activeElement)); n++)
    await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${title}: version 4 is in use`)).toBeVisible();
  const saved = await formCalled(page, title);
  expect(saved.version).toBe(4);
});

test.describe('in Spanish, in the dark, on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true });

  test('the editor fits a phone', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('anteroom.language', 'es'));
    await page.goto('/dashboard/settings/forms');
    await button(page, 'Escribir un formulario').click();
    const editor = page.getByRole('dialog');
    for (const kind of ['group', 'choice', 'score']) {
      await editor.locator('select').selectOption(kind);
      await editor.getByRole('button', { name: 'Agregar', exact: true }).click();
    }
    await editor.getByRole('button', { name: 'Guardar el formulario' }).click();
    await expect(editor.locator('[aria-invalid]').first()).toBeFocused();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
