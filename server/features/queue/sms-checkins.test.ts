import { afterAll, beforeEach, expect, test } from 'vitest';
import { patient, queue, smsCheckin } from '#contract/index.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts, sendDueTexts, textsTakenByCarrier } from '#testing/fixtures/texts.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());
let office: TestOffice;
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
});

const phone = '+12125550161';
const add = (more: { phone?: string; text?: string; officeId?: string } = {}, headers = {}) =>
  testApp.call(smsCheckin.addCheckin, { body: { phone, ...more } }, { as: office, headers });
const update = (id: string, status: 'WAIT' | 'ENTER' | 'HISTORY') =>
  testApp.call(smsCheckin.updateCheckin, { body: { id, status } }, { as: office });
const open = (officeId = office.id) =>
  testApp.call(smsCheckin.listSmsCheckins, { params: { officeId } }, { as: office });
const history = (date: string, officeId = office.id) =>
  testApp.call(smsCheckin.listSmsHistory, { params: { officeId, date } }, { as: office });
const linkIn = (body: string) => /\/c\/t\/([\w-]+)$/.exec(body)?.[1] ?? '';
const arrival = {
  firstName: 'Ada',
  lastName: 'Byron',
  birthDate: '1990-12-10',
  household: [],
  language: 'en' as const,
};

test('POST expects a patient: WAIT, and not in the live queue yet', async () => {
  const added = await add({ text: 'Hello from Maple! Tap when you are here:' });
  expect(added).toMatchObject({
    status: 200,
    body: {
      status: 'WAIT',
      label: 'waiting',
      arrivedAt: null,
      textSentAt: null,
      patientId: { first_name: '', last_name: '', phone },
    },
  });
  const [text] = await testApp.texts(office);
  expect(text?.sent).toMatch(/^Hello from Maple! Tap when you are here: http:\/\/localhost:3000\/c\/t\/[\w-]{32}$/);
  expect((await open()).body).toEqual([added.body]);
  expect((await testApp.call(queue.listQueue, { query: {} }, { as: office })).body).toEqual([]);
  expect((await testApp.call(queue.listCheckedIn, { params: { npi: office.npi } }, { as: office })).body).toEqual([]);
});

test('the patient’s "I\'m here" from the text makes it a waiting visit under their name', async () => {
  const { body: row } = await add();
  const token = linkIn((await testApp.texts(office))[0]?.sent ?? '');
  testApp.later(25);
  const arrived = await testApp.call(patient.arriveExpected, { params: { token }, body: arrival }, { as: null });
  expect(arrived.body.statusCode).toBe('WAITING');
  expect((await open()).body).toMatchObject([
    {
      _id: row._id,
      status: 'WAIT',
      arrivedAt: testApp.now().toISOString(),
      patientId: { first_name: 'Ada', last_name: 'Byron', phone },
    },
  ]);
  expect((await testApp.call(queue.listQueue, { query: {} }, { as: office })).body).toMatchObject([
    {
      id: row._id,
      statusCode: 'WAITING',
      createdAt: testApp.now().toISOString(),
      activePatients: [{ name: 'Ada Byron' }],
    },
  ]);
});

test('the text counts as sent once the carrier has it, at the time of the newest one', async () => {
  const { body: row } = await add();
  expect(row).toMatchObject({ textSentAt: null, text: { state: 'queued' } });
  testApp.later(2);
  await sendDueTexts(testApp.services);
  expect((await open()).body).toMatchObject([{ textSentAt: '2026-03-02T15:02:00.000Z', text: { state: 'sent' } }]);
  testApp.later(3);
  await testApp.call(smsCheckin.resendCheckin, { body: { id: row._id } }, { as: office });
  expect((await open()).body).toMatchObject([{ textSentAt: null, text: { state: 'queued' } }]);
  await sendDueTexts(testApp.services);
  expect((await open()).body).toMatchObject([{ textSentAt: '2026-03-02T15:05:00.000Z' }]);
  for (const state of ['queued', 'failed', 'held', 'unknown', 'cancelled'] as const) {
    await testApp.inOffice(office, (tx) => tx.updateTable('text').set({ state }).execute());
    expect((await open()).body).toMatchObject([{ textSentAt: null, text: { state } }]);
  }
});

test('patients are listed in the order of their arrival, those who are expected after them', async () => {
  const first = await add({ phone: '+12125550171' });
  await add({ phone: '+12125550172' });
  const token = linkIn((await testApp.texts(office))[0]?.sent ?? '');
  testApp.later(5);
  await testApp.visit({ office, phone });
  testApp.later(5);
  await testApp.call(patient.arriveExpected, { params: { token }, body: arrival }, { as: null });
  const { body } = await open();
  expect(body.map(({ patientId }) => patientId.phone)).toEqual([phone, '+12125550171', '+12125550172']);
  expect(body[1]).toMatchObject({ _id: first.body._id, statusCode: 'WAITING' });
});

