import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { patient, queue, smsCheckin } from '#contract/index.ts';
import type { Arrival } from '#contract/patient.ts';
import { linkTextLimits } from '#contract/texting.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { openTestApp, type CallOptions, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let testApp: TestApp;
let office: TestOffice;

beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());

beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
});

const nobody: CallOptions = { as: null };
const withCookie = (cookie: string): CallOptions => ({ as: null, headers: { cookie } });
const withKey = (key: string): CallOptions => ({ as: null, headers: { 'idempotency-key': key } });

let phones = 0;
const newPhone = () => `+1718555${String(++phones).padStart(4, '0')}`;

const arrival = (given: Partial<Arrival> = {}): Arrival => ({
  firstName: 'Grace',
  lastName: 'Castellanos',
  phone: newPhone(),
  birthDate: '1990-04-02',
  household: [],
  language: 'en',
  ...given,
});

const come = (given: Partial<Arrival> = {}, options = nobody, to = office) =>
  testApp.call(patient.checkIn, { params: { npi: to.npi }, body: arrival(given) }, options);

const look = (token: string, headers: Record<string, string> = {}) =>
  testApp.call(patient.readPatientVisit, { params: { token } }, { as: null, headers });

const tap = (token: string, action: 'onMyWay' | 'imIn' | 'cancel' | 'stillWaiting', key?: string) =>
  testApp.call(
    patient.movePatientVisit,
    { params: { token }, body: { action } },
    { as: null, headers: key ? { 'idempotency-key': key } : {} },
  );

const cookieOf = (reply: { headers: Record<string, unknown> }) =>
  String(reply.headers['set-cookie']).split(';')[0] ?? '';

const list = async (of = office) => (await testApp.call(queue.listQueue, { query: {} }, { as: of })).body;

const staffMove = async (token: string, action: 'INVITED' | 'REINVITED' | 'DOCTOR_CANCELLED', notes?: string) => {
  const { id } = await entryOf(token);
  await testApp.call(queue.moveVisit, { body: { id, action, ...(notes && { notes }) } }, { as: office });
};

const entryOf = async (token: string) => {
  const page = (await look(token)).body;
  const entry = (await list()).find(
    (one) => one.createdAt === page.createdAt && one.patient.startsWith(page.firstName),
  );
  if (!entry) throw new Error('not in the queue');
  return entry;
};

const textsTo = async (phone: string, of = office) =>
  (await testApp.texts(of)).filter(({ toPhone }) => toPhone === phone);

const count = (table: 'visit' | 'auditEntry' | 'text', of = office) =>
  testApp.inOffice(of, async (tx) => (await tx.selectFrom(table).select('officeId').execute()).length);

test('check-in adds the patient with their family to the queue', async () => {
  const given = arrival({ household: [{ firstName: 'Leo', lastName: 'Castellanos', birthDate: null }] });
  const { status, body } = await testApp.call(patient.checkIn, { params: { npi: office.npi }, body: given }, nobody);
  expect([status, body.outcome]).toEqual([200, 'visit']);
  const page = (await look(body.token ?? '')).body;
  expect(page).toMatchObject({
    statusCode: 'WAITING',
    place: 1,
    firstName: 'Grace',
    isToday: true,
    mayCheckInAgain: true,
  });
  expect(page.members).toEqual([{ name: 'Grace Castellanos' }, { name: 'Leo Castellanos' }]);
  expect(await list()).toMatchObject([{ patient: 'Grace Castellanos', username: given.phone, statusCode: 'WAITING' }]);
});

test.each([
  '(718) 555-0100',
  '718-555-0100',
  '718.555.0100',
  '718 555 0100',
  '7185550100',
  '+1 718 555 0100',
  '1-718-555-0100',
])('check-in accepts a phone number spelled %s', async (phone) => {
  expect((await come({ phone })).body.outcome).toBe('visit');
  expect((await list())[0]?.username).toBe('+17185550100');
});

test.each(['', '555-0100', '+44 20 7946 0958', '000 000 0000', '718 555 01000', 'call me', '١٢٣'])(
  'check-in refuses "%s" as a US mobile number',
  async (phone) => {
    expect(await come({ phone })).toMatchObject({ status: 400, body: { code: 'invalid_phone' } });
    expect(await count('visit')).toBe(0);
  },
);

test.each(['2026-03-03', '1899-12-31'])('check-in refuses the birth date %s', async (birthDate) => {
  expect((await come({ birthDate })).body.code).toBe('invalid_birth_date');
  const household = [{ firstName: 'Leo', lastName: 'C', birthDate }];
  expect((await come({ household })).body.code).toBe('invalid_birth_date');
});

