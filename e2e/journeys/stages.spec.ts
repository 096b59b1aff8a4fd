import { formatPhone } from '#contract/phone-format.ts';
import { expect, test, type Page } from '#e2e/helpers/journey.ts';
import { patientTexts } from '#e2e/helpers/patient-texts.ts';
import { newPhone } from '#e2e/helpers/phones.ts';
import { cardOf, checkInPatient, expectAccessible, openDesk, selectPatient } from '#e2e/helpers/queue-desk.ts';

const shots = process.env.E2E_SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

/** Remembers the notes that the panel plays, by their frequency. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const notes: number[] = [];
    Object.assign(window, { notes });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      notes.push(this.frequency.value);
      start.call(this, when);
    };
  });
const notes = (page: Page) => page.evaluate(() => (window as unknown as { notes: number[] }).notes);
const arrivalNote = 880;
const messageNote = 523.25;

/** The words on a card that are cut off, by themselves or by what they stand in. */
function cutOff(card: Element): string[] {
  const isCut = (part: Element) => {
    const edge = part.parentElement?.getBoundingClientRect() ?? new DOMRect();
    const { top, bottom, right } = part.getBoundingClientRect();
    const isWide = part.scrollWidth > part.clientWidth && getComputedStyle(part).overflow !== 'visible';
    return isWide || right > edge.right + 1 || bottom > edge.bottom + 1 || top < edge.top - 1;
  };
  const shown = [...card.querySelectorAll('span')].filter((part) => part.clientWidth > 1);
  return shown.filter(isCut).map((part) => part.textContent);
}

async function runCommand(page: Page, command: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search patients or type a command' }).fill(command);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** Switches this person's sound on or off, whatever it was. */
async function setSound(page: Page, sound: boolean): Promise<void> {
  const headers = { origin: new URL(page.url()).origin };
  const saved = await page.request.patch('/api/session/preferences', { headers, data: { sound } });
  expect(saved.ok(), await saved.text()).toBe(true);
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
}

interface Row {
  patientName: string;
  createdAt: string;
  statusCode: string;
  updateRequired: boolean;
  device: { notificationsEnabled: boolean };
  forms: { needed: number; done: number }[];
}

/** Changes rows of the queue on their way from the server: some states take half an hour, or another version of the program. */
async function rewriteQueue(page: Page, change: (row: Row) => Row): Promise<void> {
  await page.route('**/virtual-queue/changes*', async (route) => {
    const response = await route.fetch();
    if (response.status() !== 200) return route.fulfill({ response });
    const answer = (await response.json()) as { visits: Row[] };
    await route.fulfill({ response, json: { ...answer, visits: answer.visits.map(change) } });
  });
  await page.reload();
  await expect(page.getByRole('listbox')).toBeVisible();
}

const failedPayment = {
  state: 'FAILED',
  amount: 3_000,
  chargeId: '00000000-0000-7000-8000-000000000001',
  transferId: null,
  requested: false,
  refunded: 0,
  recording: 'none',
  chargedTwice: false,
};

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

test('on every page of the panel an arrival and a reply are heard, counted and shown with the name', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  await expect(page.getByRole('banner')).toContainText('Maple Street Pediatrics');
  await setSound(page, true);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Office details', level: 1 })).toBeVisible();
  await listen(page);

  const family = `Qa${Date.now() % 1_000_000}`;
  const { name, phone } = await checkInPatient(page, 'Iris', family);
  await expect(page.getByText(`${name} has arrived`)).toBeVisible();
  await expect(page.getByRole('link', { name: /^Check-in \d+ new$/ })).toBeVisible();
  await expect.poll(() => notes(page)).toContain(arrivalNote);
  expect(await notes(page)).not.toContain(messageNote);
  await expectAccessible(page);
  await shoot(page, 'arrival-in-settings');
  await patientTexts(page, phone, 'We are at the back door');
  await expect(page).toHaveTitle(/^\d+ new messages? · Office details/);
  await expect.poll(() => notes(page)).toContain(messageNote);

  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
  const second = await checkInPatient(page, 'Ivan', family);
  await expect(page.getByRole('link', { name: 'Check-in 1 new' })).toBeVisible();
  await page.getByRole('searchbox').fill(family);
  const color = () => cardOf(page, second.name).evaluate((card) => getComputedStyle(card).backgroundColor);
  // Once the reply is read its card moves, and a card that moves under the pointer is not selected.
  await page.mouse.move(700, 300);
  await page.mouse.move(720, 320);
  await expect(cardOf(page, name)).not.toContainText('unread');
  const highlighted = await color();
  await cardOf(page, second.name).click();
  await expect(page.getByRole('link', { name: 'Check-in', exact: true })).toBeVisible();
  await cardOf(page, name).click();
  await expect(cardOf(page, name)).toHaveAttribute('aria-selected', 'true');
  await page.mouse.move(700, 400);
  expect(await color()).not.toBe(highlighted);
  await setSound(page, false);
});

