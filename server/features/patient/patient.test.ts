import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { patient, patientCheckIn, queue } from '#contract/index.ts';
import {
  checkIn,
  cookieOf,
  count,
  entryOf,
  list,
  look,
  newPhone,
  nobody,
  office,
  openPatientApp,
  staffMove,
  tap,
  testApp,
  textsTo,
  withCookie,
} from '#testing/fixtures/patient-phone.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';

openPatientApp();

test('the phone takes a visit from called through on my way to in', async () => {
  const token = (await checkIn()).body.token ?? '';
  await staffMove(token, 'INVITED');
  expect((await look(token)).body).toMatchObject({ statusCode: 'INVITED', place: null });
  expect((await tap(token, 'onMyWay')).body.statusCode).toBe('GOING');
  expect((await tap(token, 'imIn')).body.statusCode).toBe('PATIENT_DONE');
  expect((await entryOf(token)).actedBy.kind).toBe('patient');
});

test('a late tap is refused with the patient’s current page, and nothing from the desk', async () => {
  const token = (await checkIn()).body.token ?? '';
  await staffMove(token, 'INVITED');
  await staffMove(token, 'DOCTOR_CANCELLED', 'no-show');
  const { status, body } = await tap(token, 'onMyWay');
  expect([status, body.code]).toEqual([409, 'visit_moved_on']);
  expect(body.current).toMatchObject({ statusCode: 'DOCTOR_CANCELLED', endReason: 'no-show' });
  expect(Object.keys(body.current as object).sort()).toEqual(Object.keys((await look(token)).body).sort());
});

test('the page says whether the number gets texts from this office', async () => {
  const phone = newPhone();
  const token = (await checkIn({ phone })).body.token ?? '';
  const getsTexts = async () => (await look(token)).body.getsTexts;
  expect(await getsTexts()).toBe(true);
  // Whoever typed a number does not learn that its owner wrote STOP here.
  await patientTexts(testApp, phone, 'STOP', { office });
  expect(await getsTexts()).toBe(true);
  await patientTexts(testApp, phone, 'START', { office });
  await testApp.inOffice(office, (tx) =>
    tx
      .insertInto('landline')
      .values({ officeId: office.id, id: testApp.services.id(), phone, reportedAt: testApp.now() })
      .execute(),
  );
  expect(await getsTexts()).toBe(false);
});

test('the page of a patient who is removed as a no-show says whether the practice called', async () => {
  const removed = (await checkIn()).body.token ?? '';
  await staffMove(removed, 'DOCTOR_CANCELLED', 'no-show');
  expect((await look(removed)).body).toMatchObject({ endReason: 'no-show', wasCalled: false });
  testApp.later(1);
  const called = (await checkIn()).body.token ?? '';
  await staffMove(called, 'INVITED');
  await staffMove(called, 'DOCTOR_CANCELLED', 'no-show');
  expect((await look(called)).body).toMatchObject({ endReason: 'no-show', wasCalled: true });
});

test('20 taps with one key move the visit once', async () => {
  const token = (await checkIn()).body.token ?? '';
  await staffMove(token, 'INVITED');
  const key = randomUUID();
  const replies = await Promise.all(Array.from({ length: 20 }, () => tap(token, 'onMyWay', key)));
  expect(replies.map((r) => r.status)).toEqual(Array(20).fill(200));
  expect((await entryOf(token)).version).toBe(3);
});

test.each(['WAITING', 'INVITED', 'GOING'] as const)('a patient can cancel once when %s', async (state) => {
  const token = (await checkIn()).body.token ?? '';
  if (state !== 'WAITING') await staffMove(token, 'INVITED');
  if (state === 'GOING') await tap(token, 'onMyWay');
  expect((await tap(token, 'cancel')).body.statusCode).toBe('PATIENT_CANCELLED');
  expect((await tap(token, 'cancel')).status).toBe(409);
});

test('"Still waiting?" marks the card at most once a minute', async () => {
  const token = (await checkIn()).body.token ?? '';
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
    tokens.push((await checkIn()).body.token ?? '');
  }
  const [first = '', second = '', third = ''] = tokens;
  expect((await look(third)).body.place).toBe(3);
  await staffMove(first, 'INVITED');
  expect((await look(third)).body.place).toBe(2);
  await tap(second, 'cancel');
  expect((await look(third)).body.place).toBe(1);
});

test('an unchanged page answers 304, which discloses and writes nothing', async () => {
  const token = (await checkIn()).body.token ?? '';
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
  await checkIn({ phone });
  await checkIn({ phone });
  const token = /\/visit\/([\w-]+)/.exec((await textsTo(phone))[0]?.sent ?? '')?.[1] ?? '';
  const etag = String((await look(token)).headers.etag);
  const { patientUserCode: userCode } = await entryOf(token);
  await testApp.call(queue.messagePatient, { params: { userCode }, body: { body: 'Door B, please.' } }, { as: office });
  const page = await look(token, { 'if-none-match': etag });
  expect(page.body.messages).toMatchObject([{ from: 'office', body: 'Door B, please.' }]);
});

