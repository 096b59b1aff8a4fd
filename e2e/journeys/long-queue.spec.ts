import { randomUUID } from 'node:crypto';
import { expect, test, type Browser, type Locator, type Page } from '#e2e/helpers/journey.ts';
import type { QueueChanges, QueueEntry } from '#contract/queue.ts';
import { checkInPatient, cardOf, openDesk } from '#e2e/helpers/queue-desk.ts';

/** A queue of 240 patients, scrolled to its middle. Its rows are copies of a real one, so that the test controls when they move. */
interface LongQueue {
  page: Page;
  /** A card in the middle of the list. */
  card: () => Promise<Card>;
  /** Makes the desk read a queue with one more patient just above this one; the returned function shows them. */
  prepareInsertAbove: (card: Card) => Promise<() => Promise<void>>;
}

interface Card {
  id: string;
  x: number;
  y: number;
}

async function longQueue(page: Page): Promise<LongQueue> {
  let rows: QueueEntry[] | undefined;
  let beforeAnswer: (() => Promise<void>) | undefined;
  await page.route('**/virtual-queue/changes**', async (route) => {
    const url = route.request().url().replace(/\?.*/, '');
    const answer = await route.fetch({ url, headers: { ...route.request().headers(), 'if-none-match': '' } });
    const whole = (await answer.json()) as QueueChanges;
    const model = whole.visits.find(({ statusCode }) => statusCode === 'WAITING');
    if (!model) return route.fulfill({ response: answer });
    rows ??= Array.from({ length: 240 }, (_, i) =>
      patient(model, `Row Number${i}`, Date.now() - 1000 - 240_000 + i * 1000),
    );
    await beforeAnswer?.();
    await route.fulfill({ json: { ...whole, visits: rows } });
  });
  await page.reload();
  const list = page.locator('#queue-cards');
  await expect(list.getByRole('option').first()).toHaveAttribute('aria-setsize', '240');
  await list.evaluate((element) => (element.scrollTop = 4000));
  await expect(list.getByText('Row Number55')).toBeVisible();
  return {
    page,
    card: () => cardInTheMiddle(list),
    prepareInsertAbove: async ({ id }) => {
      const below = rows?.find((row) => row.id === id);
      if (!rows || !below) throw new Error('no such row');
      const name = `Row Inserted${rows.length}`;
      rows = [...rows, patient(below, name, Date.parse(below.createdAt) - 500)];
      const asked = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<void>();
      beforeAnswer = () => (asked.resolve(), answered.promise);
      await checkInPatient(page, 'Hint');
      await asked.promise;
      return async () => {
        answered.resolve();
        await list.getByText(name).waitFor();
      };
    },
  };
}

const patient = (like: QueueEntry, patientName: string, at: number): QueueEntry => ({
  ...like,
  id: randomUUID(),
  patientName,
  activePatients: [{ name: patientName, birthDate: null }],
  createdAt: new Date(at).toISOString(),
  statusAt: new Date(at).toISOString(),
  stillWaitingAt: null,
  unreadMessages: 0,
  unreadText: null,
  patientCovidWarning: false,
  lastMessageState: null,
  textBlock: null,
});

async function cardInTheMiddle(list: Locator): Promise<Card> {
  return list.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const x = left + width / 2;
    for (let y = top + height / 2; y < top + height; y += 4) {
      const card = document.elementFromPoint(x, y)?.closest('[role=option]');
      // Near the middle: the inserted card will appear here.
      if (card && Math.abs(card.getBoundingClientRect().top + 35 - y) < 8)
        return { id: card.id.replace('visit-', ''), x, y };
    }
    throw new Error('no card in the middle of the list');
  });
}

/** Runs in the page: how many cards are in sight as a whole. */
function wholeCards(list: Element): number {
  const { top, bottom } = list.getBoundingClientRect();
  return [...list.querySelectorAll('[role=option]')]
    .map((card) => card.getBoundingClientRect())
    .filter((card) => card.top >= top && card.bottom <= bottom).length;
}

const selected = (page: Page) => new URL(page.url()).searchParams.get('visit');