test('a check-in says that its number opted out, or is a landline, at this office', async () => {
  await add();
  const row = async (of = office) => {
    const { body } = await testApp.call(smsCheckin.listSmsCheckins, { params: { officeId: of.id } }, { as: of });
    return body[0];
  };
  const other = await testApp.office();
  await testApp.call(smsCheckin.addCheckin, { body: { phone } }, { as: other });
  expect(await row()).toMatchObject({ textBlock: null });
  await patientTexts(testApp, phone, 'STOP', { office });
  await testApp.inOffice(office, (tx) =>
    tx
      .insertInto('landline')
      .values({ officeId: office.id, id: testApp.services.id(), phone, reportedAt: testApp.now() })
      .execute(),
  );
  expect(await row()).toMatchObject({ textBlock: 'opted-out' });
  expect(await row(other)).toMatchObject({ textBlock: null });
});

test('a check-in goes through WAIT, ENTER and HISTORY: invited in, reinvited, moved to history', async () => {
  const visit = await testApp.visit({ office, phone });
  expect((await update(visit.id, 'ENTER')).body).toMatchObject({ status: 'ENTER', label: 'invited' });
  const again = await testApp.call(smsCheckin.reinviteCheckin, { body: { id: visit.id } }, { as: office });
  expect(again.body).toMatchObject({ status: 'ENTER', label: 'invited', version: 3 });
  expect((await testApp.texts(office)).map(({ kind }) => kind)).toEqual(['invite', 'reinvite']);
  expect((await update(visit.id, 'HISTORY')).body).toMatchObject({
    status: 'HISTORY',
    label: 'doctor_cancelled',
    endReason: 'seen',
  });
  expect((await open()).body).toEqual([]);
  expect((await history('20260302')).body.map(({ _id }) => _id)).toEqual([visit.id]);
});

test('two desks that saw the same version reinvite a patient once; the second learns who was faster', async () => {
  const { id } = await testApp.visit({ office, phone: '+12125550181', moves: ['invite'] });
  const press = () => testApp.call(smsCheckin.reinviteCheckin, { body: { id, version: 2 } }, { as: office });
  const answers = await Promise.all([press(), press()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'visit_moved_on',
    current: { id, version: 3, statusCode: 'REINVITED', actedBy: { kind: 'staff' } },
  });
  expect((await testApp.texts(office)).map(({ kind }) => kind)).toEqual(['invite', 'reinvite']);
});

test('a retry of Reinvite with the same Idempotency-Key gets the first reply and texts nobody again', async () => {
  const { id } = await testApp.visit({ office, phone: '+12125550182', moves: ['invite'] });
  const press = (body: { id: string; version?: number }) =>
    testApp.call(smsCheckin.reinviteCheckin, { body }, { as: office, headers: { 'idempotency-key': 'press-1' } });
  const first = await press({ id, version: 2 });
  const again = await press({ id, version: 2 });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(first.body);
  expect((await press({ id })).body.code).toBe('key_reused');
  expect((await testApp.texts(office)).map(({ kind }) => kind)).toEqual(['invite', 'reinvite']);
});

test('Invite in and Move to history are refused for a version that is no longer current', async () => {
  const { id } = await testApp.visit({ office, phone: '+12125550183', moves: ['invite'] });
  const move = (status: 'ENTER' | 'HISTORY', version: number) =>
    testApp.call(smsCheckin.updateCheckin, { body: { id, version, status } }, { as: office });
  const late = await move('HISTORY', 1);
  expect(late).toMatchObject({ status: 409, body: { code: 'visit_moved_on', current: { version: 2 } } });
  expect((await move('HISTORY', 2)).body).toMatchObject({ status: 'HISTORY', version: 3 });
});

test('a patient on the way is shown as such, also after a reinvite', async () => {
  const visit = await testApp.visit({ office, phone, moves: ['invite', 'onMyWay'] });
  expect((await open()).body[0]).toMatchObject({ status: 'ENTER', label: 'ontheway' });
  const again = await testApp.call(smsCheckin.reinviteCheckin, { body: { id: visit.id } }, { as: office });
  expect(again.body).toMatchObject({ status: 'ENTER', label: 'ontheway' });
});

test('the label says when the timer will invite a patient', async () => {
  const timed = await testApp.office({ queueSettings: { autoInviteEnabled: true, autoInviteWaitTime: 600 } });
  await testApp.visit({ office: timed });
  const { body } = await testApp.call(smsCheckin.listSmsCheckins, { params: { officeId: timed.id } }, { as: timed });
  expect(body[0]).toMatchObject({ status: 'WAIT', label: 'autoinvite' });
});

