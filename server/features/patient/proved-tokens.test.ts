import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { patient, patientCheckIn, queue, smsCheckin } from '#contract/index.ts';
import type { Arrival } from '#contract/patient/check-in.ts';
import { arrivalAnswers, requestForms, openVisitPhone, photo } from '#testing/fixtures/forms.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let testApp: TestApp;
let office: TestOffice;

beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  await testApp.services.pool.query('delete from rate_limit');
  office = await testApp.office();
  await requestForms(testApp, office);
});

let phones = 0;
const newPhone = () => `+1718555${String(3000 + phones++)}`;
const arrival = (given: Partial<Arrival> = {}): Arrival => ({
  firstName: 'Grace',
  lastName: 'Castellanos',
  phone: newPhone(),
  birthDate: '1990-04-02',
  household: [],
  language: 'en',
  ...given,
});
const checkIn = async (given: Partial<Arrival> = {}, of = office) =>
  (await testApp.call(patientCheckIn.checkIn, { params: { npi: of.npi }, body: arrival(given) }, { as: null })).body;
const look = (token: string) => testApp.call(patient.readPatientVisit, { params: { token } }, { as: null });
const tap = (token: string, action: 'onMyWay' | 'imIn' | 'cancel' | 'stillWaiting') =>
  testApp.call(patient.movePatientVisit, { params: { token }, body: { action } }, { as: null });
/** The link in the newest text to a number. */
const textedTo = async (phone: string, of = office) => {
  const text = (await testApp.texts(of)).filter(({ toPhone }) => toPhone === phone).at(-1);
  return /\/([\w-]{32})$/.exec(text?.sent ?? '')?.[1] ?? '';
};
const queueOf = async (of = office) => (await testApp.call(queue.listQueue, { query: {} }, { as: of })).body;
const patientOf = (phone: string, of = office) =>
  testApp.inOffice(of, (tx) =>
    tx.selectFrom('patient').selectAll().where('phone', '=', phone).executeTakeFirstOrThrow(),
  );
const message = (userCode: string, body: string, visitId?: string) =>
  testApp.call(
    queue.messagePatient,
    { params: { userCode }, body: { body, ...(visitId !== undefined && { visitId }) } },
    { as: office },
  );
const messagesOf = async (visitId: string) =>
  (await testApp.call(queue.readVisit, { params: { visitId } }, { as: office })).body.messages;

/** Somebody else typed the number first; then its owner checks in and gets the link by text. */
async function typedThenTexted() {
  const phone = newPhone();
  const typed = (await checkIn({ phone, firstName: 'Mallory' })).token ?? '';
  expect(await checkIn({ phone })).toEqual({ outcome: 'link-sent', token: null });
  const texted = await textedTo(phone);
  const [visit] = await queueOf();
  if (!visit) throw new Error('nobody in the queue');
  return { phone, typed, texted, visit };
}

async function fillOut(token: string, reason = 'SECRET-DIAGNOSIS') {
  const own = openVisitPhone(testApp, token);
  const memberId = await own.first();
  const { body: open } = await own.read(memberId);
  const answers = { ...arrivalAnswers, reason: [reason] };
  const saved = await own.save(memberId, { definitionId: open.definitionId, version: open.version, answers });
  return { memberId, definitionId: open.definitionId, version: saved.body.version };
}

test('a stranger who typed the number reads nothing its owner enters later', async () => {
  const { typed, texted, visit } = await typedThenTexted();
  const owner = openVisitPhone(testApp, texted);
  const { memberId, definitionId, version } = await fillOut(texted);
  const { body: picture } = await owner.upload(await photo());
  await message(visit.patientUserCode, 'Your results are back.', visit.id);
  const stranger = openVisitPhone(testApp, typed);

  const page = await look(typed);
  expect(page.body).toMatchObject({ access: 'status', statusCode: 'WAITING', place: 1, firstName: '', members: [] });
  expect(page.body.messages).toEqual([]);
  for (const answer of [
    await stranger.list(),
    await stranger.read(memberId),
    await stranger.open(memberId),
    await stranger.save(memberId, { definitionId, version }),
    await stranger.submit(memberId, version),
    await stranger.upload(await photo()),
    await stranger.photo(picture.fileId),
    await tap(typed, 'cancel'),
    await tap(typed, 'imIn'),
  ]) {
    const body = 'json' in answer ? answer.json<{ code?: string }>() : answer.body;
    expect(body.code).toBe('link_not_proved');
    expect(JSON.stringify(body)).not.toMatch(/SECRET|results|Castellanos/);
  }
  expect((await owner.submit(memberId, version)).status).toBe(200);
  expect((await owner.open(memberId)).status).toBe(200);
  expect((await stranger.open(memberId)).body.code).toBe('link_not_proved');
  expect((await look(texted)).body).toMatchObject({ access: 'all', messages: [{ body: 'Your results are back.' }] });
});

