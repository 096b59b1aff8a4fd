import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import sharp from 'sharp';
import { checkInByApi, deskApi, loseNetwork, newName } from '#e2e/helpers/patient-phone.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const says = (page: Page, title: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const next = (page: Page) => press(page, 'Next');
const opensForm = async (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
const fits = async (page: Page) => {
  await expectAccessible(page);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
};
const photo = () =>
  sharp({ create: { width: 2600, height: 1600, channels: 3, background: '#37a' } })
    .jpeg()
    .toBuffer();

async function photographs(page: Page, name: string) {
  const opened = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: `Take a photo ${name}` }).click();
  await (await opened).setFiles({ name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: await photo() });
  await expect(page.getByAltText(`${name}: your photo`)).toBeVisible();
}

/** The part that is done has another color than the rest. */
async function showsProgress(page: Page) {
  const bar = sharp(await page.getByRole('progressbar', { name: 'Form progress' }).screenshot());
  const { data, info } = await bar.raw().toBuffer({ resolveWithObject: true });
  const pixelAt = (share: number) => {
    const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width * share)) * info.channels;
    return [...data.subarray(at, at + 3)];
  };
  expect(pixelAt(0.05)).not.toEqual(pixelAt(0.95));
}

test('the insurance card is photographed, resumed after a reload, corrected, reviewed and submitted', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const token = await checkInByApi(newName());
  await page.goto(`/visit/${token}`);
  await expect(page.getByRole('link', { name: 'Insurance Card Not started' })).toBeVisible();
  await fits(page);
  await opensForm(page, 'Insurance Card');
  await says(page, 'Your insurance');
  await page.emulateMedia({ forcedColors: 'active' });
  await showsProgress(page);
  await page.emulateMedia({ forcedColors: 'none' });

  await next(page);
  const card = page.getByRole('radio', { name: 'Yes, and I have the card here' });
  await expect(card).toBeFocused();
  await expect(page.getByText('Please answer this question.')).toBeVisible();
  await fits(page);
  await card.check();
  await expect(page.getByText('Part 1 of 2')).toBeVisible();
  await photographs(page, 'Front of the card');
  await photographs(page, 'Back of the card');
  await fits(page);
  await page.getByRole('radio', { name: 'A parent or guardian' }).check();
  await page.getByLabel('Policyholder’s full name').fill('Ada Byron');
  await page.getByLabel('Month').fill('2');
  await page.getByLabel('Day').fill('30');
  await page.getByLabel('Year').fill('1980');
  await next(page);
  await expect(page.getByLabel('Month')).toBeFocused();
  await expect(page.getByText('Please enter a date that exists.')).toBeVisible();
  await fits(page);
  await page.getByLabel('Day').fill('3');
  await expect(page.getByText('February 3, 1980')).toBeVisible();
  await next(page);

  await says(page, 'What is on the card');
  await page.getByRole('radio', { name: 'No', exact: true }).check();
  await expect(page.getByText('Part 2 of 2')).toBeVisible();
  await page.getByLabel('Insurance company').fill('Blue Cross');
  await page.getByLabel('Member ID').fill('XK 100');
  await page.reload();
  await says(page, 'What is on the card');
  await expect(page.getByLabel('Insurance company')).toHaveValue('Blue Cross');
  await expect(page.getByLabel('Member ID')).toHaveValue('XK 100');
  await page.goBack();
  await says(page, 'Your insurance');
  await expect(page.getByAltText('Back of the card: your photo')).toBeVisible();
  await next(page);
  await says(page, 'What is on the card');
  await next(page);

  await says(page, 'Review your answers');
  await expect(page.getByRole('heading', { name: 'Policyholder', level: 3 })).toBeVisible();
  await expect(page.getByText('February 3, 1980')).toBeVisible();
  await fits(page);
  await press(page, 'Submit');
  await says(page, 'Thank you');
  await expect(page.getByRole('button', { name: 'Next form: Photo ID' })).toBeVisible();
  await fits(page);
  const copy = page.waitForEvent('popup');
  await press(page, 'View your copy');
  await copy;

  await press(page, 'Change your answers');
  await says(page, 'Your insurance');
  await page.getByRole('radio', { name: /I will pay for the visit myself/ }).check();
  await next(page);
  await press(page, 'Submit');
  await says(page, 'Thank you');
  await press(page, 'Back to your visit');
  await expect(page.getByRole('link', { name: 'Insurance Card Done' })).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const secret of ['Blue Cross', 'Ada Byron', token]) expect(kept).not.toContain(secret);
});

