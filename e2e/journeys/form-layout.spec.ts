import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import {
  openForm,
  readFormSettings,
  requestOwnForm,
  restoreFormSettings,
  type FormSettings,
} from '#e2e/helpers/own-form.ts';
import { newName } from '#e2e/helpers/patient-phone.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { staff, sessionFileOf } from '#e2e/helpers/staff.ts';

test.use({ storageState: sessionFileOf(staff.dana) });

let before: FormSettings;
test.beforeEach(async ({ page }) => {
  before = await readFormSettings(page);
});
test.afterEach(({ page }) => restoreFormSettings(page, before));

const base = 'http://hl7.org/fhir/StructureDefinition/';
const sideBySide = { url: `${base}questionnaire-choiceOrientation`, valueCode: 'horizontal' };
const control = (code: string) => ({
  url: `${base}questionnaire-itemControl`,
  valueCodeableConcept: { coding: [{ code }] },
});
const choice = (linkId: string, ...labels: string[]) => ({
  linkId,
  type: 'choice',
  text: `Question ${linkId}`,
  extension: [sideBySide, control('radio-button')],
  answerOption: labels.map((display, i) => ({ valueCoding: { code: `${i}`, display } })),
});

const formOf = (title: string, item: object[]) => ({
  resourceType: 'Questionnaire',
  status: 'active',
  id: title.replace(' ', '-').toLowerCase(),
  title,
  item,
});

/** The words of the options on the screen that are in more than one line. Runs in the page. */
function brokenWords(): string[] {
  const broken: string[] = [];
  for (const label of document.querySelectorAll('label:has(input[type="radio"])')) {
    const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[^\s-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
  }
  return broken;
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test('no option beside another one is broken inside a long word on a narrow phone', async ({ page, browser }) => {
  const form = formOf(`Wide ${newName()}`, [
    { linkId: 'yes', type: 'boolean', text: 'Hospitalized?' },
    choice('1', 'Unsatisfactory', 'Satisfactory', 'Extraordinarily satisfactory'),
    choice('2', 'Otorhinolaryngologist', 'Gastroenterologist', 'None'),
    choice('3', 'Completamente insatisfecho', 'Moderadamente', 'Extremadamente insatisfecho'),
    choice('4', 'Never', 'Approximately every fortnight', 'Uninterruptedly'),
  ]);
  await requestOwnForm(page, before, form);
  for (const width of [320, 360]) {
    const context = await browser.newContext({ viewport: { width, height: 740 }, hasTouch: true });
    const phone = await context.newPage();
    await openForm(phone, form.title);
    await expect(phone.getByRole('radio', { name: 'Uninterruptedly' })).toBeVisible();
    expect(await phone.evaluate(brokenWords)).toEqual([]);
    expect(await widthOf(phone)).toBeLessThanOrEqual(width);
    // Short options stay beside each other.
    const [yes, no] = await Promise.all(
      ['Yes', 'No'].map((name) => phone.getByText(name, { exact: true }).boundingBox()),
    );
    expect(yes?.y).toBe(no?.y);
    await expectAccessible(phone);
    await context.close();
  }
});

test('groups without a text are numbered pages; the name of the form is on each page once', async ({
  page,
  browser,
}) => {
  const group = (linkId: string, text?: string) => ({
    linkId,
    type: 'group',
    ...(text && { text }),
    item: [{ linkId: `${linkId}.a`, type: 'string', text: `What about ${linkId}?` }],
  });
  const form = formOf(`Plain ${newName()}`, [group('sleep'), group('food'), group('sport', 'Sports')]);
  await requestOwnForm(page, before, form);
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true });
  const phone = await context.newPage();
  await openForm(phone, form.title);
  for (const title of [form.title, 'Page 2', 'Sports']) {
    await expect(phone.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(phone.getByRole('main').getByText(form.title)).toHaveCount(1);
    await expect(phone.getByRole('heading', { level: 2 })).toHaveCount(0);
    await phone.getByRole('button', { name: 'Next', exact: true }).click();
  }
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Review your answers');
  await expect(phone.getByRole('heading', { level: 2 })).toHaveText(['Page 1', 'Page 2', 'Sports']);
  await context.close();
});
