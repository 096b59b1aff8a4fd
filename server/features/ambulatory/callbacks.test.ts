import { createECDH, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ambuCallbacks, ambuPatients, push } from '#contract/index.ts';
import type { CallbackMove } from '#contract/ambulatory/callbacks.ts';
import { sendDuePushes } from '#server/features/push/jobs.ts';
import type { Hint } from '#server/kit/live/hint.ts';
import type { PushMessage } from '#server/providers/push/port.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { activePatient, loadSurveys } from '#testing/fixtures/episodes.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
let colleague: TestOffice;
beforeAll(async () => {
  await loadSurveys(t);
  const personId = await t.addStaff({ name: 'Nurse Joy' }, [t.maple]);
  colleague = { ...t.maple, personId, staffName: 'Nurse Joy', token: await t.signIn(personId) };
});
afterAll(() => t.close());
beforeEach(async () => void (await t.owner.deleteFrom('rateLimit').execute()));

const list = async (query: Record<string, string> = {}, as = t.maple) =>
  (await t.call(ambuCallbacks.listCallbacks, { query }, { as })).body;
const move = (id: string, what: CallbackMove, version: number, note?: string, as: TestOffice = t.maple) =>
  t.call(
    ambuCallbacks.moveCallback,
    { params: { id }, body: { move: what, version, ...(note !== undefined && { note }) } },
    { as },
  );
/** A patient who asked to be called, and the callback. */
async function callMe(office = t.maple) {
  const patient = await activePatient(t, { office });
  await patient.callMe();
  const { body } = await t.call(ambuPatients.readAmbuPatient, { params: patient.key }, { as: office });
  const [callback] = body.callbacks;
  if (!callback) throw new Error('no callback was raised');
  return { patient, callback };
}

/** The patient in the list that other programs read too. */
const listed = async (userId: string) =>
  (await t.call(ambuPatients.listAmbuPatients, { query: {} })).body.find(({ user }) => user === userId);

test('“please call me” raises one callback however often it is pressed, and the panels ring', async () => {
  await t.listen();
  await expect.poll(() => t.services.live.listening, { timeout: 5_000 }).toBe(true);
  const hints: Hint[] = [];
  t.services.live.onHint((hint) => void hints.push(hint));
  const { patient, callback } = await callMe();
  expect((await patient.callMe()).body.callRequestedAt).toBe(t.now().toISOString());
  expect(callback).toMatchObject({ state: 'open', reasons: [{ code: 'asked' }], patientName: 'Ada Byron', version: 1 });
  const { callbacks } = await list();
  expect(callbacks.filter(({ userId }) => userId === patient.userId)).toHaveLength(1);
  const rings = () => hints.filter(({ type, arrived }) => type === 'callback' && arrived);
  await expect.poll(rings).toEqual([{ office: t.maple.id, type: 'callback', arrived: true }]);
});

test('a callback is a push that names no patient, at once, and a message that follows does not change what it is about', async () => {
  const office = await t.office();
  const keys = {
    auth: randomBytes(16).toString('base64url'),
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
  };
  const endpoint = 'https://push.anteroom.test/nurse';
  await t.call(push.subscribePush, { body: { endpoint, keys } }, { as: office });
  await callMe(office);
  await patientTexts(t, '+16465550177', 'Hello', { office });
  const notes: PushMessage[] = [];
  const provider = {
    ...t.services.providers.push,
    send: async (_to: unknown, note: PushMessage) => void notes.push(note),
  };
  await sendDuePushes({ ...t.services, providers: { ...t.services.providers, push: provider } });
  expect(notes).toMatchObject([
    { title: 'A patient needs a call', path: `/dashboard/patients?office=${office.id}`, topic: 'callbacks' },
  ]);
  expect(JSON.stringify(notes)).not.toContain('Byron');
});

test('the newest news comes first, a further reason of an older callback included, and only of the own office', async () => {
  const [office, other] = [await t.office(), await t.office()];
  const count = async () => (await t.call(ambuCallbacks.readCallbackCount, {}, { as: office })).body;
  expect(await count()).toEqual({ open: 0, waiting: 0, newsAt: null });
  const older = await activePatient(t, { office });
  await t.call(ambuCallbacks.raiseCallback, { params: older.key }, { as: office });
  t.later(1);
  const { callback: newer } = await callMe(office);
  t.later(1);
  await callMe(other);
  const news = async () =>
    (await list({ sort: 'news' }, office)).callbacks.map(({ userId, newsAt }) => [userId, newsAt]);
  const of = async (patient: { userId: string }) => (await news()).find(([id]) => id === patient.userId)?.[1];
  expect((await news())[0]).toEqual([newer.userId, newer.raisedAt]);
  expect((await count()).newsAt).toBe(newer.raisedAt);
  await older.callMe();
  expect((await news()).map(([userId]) => userId)).toEqual([older.userId, newer.userId]);
  expect(await of(older)).toBe(t.now().toISOString());
  expect(await count()).toEqual({ open: 2, waiting: 2, newsAt: t.now().toISOString() });
});