/** Agrees to everything on the page of the consent. */
async function agrees(page: Page) {
  await says(page, 'Consent');
  for (const agree of await page.getByRole('checkbox', { name: 'I have read this and I agree' }).all())
    await agree.check();
  await page.getByRole('radio', { name: 'Yes' }).check();
}

test('a consent is signed with the finger, or by the typed name', async ({ page }) => {
  const token = await checkInByApi(newName());
  await page.goto(`/visit/${token}`);
  await opensForm(page, 'Consent');
  await agrees(page);
  await page.getByRole('radio', { name: 'The patient' }).check();
  await page.getByLabel('Full name of the person who signs').fill('Ada Byron');
  await press(page, 'Submit');
  await expect(page.getByText('Please sign here.')).toBeVisible();
  await expect(page.getByText('Some answers are missing or need a correction.')).toBeVisible();
  const pad = page.getByRole('img', { name: 'Field to sign with your finger' });
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  const [x, y] = [box?.x ?? 0, (box?.y ?? 0) + 90];
  // The page that is left sends the step by itself, but the new one could ask for the form before that arrives.
  const step = page.waitForResponse(
    (answer) => answer.ok() && answer.request().method() === 'PUT' && /image\//.test(answer.request().postData() ?? ''),
  );
  await page.mouse.move(x + 40, y);
  await page.mouse.down();
  for (let i = 0; i < 30; i++) await page.mouse.move(x + 40 + i * 6, y + 25 * Math.sin(i / 2));
  await page.mouse.up();
  await expect(page.getByText('Signature saved.')).toBeVisible({ timeout: 30_000 });
  await step;
  await fits(page);
  await page.reload();
  await expect(page.getByAltText('Your signature')).toBeVisible();
  await press(page, 'Type your name instead');
  await expect(page.getByLabel('Your full name, as your signature')).toBeFocused();
  await page.getByLabel('Your full name, as your signature').fill('Ada Byron');
  await press(page, 'Submit');
  await says(page, 'Thank you');
});

/** Holds uploads back until `send` is called, or refuses them. */
async function holdsPictures(page: Page, answer?: { status: number; title: string }) {
  let send = () => undefined as void;
  const isSent = new Promise<void>((resolve) => (send = resolve));
  await page.route('**/form-files?kind=*', async (route) => {
    await isSent;
    if (!answer) return route.continue();
    const { status, title } = answer;
    const problem = { type: 'urn:anteroom:problem:picture_unreadable', status, title, code: 'picture_unreadable' };
    return route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) });
  });
  return () => send();
}

test('Submit right after signing waits for the signature on a slow network, then submits', async ({ page }) => {
  const token = await checkInByApi(newName());
  await page.goto(`/visit/${token}`);
  await opensForm(page, 'Consent');
  await agrees(page);
  await page.getByRole('radio', { name: 'The patient' }).check();
  await page.getByLabel('Full name of the person who signs').fill('Ada Byron');
  const send = await holdsPictures(page);
  const pad = page.getByRole('img', { name: 'Field to sign with your finger' });
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  const [x, y] = [box?.x ?? 0, (box?.y ?? 0) + 90];
  await page.mouse.move(x + 40, y);
  await page.mouse.down();
  for (let i = 0; i < 30; i++) await page.mouse.move(x + 40 + i * 6, y + 25 * Math.sin(i / 2));
  await page.mouse.up();
  await press(page, 'Submit');
  await expect(page.getByText('Saving. We’ll continue when it’s done.')).toBeVisible();
  await page.waitForTimeout(1500);
  await says(page, 'Consent');
  await expect(page.getByText('Please sign here.')).toBeHidden();
  await fits(page);
  send();
  await says(page, 'Thank you');
});

/** Everything on the insurance's first page except the photos. */
async function hasTheCard(page: Page) {
  await page.getByRole('radio', { name: 'Yes, and I have the card here' }).check();
  await page.getByRole('radio', { name: 'The patient' }).check();
}

