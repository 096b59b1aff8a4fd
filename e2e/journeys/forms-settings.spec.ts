import { expect, test, type Locator, type Page } from '#e2e/helpers/journey.ts';
import { checkInByApi, newName } from '#e2e/helpers/patient-phone.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

test.use({ storageState: sessionFileOf(staff.dana) });

const spanish = (content: string) => ({
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/translation',
      extension: [
        { url: 'lang', valueCode: 'es' },
        { url: 'content', valueString: content },
      ],
    },
  ],
});
/** A different form in each run. */
const title = `Mood ${newName()}`;
const id = title.replace(' ', '-').toLowerCase();
const mood = (called = title) => ({
  resourceType: 'Questionnaire',
  id,
  status: 'active',
  title: called,
  _title: spanish('Ánimo'),
  item: [
    { linkId: '1', type: 'boolean', text: 'Do you sleep well?', _text: spanish('¿Duerme bien?'), required: true },
    {
      linkId: '2',
      type: 'string',
      text: 'What keeps you awake?',
      _text: spanish('¿Qué le quita el sueño?'),
      required: true,
      enableWhen: [{ question: '1', operator: '=', answerBoolean: false }],
    },
  ],
});
const when = (question: string) => [{ question, operator: 'exists', answerBoolean: true }];
const circle = {
  resourceType: 'Questionnaire',
  item: [
    { linkId: 'a', type: 'string', text: 'A', enableWhen: when('b') },
    { linkId: 'b', type: 'string', text: 'B', enableWhen: when('a') },
  ],
};

/** Four questions with the same flaw. */
const wordless = {
  resourceType: 'Questionnaire',
  id: `${id}-wordless`,
  title: 'Wordless',
  item: ['a', 'b', 'c', 'd'].map((linkId) => ({ linkId, type: 'string' })),
};

const fhir = 'http://hl7.org/fhir/StructureDefinition';
const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire';
const fhirPath = (expression: string) => ({ valueExpression: { language: 'text/fhirpath', expression } });
/** A picture at a choice. */
const picture = (color: string, title: string) => ({
  url: `${sdc}-itemAnswerMedia`,
  valueAttachment: {
    contentType: 'image/svg+xml',
    data: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64"><circle cx="48" cy="32" r="30" fill="${color}"/></svg>`,
    ).toString('base64'),
    title,
  },
});
/** A form with a rule of its own, answers that depend on other answers, a text with a layout, and a group that is folded. */
const stay = {
  resourceType: 'Questionnaire',
  id: `${id}-stay`,
  title: `Stay ${title}`,
  item: [
    {
      linkId: 'stay',
      type: 'group',
      text: 'Your stay',
      item: [
        {
          linkId: 'read',
          type: 'display',
          text: 'Please bring your card and your list of medicines.',
          _text: {
            extension: [
              {
                url: `${fhir}/rendering-markdown`,
                valueMarkdown: 'Please bring:\n\n- **your card**\n- your [list](https://example.org/list) of medicines',
              },
            ],
          },
        },
        { linkId: 'from', type: 'integer', text: 'First day' },
        {
          linkId: 'to',
          type: 'integer',
          text: 'Last day',
          extension: [
            {
              url: `${fhir}/questionnaire-constraint`,
              extension: [
                { url: 'key', valueId: 'order' },
                { url: 'severity', valueCode: 'error' },
                {
                  url: 'expression',
                  valueString: "%resource.descendants().where(linkId='from').answer.value <= answer.value",
                },
                { url: 'human', valueString: 'The last day is before the first.' },
              ],
            },
          ],
        },
        {
          linkId: 'meals',
          type: 'choice',
          text: 'Which meals?',
          repeats: true,
          answerOption: [
            { valueCoding: { code: 'b', display: 'Breakfast' }, extension: [picture('orange', 'A rising sun')] },
            { valueCoding: { code: 'd', display: 'Dinner' }, extension: [picture('navy', 'Dinner')] },
          ],
        },
        {
          linkId: 'best',
          type: 'choice',
          text: 'Which one matters most?',
          extension: [
            {
              url: `${sdc}-answerExpression`,
              ...fhirPath("%resource.descendants().where(linkId='meals').answer.value"),
            },
          ],
        },
        {
          linkId: 'more',
          type: 'group',
          text: 'Anything else',
          extension: [{ url: `${sdc}-collapsible`, valueCode: 'default-closed' }],
          item: [{ linkId: 'note', type: 'string', text: 'A note' }],
        },
      ],
    },
  ],
};