test('whoever replies HERE is shown by number until the name is known, and is not ready to be called', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const phone = newPhone();
  const headers = { origin: new URL(page.url()).origin };
  const expected = await page.request.post('/api/appointments/addCheckin', { headers, data: { phone: `+1${phone}` } });
  expect(expected.ok(), await expected.text()).toBe(true);
  await patientTexts(page, phone, 'Here');
  await expect(page.getByText(`${formatPhone(phone)} has arrived`)).toBeVisible();
  await page.getByRole('searchbox').fill(phone);
  await expect(cardOf(page, formatPhone(phone))).toContainText('Waiting');
  const ready = page.getByRole('region', { name: 'Patient' }).locator('dl > div', { hasText: 'Ready to call' });
  await expect(ready).not.toContainText(formatPhone(phone));
  await cardOf(page, formatPhone(phone)).click();
  await expect(page.getByRole('heading', { name: formatPhone(phone), level: 2 })).toBeVisible();
  await expect(page.getByText(`${formatPhone(phone)} has arrived`)).toBeHidden();
});

test('a card counts its minutes amber, then red, and says that the page on the phone is out of date', async ({
  browser,
}) => {
  const page = await openDesk(browser, 'dana', { reducedMotion: 'reduce' });
  const { name } = await checkInPatient(page, 'Otto');
  let minutes = 17;
  await rewriteQueue(page, (row) =>
    row.patientName === name
      ? {
          ...row,
          createdAt: minutesAgo(minutes),
          updateRequired: true,
          device: { ...row.device, notificationsEnabled: true },
          forms: row.forms.map((form) => ({ ...form, needed: 2, done: 1 })),
        }
      : row,
  );
  await page.getByRole('searchbox').fill(name);
  await expect(cardOf(page, name)).toContainText(/1\d min ?late/);
  await expect(cardOf(page, name)).toContainText('Old page');
  await expect(cardOf(page, name)).toContainText('5/10');
  // Whoever wants no motion sees cards at once in their place.
  await expect(cardOf(page, name)).toHaveCSS('transition-duration', /^(0s|1e-05s)/);
  await expectAccessible(page);
  minutes = 33;
  await page.reload();
  await page.getByRole('searchbox').fill(name);
  await expect(cardOf(page, name)).toContainText(/3\d min ?very late/);
  await expectAccessible(page);
});

test('on a phone in Spanish a card of a big family shows its whole state', async ({ browser }) => {
  for (const [width, colorScheme] of [
    [390, 'light'],
    [320, 'dark'],
  ] as const) {
    const page = await openDesk(browser, 'luis', { viewport: { width, height: 844 }, colorScheme, locale: 'es-US' });
    const { name } = await checkInPatient(page, 'Familia');
    await rewriteQueue(page, (row) =>
      row.patientName === name
        ? {
            ...row,
            statusCode: 'GOING',
            statusAt: minutesAgo(128),
            stillWaitingAt: minutesAgo(1),
            paymentResponse: failedPayment,
            forms: row.forms.map((form) => ({ ...form, needed: 6, done: 2 })),
          }
        : row,
    );
    await page.getByRole('searchbox').fill(name);
    const card = cardOf(page, name);
    for (const facts of ['En camino', '2 h 8 min', 'Copago', '10/30', 'Aún espera'])
      await expect(card).toContainText(facts);
    await shoot(page, `big-family-${width}`);
    expect(await card.evaluate(cutOff)).toEqual([]);
    await page.context().close();
  }
});

test('with nobody waiting the summary of the day is shown, and compact rows have one line of text', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const { name } = await checkInPatient(page, 'Pia');
  const patient = page.getByRole('region', { name: 'Patient' });
  // Whoever waits longest is one press away.
  const longest = patient.locator('dl > div', { hasText: 'Longest wait' }).getByRole('link');
  const who = (await longest.textContent()) ?? '';
  await longest.click();
  await expect(patient.getByRole('heading', { name: who, level: 2 })).toBeVisible();
  await page.goto('/dashboard');
  await rewriteQueue(page, (row) => (row.statusCode === 'WAITING' ? { ...row, statusCode: 'INVITED' } : row));
  await expect(patient.getByText('Today at a glance')).toBeVisible();
  // The same counts as the chips': a patient who needs the desk is in that stage only.
  const chips = page.getByRole('group', { name: 'Show one stage' }).getByRole('button');
  await expect(chips).toHaveCount(5);
  for (const chip of await chips.all()) await expect(chip).toBeInViewport({ ratio: 1 });
  const countsOf = (texts: readonly string[]) =>
    texts
      .map((text) => text.replace(/\s+/g, ''))
      .filter((text) => /^(Needsyou|Waiting|Called|Ontheway|Inside)\d/.test(text));
  await expect(async () => {
    const ofChips = countsOf(await chips.allTextContents());
    expect(countsOf(await patient.locator('dl > div').allTextContents())).toEqual(ofChips);
  }).toPass();
  await expect(patient.getByText('Longest wait')).toBeHidden();
  await expectAccessible(page);
  await shoot(page, 'glance-nobody-waits');

  await runCommand(page, 'Compact rows');
  await page.getByRole('searchbox').fill(name);
  await expect(cardOf(page, name)).toContainText('Text only');
  expect((await cardOf(page, name).boundingBox())?.height).toBe(28);
  await expectAccessible(page);
  await shoot(page, 'compact');
  await runCommand(page, 'Comfortable rows');
});