test('check-in accepts a child born today, in the office’s time zone', async () => {
  testApp.at('2026-03-03T04:30:00.000Z');
  expect((await come({ birthDate: '2026-03-02' })).status).toBe(200);
  expect((await come({ birthDate: '2026-03-03' })).body.code).toBe('invalid_birth_date');
});

test.each([
  ['A', 'B'],
  ['x'.repeat(200), 'y'.repeat(200)],
  ['👩🏽‍⚕️', '🦊'],
  ['محمد', 'الأحمد'],
  ['<b onclick=alert(1)>', '&amp;'],
])('check-in stores the name %s %s unchanged', async (firstName, lastName) => {
  const { body } = await come({ firstName, lastName });
  expect((await look(body.token ?? '')).body.members).toEqual([{ name: `${firstName} ${lastName}` }]);
});

test('check-in stores a name on one line, and refuses an empty one', async () => {
  const { body } = await come({ firstName: ' Mary\n Ann\t' });
  expect((await look(body.token ?? '')).body.firstName).toBe('Mary Ann');
  expect((await come({ firstName: '   ' })).status).toBe(400);
  expect((await come({ lastName: 'x'.repeat(201) })).status).toBe(400);
});

test.each(['1', '9999999999', 'abcdefghij', '123456789012', '%00'])(
  'check-in answers 404 for the office %s',
  async (npi) => {
    const front = await testApp.call(patient.readOfficeFront, { params: { npi } }, nobody);
    expect(front).toMatchObject({ status: 404, body: { code: 'office_not_found' } });
    expect((await testApp.call(patient.checkIn, { params: { npi }, body: arrival() }, nobody)).status).toBe(404);
  },
);

test('an office without a signed agreement has no check-in', async () => {
  const unsigned = await testApp.office({ signed: false });
  expect((await come({}, nobody, unsigned)).body.code).toBe('office_not_found');
});

test('disableCheckin hides the panel’s tab and does not stop patients from checking in', async () => {
  const tabless = await testApp.office({ settings: { disableCheckin: true } });
  const front = await testApp.call(patient.readOfficeFront, { params: { npi: tabless.npi } }, nobody);
  expect(front.body.office.isOpen).toBe(true);
  const arrived = await come({}, nobody, tabless);
  expect(arrived).toMatchObject({ status: 200, body: { outcome: 'visit' } });
  expect((await look(arrived.body.token ?? '')).body).toMatchObject({ statusCode: 'WAITING', mayCheckInAgain: true });
});

test('a closed office says when it opens, in its own time zone', async () => {
  const hours = { open: '08:00', close: '17:00' };
  const closed = await testApp.office({
    queueSettings: { openingHours: [hours, hours, hours, hours, hours, null, null] },
  });
  testApp.at('2026-03-06T23:00:00.000Z'); // Friday 18:00 in New York
  const { office: front } = (await testApp.call(patient.readOfficeFront, { params: { npi: closed.npi } }, nobody)).body;
  expect(front).toMatchObject({ isOpen: false, hoursToday: hours, nextOpening: '2026-03-09T12:00:00.000Z' });
  expect((await come({}, nobody, closed)).body.code).toBe('office_closed');
});

test('a second "I\'m here" in the same browser leads back to the visit', async () => {
  const phone = newPhone();
  const first = await come({ phone });
  const again = await come({ phone }, withCookie(cookieOf(first)));
  expect(again.body).toEqual(first.body);
  const front = await testApp.call(
    patient.readOfficeFront,
    { params: { npi: office.npi } },
    withCookie(cookieOf(first)),
  );
  expect(front.body.running).toEqual({ token: first.body.token, initial: 'G' });
  expect([await count('visit'), await count('text')]).toEqual([1, 0]);
});

test('a check-in from another browser texts the link to the phone, at most three times in 15 minutes', async () => {
  const phone = newPhone();
  await come({ phone });
  for (let i = 0; i < 5; i++) {
    expect((await come({ phone })).body).toEqual({ outcome: 'link-sent', token: null });
  }
  const texts = await textsTo(phone);
  expect(texts).toHaveLength(3);
  const token = /\/visit\/([\w-]+)/.exec(texts[0]?.sent ?? '')?.[1] ?? '';
  expect((await look(token)).body.statusCode).toBe('WAITING');
  expect(await count('visit')).toBe(1);
});