interface Settings {
  forms: { type: string; visibleName: { en: string; es: string } }[];
}
let before: Settings;
const api = '/api/office/forms';
const origin = () => ({ origin: process.env.E2E_BASE_URL ?? '' });
test.beforeEach(async ({ page }) => {
  before = (await (await page.request.get(api)).json()) as Settings;
});
test.afterEach(async ({ page }) => {
  await page.request.put(api, { headers: origin(), data: { forms: before.forms } });
  await page.request.put(`${api}/own/${id}`, { headers: origin(), data: { version: 0 } });
});

const rows = (page: Page) => page.locator('main ol > li');
const names = (page: Page) => rows(page).getByRole('heading').locator('bdi').allTextContents();
const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: true });
const picks = async (page: Page, name: string, content: unknown) => {
  const buffer = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer });
};
const fits = async (page: Page) => {
  await expectAccessible(page);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const whole = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return { scrollWidth, scrollHeight };
  });
  expect(whole.scrollWidth).toBeLessThanOrEqual(width);
  expect(whole.scrollHeight).toBeLessThanOrEqual(height);
};

test('several files are chosen at once, checked one after the other, and one of them is skipped', async ({ page }) => {
  const named = (name: string, content: unknown) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  });
  const form = (nth: number) => ({ ...mood(`${title} ${nth}`), id: `${id}-of-many-${nth}` });
  await page.goto('/dashboard/settings/forms');
  await button(page, 'Load a form').click();
  const loader = page.getByRole('dialog', { name: 'Load a form' });
  await page
    .locator('input[type=file]')
    .setInputFiles([named('1.json', form(1)), named('2.json', { resourceType: 'Patient' }), named('3.json', form(3))]);
  await expect(loader.getByText(`${title} 1`)).toBeVisible();
  await expect(loader.getByText('2 more files follow.')).toBeVisible();
  await expectAccessible(page);
  await button(loader, 'Load').click();
  await expect(loader.getByText('2.json')).toBeVisible();
  await expect(loader.getByText('1 more file follows.')).toBeVisible();
  await button(loader, 'Skip this file').click();
  await expect(loader.getByText(`${title} 3`)).toBeVisible();
  await expect(button(loader, 'Skip this file')).toBeHidden();
  await button(loader, 'Load').click();
  await expect(loader).toBeHidden();
  await expect(page.getByRole('switch', { name: `Ask for ${title} 1` })).toBeVisible();
  await expect(page.getByRole('switch', { name: `Ask for ${title} 3` })).toBeVisible();
});