test('Next while a photo is on its way waits for it; a photo that is refused keeps the page and says why', async ({
  page,
}) => {
  const token = await checkInByApi(newName());
  await page.goto(`/visit/${token}`);
  await opensForm(page, 'Insurance Card');
  await hasTheCard(page);
  const take = async (name: string) => {
    const opened = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: `Take a photo ${name}` }).click();
    await (await opened).setFiles({ name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: await photo() });
  };
  await photographs(page, 'Front of the card');

  const refuse = await holdsPictures(page, { status: 422, title: 'This picture could not be read.' });
  await take('Back of the card');
  await next(page);
  await expect(page.getByText('Saving. We’ll continue when it’s done.')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Sending the photo' })).toBeVisible();
  await expect(page.getByText('Please answer this question.')).toBeHidden();
  refuse();
  await expect(page.getByRole('alert').filter({ hasText: 'This picture could not be read.' })).toBeVisible();
  await says(page, 'Your insurance');
  await fits(page);
  await page.unroute('**/form-files?kind=*');

  const send = await holdsPictures(page);
  await take('Back of the card');
  await next(page);
  await expect(page.getByText('Saving. We’ll continue when it’s done.')).toBeVisible();
  await fits(page);
  send();
  await says(page, 'What is on the card');
  await page.goBack();
  await expect(page.getByAltText('Back of the card: your photo')).toBeVisible();
});

test('Next before the checks are loaded waits for them; without a network it goes on', async ({ page, context }) => {
  const token = await checkInByApi(newName());
  const checks = /form-review-.*\.js$/;
  let load = () => {};
  const asked = new Promise<void>((resolve) => (load = resolve));
  await context.route(checks, async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(`/visit/${token}`);
  await opensForm(page, 'Insurance Card');
  await says(page, 'Your insurance');
  await next(page);
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toHaveAttribute('aria-busy', 'true');
  await says(page, 'Your insurance');
  load();
  await expect(page.getByText('Please answer this question.')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Yes, and I have the card here' })).toBeFocused();

  const offline = await context.newPage();
  await context.unroute(checks);
  await context.route(checks, (route) => route.abort());
  await offline.goto(`/visit/${token}`);
  await opensForm(offline, 'Insurance Card');
  await says(offline, 'Your insurance');
  await next(offline);
  await expect(offline).toHaveURL(/review$/);
});

test('a photo whose upload fails unexpectedly does not count as sent: the page says so and resends it', async ({
  page,
}) => {
  const token = await checkInByApi(newName());
  await page.goto(`/visit/${token}`);
  await opensForm(page, 'Insurance Card');
  await hasTheCard(page);
  await photographs(page, 'Back of the card');

  // A captive portal answers everything with 200.
  const uploads = '**/form-files?kind=*';
  await page.route(uploads, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Free Wi-Fi</p>' }));
  const opened = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Take a photo Front of the card' }).click();
  await (await opened).setFiles({ name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: await photo() });
  await expect(page.getByRole('alert').filter({ hasText: 'Something went wrong. Please try again.' })).toBeVisible();
  await expect(page.getByAltText('Front of the card: your photo')).toHaveCount(0);
  await fits(page);
  await next(page);
  await says(page, 'Your insurance');

  // A limit says how long to wait, and the photo is still there.
  await page.route(uploads, (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '2400' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'urn:anteroom:problem:too_many_tries', title: 'Too many tries.' }),
    }),
  );
  const again = page.getByRole('button', { name: 'Send it again Front of the card' });
  await again.click();
  await expect(page.getByText('Too many tries. You can try again in 40 minutes.')).toBeVisible();
  await fits(page);
  if (process.env.E2E_SHOTS) await page.screenshot({ path: `${process.env.E2E_SHOTS}/upload-failed.png` });
  await page.unroute(uploads);
  await again.click();
  await expect(page.getByAltText('Front of the card: your photo')).toBeVisible();
  await expect(again).toHaveCount(0);
  await next(page);
  await says(page, 'What is on the card');
});