test('a retry with the same key sends a text that a limit refused before', async () => {
  const phone = newPhone();
  await come({ phone });
  const limit = linkTextLimits.perOffice;
  await testApp.services.pool.query('insert into rate_limit (key, points, expire) values ($1, $2, $3)', [
    rateLimitKey(limit, office.id),
    limit.points,
    testApp.now().getTime() + limit.seconds * 1_000,
  ]);
  const [key, body] = [randomUUID(), arrival({ phone })];
  const press = () => testApp.call(patient.checkIn, { params: { npi: office.npi }, body }, withKey(key));
  const refused = await press();
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_link_texts']);
  expect(await textsTo(phone)).toHaveLength(0);
  testApp.later(61);
  expect((await press()).body).toEqual({ outcome: 'link-sent', token: null });
  expect((await press()).body).toEqual({ outcome: 'link-sent', token: null });
  expect(await textsTo(phone)).toHaveLength(1);
});

test('check-in for a number that sent STOP says that no link was texted', async () => {
  const phone = newPhone();
  await come({ phone });
  const stop = { officeId: office.id, id: testApp.services.id(), phone, at: testApp.now() };
  await testApp.inOffice(office, (tx) => tx.insertInto('optOut').values(stop).execute());
  const [key, body] = [randomUUID(), arrival({ phone })];
  const press = () => testApp.call(patient.checkIn, { params: { npi: office.npi }, body }, withKey(key));
  const answer = { outcome: 'link-not-sent', token: null, reason: 'opted-out' };
  expect((await press()).body).toEqual(answer);
  expect((await press()).body).toEqual(answer);
  expect((await textsTo(phone)).map(({ state }) => state)).toEqual(['failed']);
});

test('the browser forgets its running visit the next day', async () => {
  const first = await come();
  testApp.later(24 * 60);
  const front = await testApp.call(
    patient.readOfficeFront,
    { params: { npi: office.npi } },
    withCookie(cookieOf(first)),
  );
  expect(front.body.running).toBeNull();
});

test('20 concurrent retries with one key make one visit, each with a working link', async () => {
  const body = arrival();
  const key = randomUUID();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      testApp.call(patient.checkIn, { params: { npi: office.npi }, body }, withKey(key)),
    ),
  );
  expect(replies.map((r) => `${r.status} ${r.body.outcome}`)).toEqual(Array(20).fill('200 visit'));
  const pages = await Promise.all(replies.map((r) => look(r.body.token ?? '')));
  expect(new Set(pages.map((p) => p.body.createdAt)).size).toBe(1);
  expect([await count('visit'), await count('text')]).toEqual([1, 0]);
  const other = await testApp.call(patient.checkIn, { params: { npi: office.npi }, body: arrival() }, withKey(key));
  expect(other.body.code).toBe('key_reused');
});

test('the stored reply of a check-in contains no working link', async () => {
  const key = randomUUID();
  const { body } = await testApp.call(patient.checkIn, { params: { npi: office.npi }, body: arrival() }, withKey(key));
  const kept = await testApp.owner
    .selectFrom('idempotency')
    .select('reply')
    .where('officeId', '=', office.id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(kept.reply)).not.toContain(body.token);
});

test('two phones of one number check in concurrently: one gets the visit, the other a text', async () => {
  const phone = newPhone();
  const replies = await Promise.all(Array.from({ length: 8 }, () => come({ phone })));
  expect(replies.filter((r) => r.body.outcome === 'visit')).toHaveLength(1);
  expect(replies.filter((r) => r.body.outcome === 'link-sent')).toHaveLength(7);
  expect(await count('visit')).toBe(1);
});

test('a patient whose visit is over can check in again the same day', async () => {
  const phone = newPhone();
  const first = await come({ phone });
  await tap(first.body.token ?? '', 'cancel');
  const second = await come({ phone }, withCookie(cookieOf(first)));
  expect(second.body.outcome).toBe('visit');
  expect(second.body.token).not.toBe(first.body.token);
  expect(await count('visit')).toBe(2);
});

test('the phone takes a visit from called through on my way to in', async () => {
  const token = (await come()).body.token ?? '';
  await staffMove(token, 'INVITED');
  expect((await look(token)).body).toMatchObject({ statusCode: 'INVITED', place: null });
  expect((await tap(token, 'onMyWay')).body.statusCode).toBe('GOING');
  expect((await tap(token, 'imIn')).body.statusCode).toBe('PATIENT_DONE');
  expect((await entryOf(token)).actedBy.kind).toBe('patient');
});