test("a stranger who types an expected patient's number gets no link, and the visit stays unchanged", async () => {
  const phone = newPhone();
  await testApp.call(smsCheckin.addCheckin, { body: { phone } }, { as: office });
  const first = await textedTo(phone);
  expect(await checkIn({ phone, firstName: 'Mallory' })).toEqual({ outcome: 'link-sent', token: null });
  expect((await look(first)).body.statusCode).toBe('EXPECTED');
  const again = await textedTo(phone);
  expect(again).not.toBe(first);
  const { phone: _, ...party } = arrival();
  const arrived = await testApp.call(patient.arriveExpected, { params: { token: again }, body: party }, { as: null });
  expect(arrived.body).toMatchObject({ access: 'all', statusCode: 'WAITING', firstName: 'Grace' });
});

test('a patient who checks in by the poster can fill forms, follow the call and walk in without a text', async () => {
  const token = (await checkIn()).token ?? '';
  const own = openVisitPhone(testApp, token);
  const { memberId, version } = await fillOut(token, 'Cough');
  expect((await own.read(memberId)).body.answers).toMatchObject({ reason: ['Cough'] });
  const { body: picture } = await own.upload(await photo());
  expect((await own.photo(picture.fileId)).statusCode).toBe(200);
  expect((await own.submit(memberId, version)).status).toBe(200);
  expect((await own.open(memberId)).status).toBe(200);
  const [visit] = await queueOf();
  await testApp.call(queue.moveVisit, { body: { id: visit?.id ?? '', action: 'INVITED' } }, { as: office });
  expect((await look(token)).body).toMatchObject({ access: 'own', statusCode: 'INVITED', firstName: 'Grace' });
  expect((await tap(token, 'onMyWay')).status).toBe(200);
  expect((await tap(token, 'imIn')).body.statusCode).toBe('PATIENT_DONE');
});

test("an unproved link never shows the practice's messages, before or after a texted link is opened", async () => {
  const { typed, texted, visit } = await typedThenTexted();
  await message(visit.patientUserCode, 'Room 4.', visit.id);
  expect((await look(typed)).body.messages).toEqual([]);
  expect((await look(texted)).body.messages).toHaveLength(1);
  expect((await look(typed)).body.messages).toEqual([]);
});

test('an unproved link says that the practice sent a text, but not what it says', async () => {
  const { typed, texted, visit, phone } = await typedThenTexted();
  await message(visit.patientUserCode, 'Not of this visit.', (await testApp.visit({ office: testApp.other })).id);
  expect((await look(typed)).body.hasHiddenTexts).toBe(false);
  await message(visit.patientUserCode, 'Room 4.', visit.id);
  for (const access of ['own', 'status']) {
    const page = await look(typed);
    expect(page.body).toMatchObject({ access, hasHiddenTexts: true, messages: [] });
    expect(JSON.stringify(page.body)).not.toContain('Room 4');
    expect((await look(texted)).body.hasHiddenTexts).toBe(false);
  }

  await testApp.inOffice(office, (tx) =>
    tx.updateTable('text').set({ state: 'failed', sealedLink: null }).where('toPhone', '=', phone).execute(),
  );
  expect((await look(typed)).body.hasHiddenTexts).toBe(false);
});