test('a patient who moves under the mouse between press and release is not selected', async ({ browser }) => {
  const { page, card, prepareInsertAbove } = await longQueue(await openDesk(browser));
  const pressed = await card();
  const insert = await prepareInsertAbove(pressed);
  await page.mouse.move(pressed.x, pressed.y);
  await page.mouse.down();
  await insert();
  await page.waitForTimeout(300);
  // The row under the mouse stays; the new one goes below it until the mouse leaves.
  const under = page.locator(`#visit-${pressed.id}`);
  const box = await under.boundingBox();
  expect(pressed.y).toBeGreaterThan(box!.y);
  expect(pressed.y).toBeLessThan(box!.y + box!.height);
  await page.mouse.up();
  await expect.poll(() => selected(page)).toBe(pressed.id);

  const save = (density: string) =>
    page.request.patch('/api/session/preferences', {
      headers: { origin: new URL(page.url()).origin },
      data: { density },
    });
  try {
    await save('compact');
    await page.goto('/dashboard');
    const closeNotice = page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Close' });
    await expect(page.getByRole('option').first()).toBeVisible();
    for (const notice of await closeNotice.all()) await notice.click();
    await expect.poll(() => page.locator('#queue-cards').evaluate(wholeCards)).toBeGreaterThanOrEqual(14);
  } finally {
    await save('comfortable');
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a patient who moves under the finger before it is lifted is not selected', async ({ browser }) => {
  const touch = { viewport: { width: 1366, height: 768 }, hasTouch: true };
  const { page, card, prepareInsertAbove } = await longQueue(await openDesk(browser, 'dana', touch));
  const pressed = await card();
  const insert = await prepareInsertAbove(pressed);
  const finger = await page.context().newCDPSession(page);
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: pressed.x, y: pressed.y }] });
  await insert();
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForTimeout(500);
  expect([null, pressed.id]).toContain(selected(page));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('holding H down moves one patient to History, not one after another', async ({ browser }) => {
  const page = await openDesk(browser);
  const moved: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/virtual-queue/')) moved.push(request.postData() ?? '');
  });
  const one = await checkInPatient(page, 'Ida');
  const two = await checkInPatient(page, 'Ike', one.name.split(' ')[1]);
  await page.getByRole('searchbox').fill(one.name.split(' ')[1] ?? '');
  await expect(page.getByRole('option')).toHaveCount(2);
  for (const { name } of [two, one]) {
    await cardOf(page, name).click();
    await page.keyboard.press('i');
    await expect(page.getByText('The invitation was sent to the patient').first()).toBeVisible();
    await expect(cardOf(page, name)).toContainText('Invited');
  }
  moved.length = 0;
  for (let i = 0; i < 9; i++) await page.keyboard.down('h');
  await page.keyboard.up('h');
  await expect(cardOf(page, one.name)).toBeHidden();
  await expect.poll(() => moved.length).toBe(1);
  await page.waitForTimeout(500);
  await expect(cardOf(page, two.name)).toContainText('Invited');
  expect(moved).toHaveLength(1);
});

/** A desk whose list shows two patients only; the first is selected, and the list has the focus. */
async function openFirstOfTwo(browser: Browser, [one, other]: [string, string]) {
  const page = await openDesk(browser);
  const first = await checkInPatient(page, one);
  const second = await checkInPatient(page, other, first.name.split(' ')[1]);
  await page.getByRole('searchbox').fill(first.name.split(' ')[1] ?? '');
  await expect(page.getByRole('option')).toHaveCount(2);
  await cardOf(page, first.name).click();
  await expect(page.getByRole('heading', { name: first.name, level: 2 })).toBeVisible();
  await page.getByRole('listbox').focus();
  return { page, first, second };
}

test('keys that follow J at once act on the patient it selected, not on the one still in the pane', async ({
  browser,
}) => {
  const { page, first, second } = await openFirstOfTwo(browser, ['Jo', 'Kit']);

  await page.evaluate(pressAtOnce, ['j', 'i']);
  await expect(cardOf(page, second.name)).toContainText('Invited');
  await expect(page.getByRole('heading', { name: second.name, level: 2 })).toBeVisible();
  await expect(cardOf(page, first.name)).toContainText('Waiting');

  const box = page.getByLabel('Message to patient');
  await page.evaluate(pressAtOnce, ['k', 'm']);
  await expect(box).toBeFocused();
  await page.keyboard.type('Room 4');
  await expect(page.getByRole('heading', { name: first.name, level: 2 })).toBeVisible();
  await expect(box).toHaveValue('Room 4');
  await cardOf(page, second.name).click();
  await expect(page.getByRole('heading', { name: second.name, level: 2 })).toBeVisible();
  await expect(box).toHaveValue('');

  await page.getByRole('listbox').focus();
  await page.evaluate(pressAtOnce, ['k', 'j', 'h']);
  await expect(cardOf(page, second.name)).toBeHidden();
  await expect(cardOf(page, first.name)).toContainText('Waiting');
});

test('letters typed in the moment in which the next patient’s pane appears are all in the message', async ({
  browser,
}) => {
  const { page, second } = await openFirstOfTwo(browser, ['Lea', 'Max']);
  await page.evaluate(typeAsPaneAppears, { key: 'j', letters: [...'Room 4'] });
  await expect(page.getByRole('heading', { name: second.name, level: 2 })).toBeVisible();
  await expect(page.getByLabel('Message to patient')).toHaveValue('Room 4');
});

test('the queue is asked for while the panel’s code loads, and again only if that fails', async ({ browser }) => {
  const page = await openDesk(browser);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/virtual-queue/changes')) asked += 1;
  });
  const first = page.waitForRequest('**/virtual-queue/changes');
  await page.route('**/assets/frame-*.js', async (route) => {
    await first;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(asked).toBe(1);

  await page.route('**/virtual-queue/changes', (route) => (asked === 2 ? route.abort() : route.continue()));
  await page.reload();
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(asked).toBe(3);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

/** Runs in the page: presses a key that selects another patient, and types as soon as the pane shows them, before React's next task. */
function typeAsPaneAppears({ key, letters }: { key: string; letters: string[] }): Promise<void> {
  const pane = document.getElementById('patient-pane');
  const before = pane?.dataset['visit'];
  return new Promise((done) => {
    const observer = new MutationObserver(() => {
      const box = pane?.querySelector<HTMLTextAreaElement>('#message-to-patient textarea');
      if (!pane || !box || pane.inert || pane.dataset['visit'] === before) return;
      observer.disconnect();
      box.focus();
      for (const letter of letters) document.execCommand('insertText', false, letter);
      done();
    });
    if (pane) observer.observe(pane, { attributes: true });
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
}

/** Runs in the page: presses keys before the page can render anything between them. */
function pressAtOnce(keys: string[]): void {
  for (const key of keys)
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}