test('the selected card stays in its place when its patient writes and needs the desk', async ({ browser }) => {
  const page = await openDesk(browser);
  const { name, phone } = await checkInPatient(page, 'Quinn');
  await selectPatient(page, name);
  await page.getByRole('searchbox').fill('');
  await cardOf(page, name).scrollIntoViewIfNeeded();
  const before = await cardOf(page, name).boundingBox();
  await patientTexts(page, phone, 'Still here');
  await expect(cardOf(page, name)).toContainText('1 unread message');
  const after = await cardOf(page, name).boundingBox();
  expect(Math.abs(after!.y - before!.y)).toBeLessThan(30);
});

test('with sound on, the first click on a fresh page chooses the card that was pressed', async ({ browser }) => {
  const page = await openDesk(browser);
  await setSound(page, true);
  // It goes away with the first click, and the cards below it move up.
  const note = page.getByRole('button', { name: 'Sound is off, turn on' });
  await expect(note).toBeVisible();
  const card = page.getByRole('option').first();
  await card.click();
  await expect(note).toBeHidden();
  await expect(card).toHaveAttribute('aria-selected', 'true');
  await setSound(page, false);
});

test('after closing time those called in are moved to History with one press, and one Undo brings them back', async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const [olga, ona, otto] = [
    await checkInPatient(page, 'Olga'),
    await checkInPatient(page, 'Ona'),
    await checkInPatient(page, 'Otto'),
  ];
  const headers = { origin: new URL(page.url()).origin };
  const queue = (await (await page.request.get('/api/virtual-queue/doctor')).json()) as {
    id: string;
    patient: string;
    statusCode: string;
  }[];
  const names = new Set([olga.name, ona.name]);
  for (const name of names) {
    const id = queue.find(({ patient }) => patient === name)?.id;
    const called = await page.request.post('/api/virtual-queue/', { headers, data: { id, action: 'INVITED' } });
    expect(called.ok(), await called.text()).toBe(true);
  }
  // On this page the practice closes a minute after midnight, and nobody else is in its queue.
  const shown = new Set([olga.name, ona.name, otto.name]);
  await page.route('**/office/queue-settings', async (route) => {
    const response = await route.fetch();
    const settings = (await response.json()) as object;
    const openingHours = Array.from({ length: 7 }, () => ({ open: '00:00', close: '00:01' }));
    await route.fulfill({ response, json: { ...settings, openingHours } });
  });
  await page.route('**/virtual-queue/changes*', async (route) => {
    const response = await route.fetch();
    if (response.status() !== 200) return route.fulfill({ response });
    const answer = (await response.json()) as { visits: Row[] };
    const visits = answer.visits.filter(({ patientName }) => shown.has(patientName));
    await route.fulfill({ response, json: { ...answer, visits } });
  });
  await page.reload();
  const note = page.getByRole('note').filter({ hasText: 'Past closing time' });
  await expect(note).toContainText(otto.name);
  // Otto was never called in, so nobody has seen him.
  const closeTwo = note.getByRole('button', { name: 'Close 2 called-in visits as seen' });
  await expect(closeTwo).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'past-closing');
  await closeTwo.click();
  const toasts = page.getByRole('region', { name: 'Notifications' });
  await expect(toasts.getByText('2 patients moved to History')).toBeVisible();
  await expect(note).not.toContainText(olga.name);
  await expect(note.getByRole('button')).toHaveCount(0);
  await toasts.getByRole('button', { name: 'Undo' }).click();
  await expect(closeTwo).toBeVisible();
  await expect(cardOf(page, ona.name)).toBeVisible();
  // The screen shows them at once. The reload below must not come before the server knows.
  const calledIn = async () => {
    const rows = (await (await page.request.get('/api/virtual-queue/doctor')).json()) as typeof queue;
    return rows.filter(({ patient, statusCode }) => names.has(patient) && statusCode === 'INVITED').length;
  };
  await expect.poll(calledIn).toBe(2);

  shown.delete(otto.name);
  await page.reload();
  await note.getByRole('button', { name: 'Close all as seen' }).click();
  await expect(note).toBeHidden();
  await expect(page.getByText("You don't have any patients waiting yet.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'History' }).click();
  for (const { name } of [olga, ona]) await expect(cardOf(page, name)).toContainText('Seen');
});
