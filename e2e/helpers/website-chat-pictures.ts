import { expect, type Browser, type Page } from '#e2e/helpers/journey.ts';
import { patientTexts } from '#e2e/helpers/patient-texts.ts';
import { expectAccessible } from '#e2e/helpers/queue-desk.ts';
import { chatOf, logOf, thread, replyBox, answerVisitor, picture, shoot } from '#e2e/helpers/website-chat.ts';

const pngOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });

/** The visitor's pictures: two that are refused at once, one that a reload keeps, and one that the server refuses and a reload keeps so. */
export async function sendPictures(page: Page, desk: Page): Promise<void> {
  const chat = chatOf(page);
  const input = chat.getByLabel('Picture', { exact: true });
  const mine = chat.getByAltText('The picture you are sending');
  const reload = async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Chat with us' }).click();
  };
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
  await expect(chat.getByText('Only PNG and JPEG pictures can be sent.')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-wrong-type');
  await input.setInputFiles(pngOf('large.png', Buffer.alloc(10_000_001)));
  await expect(chat.getByText('This picture is too large. Send one of 10 MB at most.')).toBeVisible();
  await expectAccessible(page);
  await input.setInputFiles(pngOf('door.png', picture));
  await expect(mine).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-picture-attached');
  await reload();
  await expect(mine).toBeVisible();
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(logOf(page).getByAltText('Picture')).toBeVisible();
  await expect(thread(desk).getByRole('img').last()).toBeVisible();
  await expectAccessible(desk);
  await shoot(desk, 'chatbox-picture');
  await input.setInputFiles(pngOf('broken.png', Buffer.from('not a picture')));
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  // What to do about it is in sight without scrolling, and there is no picture to show.
  const tryAgain = chat.getByRole('button', { name: 'Try again' });
  await expect(tryAgain).toBeInViewport({ ratio: 1 });
  await expect(logOf(page).getByText('broken.png')).toBeVisible();
  await expect(mine).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, 'widget-picture-refused');
  let uploads = 0;
  page.on('request', (request) => (uploads += Number(request.method() === 'POST' && /messages$/.test(request.url()))));
  await reload();
  await expect(tryAgain).toBeVisible();
  await expect(logOf(page).getByText('broken.png')).toBeVisible();
  expect(uploads).toBe(0);
  await chat.getByRole('button', { name: 'Delete' }).click();
}

/** The visitor reads further up while the desk answers. */
export async function scrollUpAndMiss(page: Page, desk: Page): Promise<void> {
  const log = logOf(page);
  await answerVisitor(
    desk,
    ['Our hours:', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Nobody on weekends.'].join('\n'),
  );
  await expect(log.getByText('Nobody on weekends.')).toBeInViewport();
  await log.evaluate((element) => element.scrollTo({ top: 0, behavior: 'instant' }));
  await answerVisitor(desk, 'We open at nine.');
  const below = chatOf(page).getByRole('button', { name: 'New messages below' });
  await expect(below).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-new-below');
  await below.click();
  await expect(log.getByText('We open at nine.')).toBeInViewport();
  await expect(below).toBeHidden();
}

/** The desk sends a picture to the visitor who has left: the link in the text opens it on one device. */
export async function textPicture(browser: Browser, desk: Page, sent: () => Promise<string>): Promise<void> {
  await thread(desk).getByLabel('Picture', { exact: true }).setInputFiles(pngOf('map.png', picture));
  await expect(thread(desk).getByText('The patient gets a text with a link to this picture.')).toBeVisible();
  await expectAccessible(desk);
  await shoot(desk, 'chatbox-attached');
  await replyBox(desk).fill('The way to us');
  await desk.keyboard.press('Control+Enter');
  await expect.poll(sent).toMatch(/\/files\/[\w-]{64}/);
  const link = /\/files\/[\w-]{64}/.exec(await sent())?.[0] ?? '';
  const own = await (await browser.newContext({ colorScheme: 'dark' })).newPage();
  await own.goto(link);
  await expect(own.getByRole('heading', { name: 'Maple Street Pediatrics sent you a picture' })).toBeVisible();
  await expectAccessible(own);
  await shoot(own, 'texted-picture');
  await own.getByRole('button', { name: 'Show the picture' }).click();
  await expect(own.getByRole('img')).toBeVisible();
  const other = await (await browser.newContext({ locale: 'es-US' })).newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'Esta imagen ya se abrió en otro lugar' })).toBeVisible();
  await expectAccessible(other);
  await shoot(other, 'texted-picture-elsewhere-es');
}

/** The pictures do not load; then the number gets no texts any more. */
export async function seeNoPictureAndNoTexts(page: Page, desk: Page, phone: string): Promise<void> {
  const chat = chatOf(page);
  await page.route('**/files/**', (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: 'Chat with us' }).click();
  const problem = logOf(page).getByText('The picture could not be loaded.');
  await expect(problem.first()).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-picture-missing');
  await page.unroute('**/files/**');
  for (let left = await problem.count(); left > 0; left--) {
    await problem.first().getByRole('button', { name: 'Try again' }).click();
    await expect(problem).toHaveCount(left - 1);
  }
  await patientTexts(desk, phone, 'STOP');
  await page.reload();
  await page.getByRole('button', { name: 'Chat with us' }).click();
  await expect(
    chat.getByText(`Your number ending in ${phone.slice(-2)} gets no texts from us. You see answers here.`),
  ).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'widget-no-texts');
}

/** The phone's chat ends by itself, as after a day, while something is typed: the next one has it in its box. */
