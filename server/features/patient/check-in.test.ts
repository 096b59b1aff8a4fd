import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { directory, patient, patientCheckIn, queue } from '#contract/index.ts';
import { linkTextLimits } from '#contract/texting.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import {
  arrival,
  checkIn,
  cookieOf,
  count,
  list,
  look,
  newPhone,
  nobody,
  office,
  openPatientApp,
  tap,
  testApp,
  textsTo,
  withCookie,
  withKey,
} from '#testing/fixtures/patient-phone.ts';

openPatientApp();

test('check-in adds the patient with their family to the queue', async () => {
  const given = arrival({ household: [{ firstName: 'Leo', lastName: 'Castellanos', birthDate: null }] });
  const { status, body } = await testApp.call(
    patientCheckIn.checkIn,
    { params: { npi: office.npi }, body: given },
    nobody,
  );
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

test('a parent who checks in a child is the contact: the child is the only patient, and only the child has forms', async () => {
  const child = { firstName: 'Leo', lastName: 'Castellanos', birthDate: '2019-02-09' };
  const given = arrival({ ...child, contact: { firstName: ' Grace  Ann ', lastName: 'Castellanos' } });
  const { body, headers } = await checkIn(given);
  const page = (await look(body.token ?? '')).body;
  expect(page).toMatchObject({ firstName: 'Leo', members: [{ name: 'Leo Castellanos' }] });
  expect(await list()).toMatchObject([
    { patient: 'Leo Castellanos', activePatients: [{ name: 'Leo Castellanos', birthDate: '2019-02-09' }] },
  ]);
  const visit = await testApp.inOffice(office, (tx) => tx.selectFrom('visit').selectAll().executeTakeFirstOrThrow());
  expect(visit).toMatchObject({ contactFirstName: 'Grace Ann', contactLastName: 'Castellanos' });
  const opened = await testApp.call(queue.readVisit, { params: { visitId: visit.id } }, { as: office });
  expect(opened.body.contactName).toBe('Grace Ann Castellanos');
  const again = await testApp.call(
    patientCheckIn.readOfficeFront,
    { params: { npi: office.npi } },
    withCookie(cookieOf({ headers })),
  );
  expect(again.body.running?.initial).toBe('G');
  const { body: found } = await testApp.call(directory.searchPatients, { body: { search: 'Grace' } }, { as: office });
  expect(found.patients.map(({ name }) => name)).toEqual(['Leo Castellanos']);
});

test('a contact without a name is refused', async () => {
  expect((await checkIn({ contact: { firstName: '\u0000', lastName: 'C' } })).status).toBe(400);
  expect(await count('visit')).toBe(0);
});

test("the check-in page and the visit show the practice's own number, never the one that texts", async () => {
  const { token } = (await checkIn()).body;
  expect((await look(token ?? '')).body.officePhone).toBeNull();
  await testApp.inOffice(office, (tx) => tx.updateTable('office').set({ phone: '+17185550199' }).execute());
  expect((await look(token ?? '')).body.officePhone).toBe('+17185550199');
  const front = await testApp.call(patientCheckIn.readOfficeFront, { params: { npi: office.npi } }, nobody);
  expect(front.body.office).toMatchObject({ officePhone: '+17185550199', agesTreated: [] });
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
  expect((await checkIn({ phone })).body.outcome).toBe('visit');
  expect((await list())[0]?.username).toBe('+17185550100');
});

test.each(['', '555-0100', '+44 20 7946 0958', '000 000 0000', '718 555 01000', 'call me', '١٢٣'])(
  'check-in refuses "%s" as a US mobile number',
  async (phone) => {
    expect(await checkIn({ phone })).toMatchObject({ status: 400, body: { code: 'invalid_phone' } });
    expect(await count('visit')).toBe(0);
  },
);

test.each(['2026-03-03', '1899-12-31'])('check-in refuses the birth date %s', async (birthDate) => {
  expect((await checkIn({ birthDate })).body.code).toBe('invalid_birth_date');
  const household = [{ firstName: 'Leo', lastName: 'C', birthDate }];
  expect((await checkIn({ household })).body.code).toBe('invalid_birth_date');
});

test('check-in accepts a child born today, in the office’s time zone', async () => {
  testApp.at('2026-03-03T04:30:00.000Z');
  expect((await checkIn({ birthDate: '2026-03-02' })).status).toBe(200);
  expect((await checkIn({ birthDate: '2026-03-03' })).body.code).toBe('invalid_birth_date');
});

test.each([
  ['A', 'B'],
  ['x'.repeat(200), 'y'.repeat(200)],
  ['👩🏽‍⚕️', '🦊'],
  ['محمد', 'الأحمد'],
  ['<b onclick=alert(1)>', '&amp;'],
])('check-in stores the name %s %s unchanged', async (firstName, lastName) => {
  const { body } = await checkIn({ firstName, lastName });
  expect((await look(body.token ?? '')).body.members).toEqual([{ name: `${firstName} ${lastName}` }]);
});

test('check-in stores a name on one line, and refuses an empty one', async () => {
  const { body } = await checkIn({ firstName: ' Mary\n Ann\t' });
  expect((await look(body.token ?? '')).body.firstName).toBe('Mary Ann');
  expect((await checkIn({ firstName: '   ' })).status).toBe(400);
  expect((await checkIn({ lastName: 'x'.repeat(201) })).status).toBe(400);
});

test.each(['1', '9999999999', 'abcdefghij', '123456789012', '%00'])(
  'check-in answers 404 for the office %s',
  async (npi) => {
    const front = await testApp.call(patientCheckIn.readOfficeFront, { params: { npi } }, nobody);
    expect(front).toMatchObject({ status: 404, body: { code: 'office_not_found' } });
    expect((await testApp.call(patientCheckIn.checkIn, { params: { npi }, body: arrival() }, nobody)).status).toBe(404);
  },
);

test('an office without a signed agreement has no check-in', async () => {
  const unsigned = await testApp.office({ signed: false });
  expect((await checkIn({}, nobody, unsigned)).body.code).toBe('office_not_found');
});

test('disableCheckin hides the panel’s tab and does not stop patients from checking in', async () => {
  const tabless = await testApp.office({ settings: { disableCheckin: true } });
  const front = await testApp.call(patientCheckIn.readOfficeFront, { params: { npi: tabless.npi } }, nobody);
  expect(front.body.office.isOpen).toBe(true);
  const arrived = await checkIn({}, nobody, tabless);
  expect(arrived).toMatchObject({ status: 200, body: { outcome: 'visit' } });
  expect((await look(arrived.body.token ?? '')).body).toMatchObject({ statusCode: 'WAITING', mayCheckInAgain: true });
});

test('a closed office says when it opens, in its own time zone', async () => {
  const hours = { open: '08:00', close: '17:00' };
  const closed = await testApp.office({
    queueSettings: { openingHours: [hours, hours, hours, hours, hours, null, null] },
  });
  testApp.at('2026-03-06T23:00:00.000Z'); // Friday 18:00 in New York
  const { office: front } = (
    await testApp.call(patientCheckIn.readOfficeFront, { params: { npi: closed.npi } }, nobody)
  ).body;
  expect(front).toMatchObject({ isOpen: false, hoursToday: hours, nextOpening: '2026-03-09T12:00:00.000Z' });
  expect((await checkIn({}, nobody, closed)).body.code).toBe('office_closed');
});

test('nobody can check in during the break or on a closed day', async () => {
  const hours = { open: '08:00', close: '17:00', break: { from: '12:00', to: '13:00' } };
  const closed = await testApp.office({
    queueSettings: {
      openingHours: [hours, hours, hours, hours, hours, null, null],
      closedDays: [{ day: '2026-03-06', name: 'Staff day' }],
    },
  });
  const frontNow = async () =>
    (await testApp.call(patientCheckIn.readOfficeFront, { params: { npi: closed.npi } }, nobody)).body.office;
  testApp.at('2026-03-05T17:30:00.000Z'); // Thursday 12:30 in New York
  expect(await frontNow()).toMatchObject({
    isOpen: false,
    hoursToday: { open: '08:00', close: '17:00' },
    nextOpening: '2026-03-05T18:00:00.000Z',
  });
  expect((await checkIn({}, nobody, closed)).body.code).toBe('office_closed');
  testApp.at('2026-03-05T18:00:00.000Z');
  expect((await checkIn({}, nobody, closed)).body.outcome).toBe('visit');
  testApp.at('2026-03-06T15:00:00.000Z');
  expect(await frontNow()).toMatchObject({
    isOpen: false,
    hoursToday: null,
    nextOpening: '2026-03-09T12:00:00.000Z',
  });
  expect((await checkIn({}, nobody, closed)).body.code).toBe('office_closed');
});

test('a second "I\'m here" in the same browser leads back to the visit', async () => {
  const phone = newPhone();
  const first = await checkIn({ phone });
  const again = await checkIn({ phone }, withCookie(cookieOf(first)));
  expect(again.body).toEqual(first.body);
  const front = await testApp.call(
    patientCheckIn.readOfficeFront,
    { params: { npi: office.npi } },
    withCookie(cookieOf(first)),
  );
  expect(front.body.running).toEqual({ token: first.body.token, initial: 'G' });
  expect([await count('visit'), await count('text')]).toEqual([1, 0]);
});

test('a check-in from another browser texts the link to the phone, at most three times in 15 minutes', async () => {
  const phone = newPhone();
  await checkIn({ phone });
  for (let i = 0; i < 5; i++) {
    expect((await checkIn({ phone })).body).toEqual({ outcome: 'link-sent', token: null });
  }
  const texts = await textsTo(phone);
  expect(texts).toHaveLength(3);
  const token = /\/visit\/([\w-]+)/.exec(texts[0]?.sent ?? '')?.[1] ?? '';
  expect((await look(token)).body.statusCode).toBe('WAITING');
  expect(await count('visit')).toBe(1);
});

test('a retry with the same key sends a text that a limit refused before', async () => {
  const phone = newPhone();
  await checkIn({ phone });
  const limit = linkTextLimits.perOffice;
  await testApp.services.pool.query('insert into rate_limit (key, points, expire) values ($1, $2, $3)', [
    rateLimitKey(limit, office.id),
    limit.points,
    testApp.now().getTime() + limit.seconds * 1_000,
  ]);
  const [key, body] = [randomUUID(), arrival({ phone })];
  const press = () => testApp.call(patientCheckIn.checkIn, { params: { npi: office.npi }, body }, withKey(key));
  const refused = await press();
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_link_texts']);
  expect(await textsTo(phone)).toHaveLength(0);
  testApp.later(61);
  expect((await press()).body).toEqual({ outcome: 'link-sent', token: null });
  expect((await press()).body).toEqual({ outcome: 'link-sent', token: null });
  expect(await textsTo(phone)).toHaveLength(1);
});

/** Its owner texted STOP to the practice. */
const optOut = (phone: string, at = office) =>
  testApp.inOffice(at, (tx) =>
    tx.insertInto('optOut').values({ officeId: at.id, id: testApp.services.id(), phone, at: testApp.now() }).execute(),
  );

test('check-in answers the same for a number that sent STOP, and the desk sees that its text failed', async () => {
  const [phone, stopped] = [newPhone(), newPhone()];
  await optOut(stopped);
  const answers = async (number: string) => {
    const { token } = (await checkIn({ phone: number })).body;
    const [key, body] = [randomUUID(), arrival({ phone: number })];
    const press = () => testApp.call(patientCheckIn.checkIn, { params: { npi: office.npi }, body }, withKey(key));
    const all = [await press(), await press()];
    for (let i = 0; i < 4; i++) all.push(await checkIn({ phone: number }));
    const link = await testApp.call(patient.textVisitLink, { params: { token: token ?? '' } }, nobody);
    return [...all.map((reply) => [reply.status, reply.body]), [link.status, link.body]];
  };
  const same = await answers(phone);
  expect(same).toEqual([
    ...Array<unknown>(6).fill([200, { outcome: 'link-sent', token: null }]),
    [200, { sent: true }],
  ]);
  expect(await answers(stopped)).toEqual(same);
  expect((await textsTo(stopped)).map(({ state, errorClass }) => [state, errorClass])).toEqual(
    Array(3).fill(['failed', 'opted-out']),
  );
  expect((await list()).find(({ username }) => username === stopped)?.textBlock).toBe('opted-out');
});

test('the limits of texted links count for a number that sent STOP as for any other', async () => {
  const [phone, stopped] = [newPhone(), newPhone()];
  await optOut(stopped);
  for (const number of [phone, stopped]) await checkIn({ phone: number });
  const limit = linkTextLimits.perOffice;
  await testApp.services.pool.query('insert into rate_limit (key, points, expire) values ($1, $2, $3)', [
    rateLimitKey(limit, office.id),
    limit.points,
    testApp.now().getTime() + limit.seconds * 1_000,
  ]);
  for (const number of [phone, stopped])
    expect(await checkIn({ phone: number })).toMatchObject({ status: 429, body: { code: 'too_many_link_texts' } });
});

test('a practice without a number answers the same for a number that sent STOP', async () => {
  const silent = await testApp.office({ textNumber: null });
  const [phone, stopped] = [newPhone(), newPhone()];
  await optOut(stopped, silent);
  for (const number of [phone, stopped]) {
    await checkIn({ phone: number }, nobody, silent);
    const { body } = await checkIn({ phone: number }, nobody, silent);
    expect(body).toEqual({ outcome: 'link-not-sent', token: null, reason: 'failed' });
  }
});

test('the browser forgets its running visit the next day', async () => {
  const first = await checkIn();
  testApp.later(24 * 60);
  const front = await testApp.call(
    patientCheckIn.readOfficeFront,
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
      testApp.call(patientCheckIn.checkIn, { params: { npi: office.npi }, body }, withKey(key)),
    ),
  );
  expect(replies.map((r) => `${r.status} ${r.body.outcome}`)).toEqual(Array(20).fill('200 visit'));
  const pages = await Promise.all(replies.map((r) => look(r.body.token ?? '')));
  expect(new Set(pages.map((p) => p.body.createdAt)).size).toBe(1);
  expect([await count('visit'), await count('text')]).toEqual([1, 0]);
  const other = await testApp.call(
    patientCheckIn.checkIn,
    { params: { npi: office.npi }, body: arrival() },
    withKey(key),
  );
  expect(other.body.code).toBe('key_reused');
});

test('the stored reply of a check-in contains no working link', async () => {
  const key = randomUUID();
  const { body } = await testApp.call(
    patientCheckIn.checkIn,
    { params: { npi: office.npi }, body: arrival() },
    withKey(key),
  );
  const kept = await testApp.owner
    .selectFrom('idempotency')
    .select('reply')
    .where('officeId', '=', office.id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(kept.reply)).not.toContain(body.token);
});

test('two phones of one number check in concurrently: one gets the visit, the other a text', async () => {
  const phone = newPhone();
  const replies = await Promise.all(Array.from({ length: 8 }, () => checkIn({ phone })));
  expect(replies.filter((r) => r.body.outcome === 'visit')).toHaveLength(1);
  expect(replies.filter((r) => r.body.outcome === 'link-sent')).toHaveLength(7);
  expect(await count('visit')).toBe(1);
});

test('a patient whose visit is over can check in again the same day', async () => {
  const phone = newPhone();
  const first = await checkIn({ phone });
  await tap(first.body.token ?? '', 'cancel');
  const second = await checkIn({ phone }, withCookie(cookieOf(first)));
  expect(second.body.outcome).toBe('visit');
  expect(second.body.token).not.toBe(first.body.token);
  expect(await count('visit')).toBe(2);
});
