import { afterAll, expect, test } from 'vitest';
import { chatConversations, queue, sms, smsCheckin } from '#contract/index.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

/** A caller of the older API: identifies the visit by userCode and dateTime, and the action by the new statusCode. */
const move = (body: Record<string, unknown>) => testApp.call(queue.moveVisit, { body: body as never });

test('POST /virtual-queue/ finds a visit by userCode and dateTime from the list', async () => {
  const visit = await testApp.visit();
  const { body: list } = await testApp.call(queue.listQueue, { query: {} });
  const shown = list.find(({ id }) => id === visit.id);
  const answer = await move({
    userCode: shown?.patientUserCode,
    dateTime: shown?.createdAt,
    action: 'INVITED',
    notes: '',
    patient: shown?.patient,
    relatedNpi: testApp.maple.npi,
  });
  expect(answer).toMatchObject({ status: 200, body: { id: visit.id, statusCode: 'INVITED' } });
});

test('POST /virtual-queue/ distinguishes two visits of one patient on one day', async () => {
  const phone = '+16465550121';
  const first = await testApp.visit({ phone, moves: ['cancel'] });
  testApp.later(30);
  const second = await testApp.visit({ phone });
  expect(second.patientUserCode).toBe(first.patientUserCode);
  const { patientUserCode: userCode } = second;
  expect((await move({ userCode, dateTime: first.createdAt, action: 'INVITED' })).status).toBe(409);
  expect((await move({ userCode, dateTime: second.createdAt, action: 'INVITED' })).body.id).toBe(second.id);
});

test('POST /virtual-queue/ finds nothing with another practice’s relatedNpi', async () => {
  const visit = await testApp.visit();
  for (const relatedNpi of [testApp.other.npi, '9999999999']) {
    const answer = await move({ id: visit.id, action: 'INVITED', relatedNpi });
    expect(answer).toMatchObject({ status: 404, body: { code: 'visit_not_found' } });
  }
  expect((await move({ id: visit.id, action: 'INVITED', relatedNpi: '12345' })).status).toBe(400);
});

test("POST /virtual-queue/ answers 404 alike for another office's code and an unknown one", async () => {
  const foreign = await testApp.visit({ office: testApp.other });
  const unknown = await move({ userCode: 'nobody', dateTime: foreign.createdAt, action: 'INVITED' });
  const answer = await move({ userCode: foreign.patientUserCode, dateTime: foreign.createdAt, action: 'INVITED' });
  expect(unknown.status).toBe(404);
  expect(answer.body).toEqual(unknown.body);
});

test('POST /virtual-queue/ finds nothing if id and pair mean different visits', async () => {
  const [one, two] = [await testApp.visit(), await testApp.visit()];
  const pair = { userCode: two.patientUserCode, dateTime: two.createdAt };
  expect((await move({ id: one.id, ...pair, action: 'INVITED' })).status).toBe(404);
  expect((await move({ id: two.id, ...pair, action: 'INVITED' })).body.id).toBe(two.id);
});

test('POST /virtual-queue/ without id or a complete pair is a 400', async () => {
  const visit = await testApp.visit();
  expect((await move({ userCode: visit.patientUserCode, action: 'INVITED' })).status).toBe(400);
  expect((await move({ dateTime: visit.createdAt, action: 'INVITED' })).status).toBe(400);
  expect((await move({ action: 'INVITED' })).status).toBe(400);
});

test('POST /virtual-queue/ accepts a missing trailing slash', async () => {
  const visit = await testApp.visit();
  for (const url of ['/api/virtual-queue', '/api/virtual-queue/']) {
    const answer = await testApp.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${testApp.maple.token}` },
      payload: { id: visit.id, action: 'INVITED' },
    });
    expect([200, 409]).toContain(answer.statusCode);
  }
});

test('calls that name the office accept an earlier NPI of it', async () => {
  const npi = '1999999984';
  await testApp.inOffice(testApp.maple, (tx) =>
    tx
      .insertInto('officeNpi')
      .values({ officeId: testApp.maple.id, id: testApp.services.id(), npi, current: false })
      .execute(),
  );
  const visit = await testApp.visit();
  expect((await move({ id: visit.id, action: 'INVITED', relatedNpi: npi })).status).toBe(200);
  const statuses = await Promise.all([
    testApp.call(queue.listCheckedIn, { params: { npi } }),
    testApp.call(smsCheckin.listSmsCheckins, { params: { officeId: npi } }),
    testApp.call(smsCheckin.listSmsHistory, { params: { officeId: npi, date: '20260302' } }),
    testApp.call(smsCheckin.listExpected, { params: { officeId: npi } }),
    testApp.call(smsCheckin.addCheckin, { body: { phone: '+16465550188', officeId: npi } }),
    testApp.call(chatConversations.listConversations, { params: { id: npi }, query: {} }),
    testApp.call(sms.saveSmsText, { body: { officeId: npi, text: '' } }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200]);
  expect((await testApp.call(queue.listCheckedIn, { params: { npi } }, { as: testApp.other })).status).toBe(404);
});

test('GET /queue/{npi} lists today’s checked-in patients of the caller’s own NPI only', async () => {
  const visit = await testApp.visit({ household: [{ firstName: 'Lía', lastName: 'Byron', birthDate: null }] });
  const own = await testApp.call(queue.listCheckedIn, { params: { npi: testApp.maple.npi } });
  expect(own.body.find(({ patientUserCode }) => patientUserCode === visit.patientUserCode)).toEqual({
    id: visit.id,
    patientName: 'Ada Byron',
    patientUserCode: visit.patientUserCode,
    activePatients: [{ name: 'Ada Byron' }, { name: 'Lía Byron' }],
    createdAt: visit.createdAt,
    formsFiled: 0,
    review: false,
    covidReview: false,
  });
  const foreign = await testApp.call(queue.listCheckedIn, { params: { npi: testApp.other.npi } });
  const unknown = await testApp.call(queue.listCheckedIn, { params: { npi: '2999999999' } });
  expect(foreign.status).toBe(404);
  expect(foreign.body).toEqual(unknown.body);
});