test('a browser with a status-only link gets the status from the check-in page, without a name', async () => {
  const phone = newPhone();
  const typed = await testApp.call(
    patientCheckIn.checkIn,
    { params: { npi: office.npi }, body: arrival({ phone }) },
    { as: null },
  );
  const cookie = String(typed.headers['set-cookie']).split(';')[0] ?? '';
  const withCookie = { as: null, headers: { cookie } };
  await checkIn({ phone });
  await look(await textedTo(phone));
  const { body } = await testApp.call(patientCheckIn.readOfficeFront, { params: { npi: office.npi } }, withCookie);
  expect(body.running).toEqual({ token: typed.body.token, initial: null });
  expect((await look(typed.body.token ?? '')).body).toMatchObject({ access: 'status', firstName: '' });

  // Typing the number again in that browser still opens nothing: the link is texted.
  const again = await testApp.call(
    patientCheckIn.checkIn,
    { params: { npi: office.npi }, body: arrival({ phone }) },
    withCookie,
  );
  expect(again.body).toEqual({ outcome: 'link-sent', token: null });
  const elsewhere = await testApp.call(
    patientCheckIn.readOfficeFront,
    { params: { npi: testApp.other.npi } },
    withCookie,
  );
  expect(elsewhere.body.running).toBeNull();
});

test('entries of an unproved link become visible to the texted one, and no longer to itself', async () => {
  const phone = newPhone();
  const typed = (await checkIn({ phone })).token ?? '';
  const { memberId } = await fillOut(typed, 'Cough');
  await checkIn({ phone });
  const texted = await textedTo(phone);
  expect((await openVisitPhone(testApp, typed).read(memberId)).status).toBe(200);
  expect((await openVisitPhone(testApp, texted).read(memberId)).body.answers).toMatchObject({ reason: ['Cough'] });
  expect((await openVisitPhone(testApp, typed).read(memberId)).body.code).toBe('link_not_proved');
});

test("a phone's preview of the texted link does not lock out the browser that typed the number", async () => {
  const { typed, texted } = await typedThenTexted();
  await testApp.app.inject({ url: `/visit/${texted}`, headers: { host: 'localhost' } });
  expect((await look(typed)).body.access).toBe('own');
});

test("an unproved link cannot see another link's draft", async () => {
  const token = (await checkIn()).token ?? '';
  const { memberId, definitionId } = await fillOut(token);
  const own = openVisitPhone(testApp, token);
  const { body: picture } = await own.upload(await photo());
  // Rows of the same visit that another link entered.
  const elsewhere = { tokenId: testApp.services.id() };
  await testApp.inOffice(office, async (tx) => {
    await tx.updateTable('formSubmission').set(elsewhere).where('memberId', '=', memberId).execute();
    await tx.updateTable('formFile').set(elsewhere).execute();
  });
  expect((await own.list()).body.members[0]?.forms).toMatchObject([{ state: 'missing' }]);
  expect((await own.read(memberId)).body.answers).toBeNull();
  expect((await own.photo(picture.fileId)).statusCode).toBe(404);
  expect((await own.save(memberId, { definitionId })).body.code).toBe('link_not_proved');
});

test('if a texted link is opened while the other browser reads and saves, no later entry leaks', async () => {
  for (let round = 0; round < 5; round++) {
    const { typed, texted } = await typedThenTexted();
    const owner = openVisitPhone(testApp, texted);
    const stranger = openVisitPhone(testApp, typed);
    const memberId = await stranger.first();
    const { definitionId } = (await stranger.read(memberId)).body;
    const answers = { ...arrivalAnswers, reason: ['Mallory was here'] };
    const [, ...strangers] = await Promise.all([
      fillOut(texted).then(() => owner.list()),
      ...Array.from({ length: 6 }, () => stranger.read(memberId)),
      ...Array.from({ length: 6 }, () => stranger.save(memberId, { definitionId, answers })),
    ]);
    for (const { status, body } of strangers) {
      expect([200, 403, 409]).toContain(status);
      expect(JSON.stringify(body)).not.toContain('SECRET');
    }
    expect((await stranger.read(memberId)).body.code).toBe('link_not_proved');
    testApp.later(24 * 60);
  }
});