test('a late tap is refused with the patient’s current page, and nothing from the desk', async () => {
  const token = (await come()).body.token ?? '';
  await staffMove(token, 'INVITED');
  await staffMove(token, 'DOCTOR_CANCELLED', 'no-show');
  const { status, body } = await tap(token, 'onMyWay');
  expect([status, body.code]).toEqual([409, 'visit_moved_on']);
  expect(body.current).toMatchObject({ statusCode: 'DOCTOR_CANCELLED', endReason: 'no-show' });
  expect(Object.keys(body.current as object).sort()).toEqual(Object.keys((await look(token)).body).sort());
});

test('20 taps with one key move the visit once', async () => {
  const token = (await come()).body.token ?? '';
  await staffMove(token, 'INVITED');
  const key = randomUUID();
  const replies = await Promise.all(Array.from({ length: 20 }, () => tap(token, 'onMyWay', key)));
  expect(replies.map((r) => r.status)).toEqual(Array(20).fill(200));
  expect((await entryOf(token)).version).toBe(3);
});

test.each(['WAITING', 'INVITED', 'GOING'] as const)('a patient can cancel once when %s', async (state) => {
  const token = (await come()).body.token ?? '';
  if (state !== 'WAITING') await staffMove(token, 'INVITED');
  if (state === 'GOING') await tap(token, 'onMyWay');
  expect((await tap(token, 'cancel')).body.statusCode).toBe('PATIENT_CANCELLED');
  expect((await tap(token, 'cancel')).status).toBe(409);
});

test('"Still waiting?" marks the card at most once a minute', async () => {
  const token = (await come()).body.token ?? '';
  const raised = (await tap(token, 'stillWaiting')).body;
  expect(raised).toMatchObject({ statusCode: 'WAITING', stillWaitingAt: testApp.now().toISOString() });
  expect((await tap(token, 'stillWaiting')).body.version).toBe(raised.version);
  testApp.later(2);
  expect((await tap(token, 'stillWaiting')).body.version).toBe(raised.version + 1);
  await staffMove(token, 'INVITED');
  expect((await tap(token, 'stillWaiting')).status).toBe(409);
});

test('the place in line moves up when somebody ahead is called or leaves', async () => {
  const tokens: string[] = [];
  for (let i = 0; i < 3; i++) {
    testApp.later(1);
    tokens.push((await come()).body.token ?? '');
  }
  const [first = '', second = '', third = ''] = tokens;
  expect((await look(third)).body.place).toBe(3);
  await staffMove(first, 'INVITED');
  expect((await look(third)).body.place).toBe(2);
  await tap(second, 'cancel');
  expect((await look(third)).body.place).toBe(1);
});

test('an unchanged page answers 304, which discloses and writes nothing', async () => {
  const token = (await come()).body.token ?? '';
  const etag = String((await look(token)).headers.etag);
  const before = await count('auditEntry');
  testApp.later(1);
  const again = await look(token, { 'if-none-match': etag });
  expect([again.status, again.body]).toEqual([304, '']);
  expect(await count('auditEntry')).toBe(before);
  await tap(token, 'stillWaiting');
  expect((await look(token, { 'if-none-match': etag })).status).toBe(200);
  expect(await count('auditEntry')).toBe(before + 2);
});

test('a message from the office changes the page', async () => {
  const phone = newPhone();
  await come({ phone });
  await come({ phone });
  const token = /\/visit\/([\w-]+)/.exec((await textsTo(phone))[0]?.sent ?? '')?.[1] ?? '';
  const etag = String((await look(token)).headers.etag);
  const { patientUserCode: userCode } = await entryOf(token);
  await testApp.call(queue.messagePatient, { params: { userCode }, body: { body: 'Door B, please.' } }, { as: office });
  const page = await look(token, { 'if-none-match': etag });
  expect(page.body.messages).toMatchObject([{ from: 'office', body: 'Door B, please.' }]);
});

test('the desk sees that a phone has the page open', async () => {
  const token = (await come()).body.token ?? '';
  expect((await list())[0]?.device.notificationsEnabled).toBe(false);
  await look(token);
  expect((await list())[0]?.device.notificationsEnabled).toBe(true);
});

test('a link ends two days after the visit, and an invalid one answers 404', async () => {
  const token = (await come()).body.token ?? '';
  testApp.at('2026-03-05T04:59:00.000Z');
  expect((await look(token)).body).toMatchObject({ statusCode: 'WAITING', isToday: false });
  expect(await tap(token, 'stillWaiting')).toMatchObject({ status: 409, body: { code: 'visit_not_today' } });
  testApp.at('2026-03-05T05:01:00.000Z');
  expect(await look(token)).toMatchObject({ status: 404, body: { code: 'visit_link_ended' } });
  expect((await look('A'.repeat(32))).status).toBe(404);
  expect((await look('short')).status).toBe(400);
  expect((await tap('A'.repeat(32), 'cancel')).status).toBe(404);
});