test("without a network the answers are stored and sent later; another phone's changes are a conflict", async ({
  page,
  context,
  browser,
}) => {
  const token = await checkInByApi(newName());
  await page.goto(`/visit/${token}`);
  await opensForm(page, 'Health History');
  await says(page, 'This visit');
  await loseNetwork(context, page);
  await page.getByLabel('What brings you in today?').fill('A cough');
  await press(page, 'Answer this later');
  await says(page, 'Medical history');
  await expect(page.getByText('Saved on this phone until you’re back online.')).toBeVisible();
  await fits(page);
  await context.setOffline(false);
  await expect(page.getByText('Saved on this phone until you’re back online.')).toBeHidden();
  await expect(page.getByText('Saving…')).toBeHidden();

  const other = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await other.goto(`/visit/${token}`);
  await other.getByRole('link', { name: 'Health History In progress' }).click();
  await says(other, 'Medical history');
  await press(other, 'Back');
  await says(other, 'This visit');
  await expect(other.getByLabel('What brings you in today?')).toHaveValue('A cough');
  await other.getByLabel('What brings you in today?').fill('A cough and fever');
  await press(other, 'Answer this later');
  await says(other, 'Medical history');
  await expect(other.getByText('Saving…')).toBeHidden();

  await page.getByRole('checkbox', { name: 'Asthma' }).check();
  await says(page, 'Another phone changed this form');
  await expect(page.getByText('A cough and fever')).toBeVisible();
  await fits(page);
  await press(page, 'Use the other phone’s answers');
  await says(page, 'Medical history');
  await press(page, 'Back');
  await expect(page.getByLabel('What brings you in today?')).toHaveValue('A cough and fever');
  await other.context().close();
});

test('a form requested by text asks about the household once, survives a call to come in, and opens without a network', async ({
  page,
  context,
}) => {
  const desk = await deskApi();
  const phone = newPhone();
  const [parent, child] = [newName(), newName()];
  const token = await checkInByApi(parent, phone, 'Qa', [child]);
  await page.goto(await desk.ask(token, phone, 'insurance-card'));
  await says(page, 'Your insurance');
  await page.getByRole('radio', { name: /I will pay for the visit myself/ }).check();
  await next(page);
  await press(page, 'Submit');
  await says(page, 'Thank you');
  await press(page, 'Back to your visit');

  const ready = page.waitForResponse((answer) => answer.url().endsWith('/photo-id'));
  await opensForm(page, 'Insurance Card Not started');
  await says(page, 'Your insurance');
  await expect(page.getByText(`from the form of ${parent} Qa. Please check it.`)).toBeVisible();
  await expect(page.getByRole('radio', { name: /I will pay for the visit myself/ })).toBeChecked();
  await fits(page);
  await desk.call(token);
  const called = page.getByRole('region', { name: 'Come in now' });
  await expect(called).toBeVisible();
  await fits(page);
  await called.getByRole('button', { name: 'Show my visit' }).click();
  await says(page, 'Come in now');

  await ready;
  await loseNetwork(context, page);
  // Once somebody is called in, their forms are folded.
  await page.getByRole('heading', { name: 'Your forms' }).click();
  await page.getByRole('link', { name: 'Photo ID Not started' }).first().click();
  await says(page, 'Photo ID');
  await desk.close();
});

test('forms fit in Spanish, in the dark, at 320 px and with large text', async ({ browser }) => {
  const context = await browser.newContext({
    colorScheme: 'dark',
    locale: 'es-US',
    viewport: { width: 320, height: 640 },
  });
  const page = await context.newPage();
  await page.goto(`/visit/${await checkInByApi('W'.repeat(40), newPhone(), 'محمد')}`);
  await press(page, 'Español');
  await expect(page.getByRole('heading', { name: 'Sus formularios' })).toBeVisible();
  await fits(page);
  for (const nth of [0, 2, 4]) {
    await page
      .getByRole('link', { name: /Sin empezar|A medias/ })
      .nth(nth)
      .click();
    await page.getByRole('button', { name: /^(Siguiente|Enviar)$/ }).click();
    await expect(page.getByText('Responda esta pregunta.').first()).toBeVisible();
    await fits(page);
    await page.evaluate(() => (document.documentElement.style.fontSize = '28px'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
    await press(page, 'Atrás');
  }
  await context.close();
});