test('when two nurses take a callback at once, one gets it and the other sees who', async () => {
  const { callback } = await callMe();
  const answers = await Promise.all([move(callback.id, 'take', 1), move(callback.id, 'take', 1, undefined, colleague)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [won, lost] = answers.sort((a, b) => a.status - b.status);
  expect(lost?.body).toMatchObject({ code: 'callback_moved_on', current: { takenBy: won?.body.takenBy, version: 2 } });
});

test('a callback is closed with a note, by the nurse who has it', async () => {
  const { patient, callback } = await callMe();
  const { id } = callback;
  expect((await move(id, 'close', 1, 'Called')).body.code).toBe('callback_moved_on');
  await move(id, 'take', 1);
  expect((await move(id, 'close', 2, 'Called', colleague)).body.code).toBe('callback_moved_on');
  expect((await move(id, 'close', 2, ' ')).body.code).toBe('callback_needs_note');
  const closed = await move(id, 'close', 2, 'Pain is normal, told her to rest.');
  expect(closed.body).toMatchObject({ state: 'closed', note: 'Pain is normal, told her to rest.', version: 3 });
  expect((await list()).callbacks.map((one) => one.id)).not.toContain(id);
  expect((await list({ state: 'closed' })).callbacks.map((one) => one.id)).toContain(id);
  expect((await patient.read()).body.callRequestedAt).toBeNull();
});

test('the list of patients shows who has taken a callback, and none once it is closed', async () => {
  const { patient, callback } = await callMe();
  const shown = async () => {
    const row = await listed(patient.userId);
    return [row?.nurseCallback, row?.callback];
  };
  expect(await shown()).toEqual([true, { state: 'open', takenBy: null }]);
  await move(callback.id, 'take', 1, undefined, colleague);
  expect(await shown()).toEqual([true, { state: 'taken', takenBy: { id: colleague.personId, name: 'Nurse Joy' } }]);
  await move(callback.id, 'close', 2, 'Called', colleague);
  expect(await shown()).toEqual([false, null]);
});

test('a colleague can take over, and releasing opens it again', async () => {
  const { callback } = await callMe();
  const { id } = callback;
  await move(id, 'take', 1);
  expect((await move(id, 'takeOver', 2, undefined, colleague)).body.takenBy?.name).toBe('Nurse Joy');
  expect((await move(id, 'release', 3)).body.code).toBe('callback_moved_on');
  expect((await move(id, 'release', 3, undefined, colleague)).body).toMatchObject({ state: 'open', takenBy: null });
});

test('a call asked for after a nurse took the callback is a callback of its own, and is not lost when she releases hers', async () => {
  const { patient, callback } = await callMe();
  await move(callback.id, 'take', 1);
  t.later(5);
  await patient.callMe();
  const ofPatient = async () => {
    const { body } = await t.call(ambuPatients.readAmbuPatient, { params: patient.key });
    return body.callbacks.map(({ state, reasons }) => `${state} ${reasons.length}`);
  };
  expect(await ofPatient()).toEqual(['open 1', 'taken 1']);
  expect((await listed(patient.userId))?.callback).toEqual({ state: 'open', takenBy: null });
  await move(callback.id, 'release', 2);
  expect(await ofPatient()).toEqual(['open 1']);
});

test('the desk can ask for a call, which names who wants it, and the count says how many nobody has taken', async () => {
  const office = await t.office();
  const { key } = await activePatient(t, { office });
  const { body } = await t.call(ambuCallbacks.raiseCallback, { params: key }, { as: office });
  const by = { en: office.staffName, es: office.staffName };
  expect(body).toMatchObject({ state: 'open', reasons: [{ code: 'requested', detail: by }] });
  const count = async () => (await t.call(ambuCallbacks.readCallbackCount, {}, { as: office })).body;
  expect(await count()).toEqual({ open: 1, waiting: 1, newsAt: body.newsAt });
  await move(body.id, 'take', 1, undefined, office);
  expect(await count()).toEqual({ open: 0, waiting: 1, newsAt: null });
});

test('the desk can withdraw its own callback while nobody has taken it, but not one that the patient asked for', async () => {
  const patient = await activePatient(t);
  const request = async () => (await t.call(ambuCallbacks.raiseCallback, { params: patient.key })).body;
  const { id } = await request();
  const withdrawn = await move(id, 'withdraw', 1);
  expect(withdrawn.body).toMatchObject({ state: 'closed', closedBy: { name: t.maple.staffName }, note: '' });
  expect((await listed(patient.userId))?.nurseCallback).toBe(false);
  expect((await move(id, 'withdraw', 2)).body.code).toBe('callback_moved_on');

  const again = await request();
  await patient.callMe();
  expect((await move(again.id, 'withdraw', 1)).body.code).toBe('callback_moved_on');
  expect((await move(again.id, 'withdraw', 2)).body).toMatchObject({
    code: 'callback_moved_on',
    current: { state: 'open', reasons: [{ code: 'requested' }, { code: 'asked' }] },
  });
});

test('five callbacks are a page, the longest waiting first, or sorted by name', async () => {
  const office = await t.office();
  for (const patientName of ['Zoe A', 'Yan B', 'Xenia C', 'Will D', 'Vera E', 'Uma F']) {
    const { callMe: press } = await activePatient(t, { office, patientName });
    await press();
    t.later(1);
  }
  const names = (page: { callbacks: { patientName: string }[] }) =>
    page.callbacks.map(({ patientName }) => patientName);
  const first = await list({}, office);
  expect(first).toMatchObject({ total: 6, page: 1, pageSize: 5, open: 6 });
  expect(names(first)).toEqual(['Zoe A', 'Yan B', 'Xenia C', 'Will D', 'Vera E']);
  expect(names(await list({ page: '2' }, office))).toEqual(['Uma F']);
  expect(names(await list({ sort: 'name' }, office))[0]).toBe('Uma F');
});

test('a callback of another office is neither listed nor moved', async () => {
  const { callback } = await callMe(t.other);
  expect((await list()).callbacks.map(({ id }) => id)).not.toContain(callback.id);
  expect((await move(callback.id, 'take', 1)).body.code).toBe('callback_not_found');
});