test('an unproved arrival does not rename the patient and gives no birthday, a proved one does', async () => {
  const phone = newPhone();
  const first = (await checkIn({ phone, firstName: 'Grace' })).token ?? '';
  await tap(first, 'cancel');
  await checkIn({ phone, firstName: 'Mallory', birthDate: '1950-01-01', language: 'es' });
  expect(await patientOf(phone)).toMatchObject({ firstName: 'Grace', birthDate: null, language: 'en' });
  const visit = (await queueOf()).find(({ statusCode }) => statusCode === 'WAITING');
  expect(visit).toMatchObject({ patient: 'Mallory Castellanos', language: 'es' });
  await testApp.call(queue.moveVisit, { body: { id: visit?.id ?? '', action: 'DOCTOR_CANCELLED' } }, { as: office });

  await testApp.call(smsCheckin.addCheckin, { body: { phone } }, { as: office });
  const { phone: _, ...party } = arrival({ firstName: 'Gracia', language: 'es' });
  const token = await textedTo(phone);
  await testApp.call(patient.arriveExpected, { params: { token }, body: party }, { as: null });
  expect(await patientOf(phone)).toMatchObject({ firstName: 'Gracia', birthDate: '1990-04-02', language: 'es' });
});

test("an unproved link changes only its visit's language", async () => {
  const phone = newPhone();
  const token = (await checkIn({ phone })).token ?? '';
  const set = await testApp.call(
    patient.setPatientLanguage,
    { params: { token }, body: { language: 'es' } },
    { as: null },
  );
  expect(set.body.language).toBe('es');
  expect((await patientOf(phone)).language).toBe('en');
});

test("a message from a visit's panel goes to that visit, not to a stranger's newer check-in", async () => {
  const { texted, typed, visit, phone } = await typedThenTexted();
  await look(texted);
  await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'DOCTOR_CANCELLED' } }, { as: office });
  testApp.later(1);
  const stranger = (await checkIn({ phone, firstName: 'Mallory' })).token ?? '';
  const newer = (await queueOf()).find(({ statusCode }) => statusCode === 'WAITING');

  expect((await message(visit.patientUserCode, 'By the panel.', visit.id)).status).toBe(200);
  expect((await message(visit.patientUserCode, 'Without a visit.')).status).toBe(200);
  expect((await messagesOf(visit.id)).map(({ body }) => body)).toEqual(
    expect.arrayContaining(['By the panel.', 'Without a visit.']),
  );
  expect(await messagesOf(newer?.id ?? '')).toEqual([]);
  for (const token of [stranger, typed]) expect((await look(token)).body.messages).toEqual([]);
});

test("a message that names no visit goes to today's, whose unproved link shows nothing of it", async () => {
  const { texted, visit, phone } = await typedThenTexted();
  await look(texted);
  await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'DOCTOR_CANCELLED' } }, { as: office });
  testApp.at('2026-04-01T15:00:00.000Z');
  const typed = (await checkIn({ phone, firstName: 'Mallory' })).token ?? '';
  const [today] = await queueOf();

  expect((await message(visit.patientUserCode, 'Your results are back.')).status).toBe(200);
  expect((await messagesOf(today?.id ?? '')).map(({ body }) => body)).toEqual(['Your results are back.']);
  expect(JSON.stringify((await look(typed)).body)).not.toContain('results');
});

test('a message is refused unless its visit belongs to this patient and office', async () => {
  const { visit } = await typedThenTexted();
  const elsewhere = await testApp.visit({ office: testApp.other });
  const somebodyElse = await testApp.visit({ office });
  for (const id of [elsewhere.id, somebodyElse.id])
    expect((await message(visit.patientUserCode, 'Hello', id)).body.code).toBe('visit_not_found');
});

test('a proved link of another office opens nothing here', async () => {
  const phone = newPhone();
  const here = (await checkIn({ phone })).token ?? '';
  await checkIn({ phone }, testApp.other);
  await checkIn({ phone }, testApp.other);
  await look(await textedTo(phone, testApp.other));
  expect((await look(here)).body.access).toBe('own');
});

