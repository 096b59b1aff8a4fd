import { expect, test, type Browser, type Page } from '#e2e/helpers/journey.ts';
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

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const says = (page: Page, title: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(title);

let before: FormSettings;
test.beforeEach(async ({ page }) => {
  before = await readFormSettings(page);
});
test.afterEach(({ page }) => restoreFormSettings(page, before));

const calculation = (expression: string) => ({
  url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
  valueExpression: { language: 'text/fhirpath', expression },
});
const answerTo = (linkId: string) => `%resource.descendants().where(linkId='${linkId}').answer.value`;
const thirty = `(${Array.from({ length: 30 }, (_, i) => i).join('|')})`;
/** Runs for seconds until it has too many values, but only for more than a hundred nights: checking the form does not see it. */
const dear = `iif(${answerTo('nights')} > 100, ${thirty}.select(${thirty}.select(${thirty}.select(${thirty}.where($this > 0)))).count(), 1)`;

/** A score of two answers, and a page that is asked only for a high score. */
const sleepForm = (title: string, more: object[] = []) => ({
  resourceType: 'Questionnaire',
  status: 'active',
  id: title.replace(' ', '-').toLowerCase(),
  title,
  item: [
    {
      linkId: 'week',
      type: 'group',
      text: 'Your week',
      item: [
        { linkId: 'nights', type: 'integer', text: 'Bad nights' },
        { linkId: 'days', type: 'integer', text: 'Tired days' },
        {
          linkId: 'score',
          type: 'integer',
          text: 'Sleep score',
          readOnly: true,
          extension: [calculation(`${answerTo('nights')} * 2 + ${answerTo('days')}`)],
        },
        ...more,
      ],
    },
    {
      linkId: 'help',
      type: 'group',
      text: 'More about your sleep',
      enableWhen: [{ question: 'score', operator: '>', answerInteger: 9 }],
      item: [{ linkId: 'since', type: 'string', text: 'Since when?' }],
    },
    { linkId: 'end', type: 'group', text: 'The end', item: [{ linkId: 'wish', type: 'string', text: 'A wish' }] },
  ],
});

/** A patient's phone opens the form. */
async function openOnPhone(page: Page, browser: Browser, form: { id: string; title: string }, withoutWorkers = false) {
  await requestOwnForm(page, before, form);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const phone = await context.newPage();
  if (withoutWorkers) await phone.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'));
  await openForm(phone, form.title);
  await says(phone, 'Your week');
  return phone;
}

test('a form calculates in a worker; Next pressed right after typing leads to the page that the score asks for', async ({
  page,
  browser,
}) => {
  const phone = await openOnPhone(page, browser, sleepForm(`Sleep ${newName()}`));
  expect(phone.workers()).toHaveLength(1);
  await phone.getByLabel('Bad nights').fill('1');
  await phone.getByLabel('Tired days').fill('2');
  await expect(phone.getByText('4', { exact: true })).toBeVisible();
  await phone.getByLabel('Bad nights').fill('7');
  await next(phone);
  await says(phone, 'More about your sleep');
  await phone.getByRole('button', { name: 'Back', exact: true }).click();
  await phone.getByLabel('Bad nights').fill('3');
  await next(phone);
  await says(phone, 'The end');
  await expectAccessible(phone);
});

test('a browser without workers calculates the same on its page', async ({ page, browser }) => {
  const phone = await openOnPhone(page, browser, sleepForm(`Rest ${newName()}`), true);
  expect(phone.workers()).toHaveLength(0);
  await phone.getByLabel('Bad nights').fill('7');
  await phone.getByLabel('Tired days').fill('2');
  await next(phone);
  await says(phone, 'More about your sleep');
});

test('calculations that would take minutes stop nobody from typing, and the form says that it was given up', async ({
  page,
  browser,
}) => {
  const costs = Array.from({ length: 15 }, (_, i) => {
    return { linkId: `cost-${i}`, type: 'integer', text: 'Cost', readOnly: true, extension: [calculation(dear)] };
  });
  const phone = await openOnPhone(page, browser, sleepForm(`Dear ${newName()}`, costs));
  await phone.getByLabel('Bad nights').fill('101');
  await phone.getByLabel('Tired days').focus();
  await phone.evaluate(watchLongTasks);
  await phone.waitForTimeout(500);
  for (const digit of '12345') {
    await phone.keyboard.press(digit);
    await phone.waitForTimeout(200);
  }
  await expect(phone.getByLabel('Tired days')).toHaveValue('12345');
  await next(phone);
  await expect(phone.getByRole('status').filter({ hasText: 'Calculating…' })).toBeVisible();
  // Two deadlines, one for each set of answers.
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('The end', { timeout: 30_000 });
  await expect(phone.getByText('We couldn’t finish this form’s calculations on your phone.')).toBeVisible();
  // On the page's own thread it would be one task of seconds. The limit leaves room for a machine that is busy with other journeys.
  expect(await phone.evaluate(longestTask)).toBeLessThan(1_000);
  await expectAccessible(phone);
});

/** Runs in the page. */
function watchLongTasks(): void {
  const tasks: number[] = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
  Object.assign(globalThis, { tasks });
}

/** Runs in the page. */
const longestTask = (): number => Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks);