test('an expected patient who never came can be removed', async () => {
  const { body: row } = await add();
  expect((await update(row._id, 'HISTORY')).body.status).toBe('HISTORY');
});

test('an expected patient cannot be invited in before they arrive', async () => {
  const { body: row } = await add();
  expect((await update(row._id, 'ENTER')).status).toBe(409);
});

test('GET history lists one day in the office’s time zone', async () => {
  testApp.at('2026-03-03T04:59:00.000Z');
  const late = await testApp.visit({ office, moves: ['cancel'] });
  testApp.at('2026-03-03T05:01:00.000Z');
  const early = await testApp.visit({ office, moves: ['cancel'] });
  expect((await history('20260302')).body.map(({ _id }) => _id)).toEqual([late.id]);
  expect((await history('20260303')).body.map(({ _id }) => _id)).toEqual([early.id]);
  for (const date of ['20260230', '20261301', '2026032', '03022026'])
    expect((await history(date)).status, date).toBe(400);
});

test('the office can be identified by its id or NPI; any other is a 404', async () => {
  await add({ officeId: office.npi });
  expect((await open(office.npi)).body).toHaveLength(1);
  const foreign = await open(testApp.other.id);
  expect(foreign.status).toBe(404);
  expect((await open('019f0000-0000-7000-8000-000000000000')).body).toEqual(foreign.body);
  expect((await add({ phone: '+12125550162', officeId: testApp.other.npi })).status).toBe(404);
  expect((await history('20260302', testApp.other.npi)).status).toBe(404);
  expect(await testApp.texts(testApp.other)).toEqual([]);
});

test.each([
  '+12125550161',
  '2125550161',
  '(212) 555-0161',
  '212-555-0161',
  '212.555.0161',
  '1 212 555 0161',
  '+1 (212) 555 0161',
  '２１２５５５０１６１',
])('the phone number can be spelled %s', async (spelled) => {
  expect((await add({ phone: spelled })).body.patientId.phone).toBe(phone);
});

test.each(['', '555-0161', '+44 20 7946 0958', '+1 112 555 0161', 'call me', '+1212555016', '+1212555016111'])(
  '%j is refused as a phone number',
  async (spelled) => {
    expect(await add({ phone: spelled })).toMatchObject({ status: 400, body: { code: 'invalid_phone' } });
  },
);

test('expecting the same number twice is refused while its visit runs', async () => {
  expect((await add()).status).toBe(200);
  expect(await add()).toMatchObject({ status: 409, body: { code: 'visit_running' } });
  expect(await testApp.texts(office)).toHaveLength(1);
});