test('a phone that lost access can have the link texted; only a texted link learns that STOP stopped it', async () => {
  const { typed, texted, phone } = await typedThenTexted();
  await look(texted);
  const send = (token: string) => testApp.call(patient.textVisitLink, { params: { token } }, { as: null });
  expect((await send(typed)).body).toEqual({ sent: true });
  expect((await look(await textedTo(phone))).body.access).toBe('all');
  await testApp.inOffice(office, (tx) =>
    tx
      .insertInto('optOut')
      .values({ officeId: office.id, id: testApp.services.id(), phone, at: testApp.now() })
      .execute(),
  );
  expect((await send(typed)).body).toEqual({ sent: true });
  testApp.later(16);
  expect((await send(texted)).body).toEqual({ sent: false });
});

test('a number gets links for at most ten check-ins an hour, across all practices', async () => {
  const phone = newPhone();
  const offices = await Promise.all(Array.from({ length: 6 }, () => testApp.office()));
  const statuses: number[] = [];
  for (const of of offices) {
    await checkIn({ phone }, of);
    for (let i = 0; i < 2; i++) {
      const body = arrival({ phone });
      const { status } = await testApp.call(patientCheckIn.checkIn, { params: { npi: of.npi }, body }, { as: null });
      statuses.push(status);
    }
  }
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
  const texts = await Promise.all(offices.map((of) => testApp.texts(of)));
  expect(texts.flat()).toHaveLength(10);
});

test('the check-in page asks by initial whether it is the same person, and can forget them', async () => {
  const reply = await testApp.call(
    patientCheckIn.checkIn,
    { params: { npi: office.npi }, body: arrival() },
    { as: null },
  );
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
  const withCookie = { as: null, headers: { cookie } };
  const front = await testApp.call(patientCheckIn.readOfficeFront, { params: { npi: office.npi } }, withCookie);
  expect(front.body.running).toEqual({ token: reply.body.token, initial: 'G' });
  const forgotten = await testApp.call(patientCheckIn.forgetVisit, { params: { npi: office.npi } }, withCookie);
  expect(String(forgotten.headers['set-cookie'])).toMatch(/^visit-\w+=;|^__Host-visit-\w+=;/);
});

test('the visit cookie ends with the visit', async () => {
  const reply = await testApp.call(
    patientCheckIn.checkIn,
    { params: { npi: office.npi }, body: arrival() },
    { as: null },
  );
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
  const withCookie = { as: null, headers: { cookie } };
  const token = reply.body.token ?? '';
  const over = await testApp.call(
    patient.movePatientVisit,
    { params: { token }, body: { action: 'cancel' } },
    withCookie,
  );
  expect(String(over.headers['set-cookie'])).toContain('visit-');
  const front = await testApp.call(patientCheckIn.readOfficeFront, { params: { npi: office.npi } }, withCookie);
  expect(front.body.running).toBeNull();
  expect(String(front.headers['set-cookie'])).toContain('visit-');
});

test("a birthday that was typed with a number is the patient's only once the texted link was opened", async () => {
  const phone = newPhone();
  const birthday = async () => {
    const rows = await testApp.inOffice(office, (tx) =>
      tx.selectFrom('patient').select('birthDate').where('phone', '=', phone).execute(),
    );
    return rows.map(({ birthDate }) => birthDate);
  };
  const { token } = await checkIn({ phone, birthDate: '1990-04-02' });
  expect(await birthday()).toEqual([null]);
  await testApp.call(patient.textVisitLink, { params: { token: token ?? '' } }, { as: null });
  expect(await birthday()).toEqual([null]);
  expect((await look(await textedTo(phone))).status).toBe(200);
  expect(await birthday()).toEqual(['1990-04-02']);
  await tap(await textedTo(phone), 'cancel');
  await checkIn({ phone, birthDate: '2001-01-01' });
  expect(await birthday()).toEqual(['1990-04-02']);
});

test('only the texted link says that the number gets no texts after a STOP', async () => {
  const { phone, typed, texted } = await typedThenTexted();
  const getsTexts = async () => [(await look(typed)).body.getsTexts, (await look(texted)).body.getsTexts];
  expect(await getsTexts()).toEqual([true, true]);
  await patientTexts(testApp, phone, 'STOP', { office });
  expect(await getsTexts()).toEqual([true, false]);
});