test("another office's visit is not found through this one", async () => {
  const elsewhere = await come({}, nobody, testApp.other);
  const front = await testApp.call(
    patient.readOfficeFront,
    { params: { npi: office.npi } },
    withCookie(cookieOf(elsewhere)),
  );
  expect(front.body.running).toBeNull();
  const page = JSON.stringify((await look((await come()).body.token ?? '')).body);
  expect(page).not.toContain('CANARY');
});

test('a patient can switch their texts to Spanish', async () => {
  const phone = newPhone();
  const token = (await come({ phone })).body.token ?? '';
  const changed = await testApp.call(
    patient.setPatientLanguage,
    { params: { token }, body: { language: 'es' } },
    nobody,
  );
  expect(changed.body.language).toBe('es');
  await staffMove(token, 'INVITED');
  expect((await textsTo(phone))[0]?.body).toContain('ya puede pasar');
});

/** Expects a patient by text and returns the token of their link. */
async function expected(phone: string): Promise<string> {
  await testApp.call(smsCheckin.addCheckin, { body: { phone } }, { as: office });
  const [text] = await textsTo(phone);
  return /\/([\w-]{22,64})\s*$/.exec(text?.sent ?? '')?.[1] ?? '';
}

const byLink = (token: string) => {
  const { phone: _, ...body } = arrival({ firstName: 'Rosa', language: 'es' });
  return testApp.call(patient.arriveExpected, { params: { token }, body }, nobody);
};

test('an expected patient checks in through the link in their text', async () => {
  const token = await expected(newPhone());
  expect((await look(token)).body).toMatchObject({ statusCode: 'EXPECTED', place: null });
  expect(await list()).toEqual([]);
  testApp.later(20);
  const arrived = await byLink(token);
  expect(arrived.body).toMatchObject({ statusCode: 'WAITING', firstName: 'Rosa', place: 1, language: 'es' });
  expect(await list()).toMatchObject([{ patient: 'Rosa Castellanos' }]);
  expect(await byLink(token)).toMatchObject({ status: 409, body: { current: { statusCode: 'WAITING' } } });
});

test('an expected patient who uses the poster is texted the link again', async () => {
  const phone = newPhone();
  await expected(phone);
  expect((await come({ phone })).body).toEqual({ outcome: 'link-sent', token: null });
  expect(await textsTo(phone)).toHaveLength(2);
  const token = /\/([\w-]{22,64})\s*$/.exec((await textsTo(phone))[1]?.sent ?? '')?.[1] ?? '';
  expect((await byLink(token)).body.statusCode).toBe('WAITING');
  expect(await count('visit')).toBe(1);
});

test("an expected patient's messages are not shown to somebody who knows the number", async () => {
  const phone = newPhone();
  const token = await expected(phone);
  const { userCode } = await testApp.inOffice(office, (tx) =>
    tx.selectFrom('patient').select('userCode').where('phone', '=', phone).executeTakeFirstOrThrow(),
  );
  await testApp.call(
    queue.messagePatient,
    { params: { userCode }, body: { body: 'Bring the referral.' } },
    { as: office },
  );
  expect((await come({ phone })).body).toEqual({ outcome: 'link-sent', token: null });
  expect((await look(token)).body).toMatchObject({
    statusCode: 'EXPECTED',
    messages: [{ body: 'Bring the referral.' }],
  });
});

test('the page embeds its office or its visit, and an unknown page is a 404', async () => {
  const token = (await come()).body.token ?? '';
  const page = (url: string) => testApp.app.inject({ url, headers: { host: 'localhost' } });
  const front = await page(`/c/${office.npi}`);
  if (!front.body.includes('<html')) return; // the pages are not built
  expect(front.body).toContain('"officeName":"Maple Street Pediatrics"');
  const visit = await page(`/visit/${token}`);
  expect(visit.body).toContain('"statusCode":"WAITING"');
  expect(visit.headers['cache-control']).toBe('no-store');
  expect(String(visit.headers['set-cookie'])).toContain('HttpOnly');
  const evil = (await come({ firstName: '</script><script>alert(1)</script>' })).body.token ?? '';
  expect((await page(`/visit/${evil}`)).body).not.toContain('<script>alert');
  expect((await page('/c/9999999999')).statusCode).toBe(404);
  expect((await page(`/visit/${'A'.repeat(32)}`)).statusCode).toBe(404);
});