test('20 concurrent requests for one number make one check-in and one text, with or without a key', async () => {
  const bare = await Promise.all(Array.from({ length: 20 }, () => add()));
  expect(bare.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(bare.filter(({ status }) => status === 409)).toHaveLength(19);
  const keyed = await Promise.all(
    Array.from({ length: 20 }, () => add({ phone: '+12125550162' }, { 'idempotency-key': 'add-1' })),
  );
  expect(keyed.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(new Set(keyed.map(({ body }) => body._id)).size).toBe(1);
  expect(await testApp.texts(office)).toHaveLength(2);
});

test("another office's check-in is a 404 in every call", async () => {
  const foreign = await testApp.visit({ office: testApp.other });
  expect((await update(foreign.id, 'ENTER')).status).toBe(404);
  expect((await testApp.call(smsCheckin.reinviteCheckin, { body: { id: foreign.id } }, { as: office })).status).toBe(
    404,
  );
});

const optOut = (number: string, of = office) =>
  testApp.inOffice(of, (tx) =>
    tx
      .insertInto('optOut')
      .values({ officeId: of.id, id: testApp.services.id(), phone: number, at: testApp.now() })
      .execute(),
  );
const expected = async (of = office) =>
  (await testApp.call(smsCheckin.listExpected, { params: { officeId: of.id } }, { as: of })).body;
const correct = (id: string, to: string, as = office) =>
  testApp.call(smsCheckin.correctCheckin, { body: { id, phone: to } }, { as });
const resend = (id: string, as = office) => testApp.call(smsCheckin.resendCheckin, { body: { id } }, { as });

test('expecting an opted-out number is refused and stores nothing', async () => {
  await optOut(phone);
  expect(await add()).toMatchObject({ status: 409, body: { code: 'number_opted_out' } });
  expect(await expected()).toEqual([]);
  expect(await testApp.texts(office)).toEqual([]);
});

test("GET expected lists expected patients with their text's state until they arrive, and never another office's", async () => {
  const { body: row } = await add();
  expect(await expected()).toMatchObject([
    { _id: row._id, text: { state: 'queued', problem: null, at: '2026-03-02T15:00:00.000Z' } },
  ]);
  expect(await expected(await testApp.office())).toEqual([]);
  await update(row._id, 'WAIT');
  expect(await expected()).toEqual([]);
});

test('the check-in link can be resent, unless the number has opted out', async () => {
  const { body: row } = await add();
  testApp.later(5);
  expect(await resend(row._id)).toMatchObject({ status: 200, body: { status: 'WAIT', arrivedAt: null } });
  expect((await expected())[0]?.text?.at).toBe(testApp.now().toISOString());
  expect(await testApp.texts(office)).toHaveLength(2);
  await optOut(phone);
  expect(await resend(row._id)).toMatchObject({ status: 409, body: { code: 'number_opted_out' } });
  expect(await testApp.texts(office)).toHaveLength(2);
  expect(await resend(row._id, await testApp.office())).toMatchObject({ status: 404 });
  await update(row._id, 'WAIT');
  expect(await resend(row._id)).toMatchObject({ status: 409, body: { code: 'visit_moved_on' } });
});

test('reinviting a number that opted out texts nobody and says so, until it opts in again', async () => {
  const phone = '+12125550179';
  const { id } = await testApp.visit({ office, phone, moves: ['invite'] });
  await sendDueTexts(testApp.services);
  await optOut(phone);
  testApp.later(2);
  const reinvite = () => testApp.call(smsCheckin.reinviteCheckin, { body: { id } }, { as: office });
  expect(await reinvite()).toMatchObject({
    status: 200,
    body: {
      status: 'ENTER',
      textSentAt: null,
      textBlock: 'opted-out',
      text: { state: 'failed', problem: 'opted-out' },
    },
  });
  const moved = await testApp.call(queue.moveVisit, { body: { id, action: 'REINVITED' } }, { as: office });
  expect(moved.body).toMatchObject({
    statusCode: 'REINVITED',
    lastMessageState: 'failed',
    lastTextProblem: 'opted-out',
  });
  await sendDueTexts(testApp.services);
  expect(await textsTakenByCarrier(testApp, phone)).toHaveLength(1);
  await patientTexts(testApp, phone, 'START', { office });
  expect((await reinvite()).body).toMatchObject({ textBlock: null, text: { state: 'queued', problem: null } });
});

test("correcting a number texts the new one, ends the wrong number's link and cancels its unsent text", async () => {
  const { body: row } = await add();
  const wrong = linkIn((await testApp.texts(office))[0]?.sent ?? '');
  const { status, body } = await correct(row._id, '+12125550162');
  expect([status, body.patientId.phone]).toEqual([200, '+12125550162']);
  expect((await expected()).map(({ patientId }) => patientId.phone)).toEqual(['+12125550162']);
  const came = await testApp.call(patient.arriveExpected, { params: { token: wrong }, body: arrival }, { as: null });
  expect([came.status, came.body.code]).toEqual([404, 'visit_link_ended']);
  const looked = await testApp.call(patient.readPatientVisit, { params: { token: wrong } }, { as: null });
  expect(looked.body.code).toBe('visit_link_ended');
  expect(
    (await testApp.texts(office)).map(({ toPhone, state, sealedLink }) => [toPhone, state, sealedLink !== null]),
  ).toEqual([
    [phone, 'cancelled', false],
    ['+12125550162', 'queued', true],
  ]);
  expect((await testApp.call(queue.listQueue, { query: {} }, { as: office })).body).toEqual([]);
});

test('a number is corrected once; a concurrent, foreign or invalid correction is refused', async () => {
  const { body: row } = await add();
  for (const to of ['nonsense', '+1212555'])
    expect(await correct(row._id, to)).toMatchObject({ status: 400, body: { code: 'invalid_phone' } });
  expect(await correct(row._id, phone)).toMatchObject({ status: 409, body: { code: 'visit_running' } });
  expect(await correct(row._id, '+12125550163', await testApp.office())).toMatchObject({ status: 404 });
  await optOut('+12125550164');
  expect(await correct(row._id, '+12125550164')).toMatchObject({ status: 409, body: { code: 'number_opted_out' } });
  const both = await Promise.all([correct(row._id, '+12125550165'), correct(row._id, '+12125550166')]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await expected()).toHaveLength(1);
});

test('a removed expected patient is not in History, and Undo brings them back', async () => {
  const { body: row } = await add();
  const move = (action: 'DOCTOR_CANCELLED' | 'BACK') =>
    testApp.call(queue.moveVisit, { body: { id: row._id, action, notes: 'cancelled' } }, { as: office });
  expect((await move('DOCTOR_CANCELLED')).status).toBe(200);
  expect(await expected()).toEqual([]);
  expect((await testApp.call(queue.listQueue, { query: {} }, { as: office })).body).toEqual([]);
  expect((await move('BACK')).body.statusCode).toBe('EXPECTED');
  expect(await expected()).toHaveLength(1);
});