test('a questionnaire is checked, previewed, loaded, ordered and requested; then replaced, switched off and removed', async ({
  page,
}) => {
  await page.goto('/dashboard/settings/forms');
  await expect(rows(page)).toHaveCount(before.forms.length);
  await expectAccessible(page);

  await button(page, 'Load a form').press('Enter');
  const loader = page.getByRole('dialog', { name: 'Load a form' });
  await expect(button(loader, 'Choose a file')).toBeFocused();
  await expectAccessible(page);
  await picks(page, 'circle.json', circle);
  await expect(loader.getByText('would never be asked: a → b → a')).toBeVisible();
  await expect(loader.getByText('Line 8')).toBeVisible();
  await expect(button(loader, 'Load')).toBeHidden();
  await expectAccessible(page);
  await button(loader, 'Choose another file').click();
  await picks(page, 'wordless.json', wordless);
  await expect(loader.getByText('This question has no words.')).toHaveCount(1);
  await loader.getByText('3 more like this').click();
  await expect(loader.getByText('This question has no words.')).toHaveCount(4);
  await expect(loader.getByText('item[3].text')).toBeVisible();
  await expectAccessible(page);
  await button(loader, 'Choose another file').click();
  await picks(page, 'scan.pdf', '%PDF-1.7 \0');
  await expect(loader.getByText('This file is not JSON (scan.pdf)')).toBeVisible();
  await button(loader, 'Choose another file').click();
  await loader.getByLabel('Or paste its text').fill(JSON.stringify(mood()));
  await button(loader, 'Check the pasted text').click();
  await expect(loader.getByText('It becomes a new form, version 1.')).toBeVisible();
  await expectAccessible(page);

  await button(loader, 'Preview').click();
  const preview = page.getByRole('dialog', { name: title });
  const phone = preview.getByRole('region', { name: 'The patient’s phone' });
  await button(phone, 'Submit').click();
  await expect(phone.getByText('Please answer this question.')).toBeVisible();
  await phone.getByRole('radio', { name: 'No' }).check();
  await expectAccessible(page);
  await button(preview, 'Español').click();
  await phone.getByLabel('¿Qué le quita el sueño?').fill('El ruido');
  await button(preview, 'English').click();
  await expect(phone.getByLabel('What keeps you awake?')).toHaveValue('El ruido');
  await button(phone, 'Submit').click();
  await expect(phone.getByText('This was a preview: nothing was saved or sent.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(button(loader, 'Preview')).toBeFocused();

  await button(loader, 'Load').click();
  await expect(page.getByRole('switch', { name: `Ask for ${title}` })).toBeFocused();
  await expect(page.getByText('new: save to ask for it')).toBeVisible();
  const up = button(page, `Move ${title} up`);
  await up.press('Enter');
  await up.press('Enter');
  await expect(page.getByText(`${title}: now ${before.forms.length - 1} of ${before.forms.length + 1}`)).toBeAttached();
  await expect(up).toBeFocused();
  await button(page, `Edit ${title}`).click();
  await page.getByLabel('Its name in English').fill('How you sleep');
  await page.getByLabel('When it is asked').selectOption('day');
  await page.getByLabel('Day after the visit').fill('soon');
  await button(page, 'Save').click();
  await expect(page.getByLabel('Day after the visit')).toBeFocused();
  await expect(page.getByText('Enter a day from 0 to 365.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('When it is asked').selectOption('checkin');
  await page.route(`**${api}`, (route) => route.abort());
  await button(page, 'Save').click();
  await expect(page.getByText('Not saved:')).toBeVisible();
  await page.unroute(`**${api}`);
  await button(page, 'Save').click();
  await expect(page.getByText('All changes saved')).toBeVisible();
  const saved = await names(page);
  expect(saved.indexOf('How you sleep')).toBe(before.forms.length - 2);

  const token = await checkInByApi(newName());
  const visit = await page.context().newPage();
  await visit.goto(`/visit/${token}`);
  await expect(visit.getByRole('link', { name: /Not started/ })).toHaveText(saved.map((name) => new RegExp(name)));
  await visit.close();

  // Dragged by its handle; Escape restores it.
  const [first, second] = [rows(page).nth(0), rows(page).nth(1)];
  const [from, to] = [await first.locator('[data-tip]').first().boundingBox(), await second.boundingBox()];
  if (!from || !to) throw new Error('nothing to drag');
  const grab = async () => {
    await page.mouse.move(from.x + 10, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 10, to.y + to.height - 4, { steps: 4 });
  };
  const swapped = [saved[1], saved[0], ...saved.slice(2)];
  await grab();
  expect(await names(page)).toEqual(swapped);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await names(page)).toEqual(saved);
  await grab();
  await page.mouse.up();
  expect(await names(page)).toEqual(swapped);

  // A colleague saves in the meantime.
  await page.request.put(api, { headers: origin(), data: { forms: before.forms } });
  await expect(page.getByText('A colleague changed these settings while you were editing.')).toBeVisible();
  await button(page, 'Show theirs').click();
  await expect(page.getByText('All changes saved')).toBeVisible();

  const more = async (name: string, item: string) => {
    await button(page, `More about ${name}`).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await more(title, 'Replace with a file…');
  await picks(page, 'mood.json', mood(`${title}, again`));
  await expect(page.getByText('It becomes version 2 and replaces version 1.')).toBeVisible();
  await button(page, 'Replace').click();
  await expect(page.getByRole('heading', { name: `${title}, again` })).toBeVisible();
  await more(`${title}, again`, 'Revert to previous version');
  await expect(page.getByText('The previous version is in use again')).toBeVisible();
  await more(`${title}, again`, 'Remove from list');
  await expect(button(page, `Ask patients for it ${title}`)).toBeVisible();
  const last = before.forms.at(-1)?.visibleName.en ?? '';
  await more(last, 'Remove from list');
  await expect(page.getByText(`${last} will be removed from the list when you save.`)).toBeVisible();
  await button(page.getByRole('main'), 'Undo').press('Enter');
  await expect(button(page, `More about ${last}`)).toBeFocused();
  await expect(page.getByText('All changes saved')).toBeVisible();
  await more(title, 'Remove this form');
  await page.getByText(/^Removed forms/).click();
  await expectAccessible(page);
  await button(page, `Restore ${title}, again`).click();
  await expect(button(page, `Ask patients for it ${title}, again`)).toBeVisible();
});

test("the practice's own privacy notice is saved, and the patient's consent links it", async ({ page, browser }) => {
  const address = page.getByLabel('Address of your notice');
  try {
    await page.goto('/dashboard/settings/forms');
    await address.fill('http://www.maple.test/privacy');
    await button(page, 'Save address').click();
    await expect(page.getByText('Enter an address that starts with https://.')).toBeVisible();
    await expect(address).toBeFocused();
    await expectAccessible(page);
    await address.fill('www.maple.test/privacy');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await expect(address).toHaveValue('https://www.maple.test/privacy');

    const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    await phone.goto(`/visit/${await checkInByApi(newName())}`);
    await phone.getByRole('link', { name: 'Consent Not started' }).click();
    await expect(phone.getByText('Our Notice of Privacy Practices: https://www.maple.test/privacy')).toBeVisible();
    const link = phone.locator('a[href="https://www.maple.test/privacy"]');
    await expect(link).toHaveText('Read more');
    await expectAccessible(phone);
  } finally {
    await page.request.put('/api/office/privacy-notice', { headers: origin(), data: { url: '' } });
  }
  await page.reload();
  await expect(address).toHaveValue('');
});

test.describe('in Spanish, in the dark, on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, colorScheme: 'dark', hasTouch: true });

  test('forms settings fit a small phone in every state and can be used', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('anteroom.language', 'es'));
    await page.goto('/dashboard/settings/forms');
    await button(page, 'Editar Identificación').click();
    await expect(page.getByLabel('Su nombre en español')).toBeVisible();
    await fits(page);
    await button(page, 'Cargar un formulario').click();
    await picks(page, 'circle.json', circle);
    await expect(page.getByText('nunca se preguntarían')).toBeVisible();
    await fits(page);
    await button(page, 'Elegir otro archivo').click();
    await picks(page, 'mood.json', mood());
    await button(page, 'Vista previa').click();
    await expect(page.getByText('¿Duerme bien?')).toBeVisible();
    await fits(page);
  });
});

test('a form with its own rules, dependent answers and layout works as a patient sees it', async ({ page }) => {
  await page.goto('/dashboard/settings/forms');
  await button(page, 'Load a form').click();
  const loader = page.getByRole('dialog', { name: 'Load a form' });
  await picks(page, 'stay.json', stay);
  await button(loader, 'Preview').click();
  const preview = page.getByRole('dialog', { name: stay.title });
  const phone = preview.getByRole('region', { name: 'The patient’s phone' });
  await expect(phone.getByRole('listitem').filter({ hasText: 'your card' })).toBeVisible();
  await expect(phone.getByRole('link', { name: 'list' })).toHaveAttribute('href', 'https://example.org/list');
  await expect(phone.getByLabel('A note')).toBeHidden();
  await phone.getByText('Anything else').click();
  await expect(phone.getByLabel('A note')).toBeVisible();
  await phone.getByLabel('First day').fill('5');
  await phone.getByLabel('Last day').fill('3');
  await expect(phone.getByRole('img', { name: 'A rising sun' })).toBeVisible();
  await phone.getByRole('checkbox', { name: 'Dinner', exact: true }).check();
  await phone.getByRole('radio', { name: 'Dinner' }).check();
  await expect(phone.getByRole('radio', { name: 'Breakfast' })).toHaveCount(0);
  await button(phone, 'Submit').click();
  await expect(phone.getByText('The last day is before the first.')).toBeVisible();
  await expect(phone.getByLabel('Last day')).toBeFocused();
  await expectAccessible(page);
  await phone.getByLabel('Last day').fill('7');
  await expect(phone.getByText('The last day is before the first.')).toBeHidden();
  await button(phone, 'Submit').click();
  await expect(phone.getByText('This was a preview: nothing was saved or sent.')).toBeVisible();
  await expectAccessible(page);
});