test('the desk sees that a phone has the page open', async () => {
  const token = (await checkIn()).body.token ?? '';
  expect((await list())[0]?.device.notificationsEnabled).toBe(false);
  await look(token);
  expect((await list())[0]?.device.notificationsEnabled).toBe(true);
});

test('the desk sees that a page is of an older build, until a newer page is open', async () => {
  testApp.services.phoneBuild = 'newer';
  const token = (await checkIn()).body.token ?? '';
  const elsewhere = (await checkIn({}, nobody, testApp.other)).body.token ?? '';
  expect((await look(elsewhere, { 'x-build': 'newer' })).body.outdated).toBe(false);
  const queueVersion = () =>
    testApp.inOffice(office, (tx) => tx.selectFrom('queueVersion').select('version').executeTakeFirstOrThrow());
  await look(token);
  const { version } = await queueVersion();

  const page = await look(token, { 'x-build': 'older' });
  expect(page.body.outdated).toBe(true);
  const again = await look(token, { 'x-build': 'older', 'if-none-match': String(page.headers.etag) });
  expect(again.status).toBe(304);
  expect((await queueVersion()).version).toBe(version + 1);
  expect(await list()).toMatchObject([{ updateRequired: true }]);
  expect(await list(testApp.other)).toMatchObject([{ updateRequired: false }]);
  // A program that names no build says nothing about the page.
  expect((await look(token)).body.outdated).toBe(false);
  expect(await list()).toMatchObject([{ updateRequired: true }]);

  expect((await look(token, { 'x-build': 'newer' })).body.outdated).toBe(false);
  expect(await list()).toMatchObject([{ updateRequired: false }]);
  // Two phones with pages of different builds, or a stranger's program, make the desks look once in five minutes.
  for (const build of ['older', 'newer', 'older']) await look(token, { 'x-build': build });
  expect((await queueVersion()).version).toBe(version + 2);
  testApp.later(6);
  await look(token, { 'x-build': 'older' });
  expect(await list()).toMatchObject([{ updateRequired: true }]);
});

test('a link ends two days after the visit and then names its practice; one that never existed answers 404 and names nobody', async () => {
  const token = (await checkIn()).body.token ?? '';
  testApp.at('2026-03-05T04:59:00.000Z');
  expect((await look(token)).body).toMatchObject({ statusCode: 'WAITING', isToday: false });
  expect(await tap(token, 'stillWaiting')).toMatchObject({ status: 409, body: { code: 'visit_not_today' } });
  testApp.at('2026-03-05T05:01:00.000Z');
  const current = { officeName: 'Maple Street Pediatrics', officePhone: null, hasExpired: true };
  expect(await look(token)).toMatchObject({ status: 404, body: { code: 'visit_link_ended', current } });
  const stranger = await look('A'.repeat(32));
  expect([stranger.status, 'current' in stranger.body]).toEqual([404, false]);
  expect((await look('short')).status).toBe(400);
  expect((await tap('A'.repeat(32), 'cancel')).status).toBe(404);
});

test("another office's visit is not found through this one", async () => {
  const elsewhere = await checkIn({}, nobody, testApp.other);
  const front = await testApp.call(
    patientCheckIn.readOfficeFront,
    { params: { npi: office.npi } },
    withCookie(cookieOf(elsewhere)),
  );
  expect(front.body.running).toBeNull();
  const page = JSON.stringify((await look((await checkIn()).body.token ?? '')).body);
  expect(page).not.toContain('CANARY');
});

test('a patient can switch their texts to Spanish', async () => {
  const phone = newPhone();
  const token = (await checkIn({ phone })).body.token ?? '';
  const changed = await testApp.call(
    patient.setPatientLanguage,
    { params: { token }, body: { language: 'es' } },
    nobody,
  );
  expect(changed.body.language).toBe('es');
  await staffMove(token, 'INVITED');
  expect((await textsTo(phone))[0]?.body).toContain('ya puede pasar');
});

test('the page embeds its office or its visit, and an unknown page is a 404', async () => {
  const token = (await checkIn()).body.token ?? '';
  const page = (url: string) => testApp.app.inject({ url, headers: { host: 'localhost' } });
  const front = await page(`/c/${office.npi}`);
  if (!front.body.includes('<html')) return; // the pages are not built
  expect(front.body).toContain('"officeName":"Maple Street Pediatrics"');
  const visit = await page(`/visit/${token}`);
  expect(visit.body).toContain('"statusCode":"WAITING"');
  expect(visit.body).toContain('"forms":{"asked":null,"minutesLeft":0,');
  expect(visit.headers['cache-control']).toBe('no-store');
  expect(String(visit.headers['set-cookie'])).toContain('HttpOnly');
  // Once a texted link was used, the page of the browser that typed the number names no forms.
  await look(await testApp.provedToken((await entryOf(token)).id, office));
  expect((await page(`/visit/${token}`)).body).toContain('"forms":null');
  const evil = (await checkIn({ firstName: '</script><script>alert(1)</script>' })).body.token ?? '';
  expect((await page(`/visit/${evil}`)).body).not.toContain('<script>alert');
  expect((await page('/c/9999999999')).statusCode).toBe(404);
  expect((await page(`/visit/${'A'.repeat(32)}`)).statusCode).toBe(404);
});
