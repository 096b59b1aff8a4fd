import { afterAll, expect, test } from 'vitest';
import { patient, queue } from '#contract/index.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

const write = (userCode: string, body: string, headers = {}) =>
  testApp.call(queue.messagePatient, { params: { userCode }, body: { body } }, { headers });

test('a message is texted to the patient, and shown on their page and in the detail panel', async () => {
  const visit = await testApp.visit();
  const sent = await write(visit.patientUserCode, '  Room 4, second door — ¡gracias! 🙏 ');
  expect(sent).toMatchObject({
    status: 200,
    body: {
      from: 'office',
      by: 'Dana Whitlock',
      kind: 'message',
      body: 'Room 4, second door — ¡gracias! 🙏',
      state: 'queued',
    },
  });
  const [text] = (await testApp.texts()).filter(({ visitId }) => visitId === visit.id);
  expect(text).toMatchObject({ toPhone: visit.username, body: 'Room 4, second door — ¡gracias! 🙏' });
  const token = await testApp.provedToken(visit.id);
  const { body: page } = await testApp.call(patient.readPatientVisit, { params: { token } }, { as: null });
  expect(page.messages.map(({ body }) => body)).toEqual(['Room 4, second door — ¡gracias! 🙏']);
  const { body: panel } = await testApp.call(queue.readVisit, { params: { visitId: visit.id } });
  expect(panel.messages).toHaveLength(1);
  expect(panel.visit.messageCount).toBe(1);
});

test.each(['', '   ', '\n\t ', '\u00a0\u2003'])('an empty message (%j) is refused', async (body) => {
  const visit = await testApp.visit();
  expect(await write(visit.patientUserCode, body)).toMatchObject({ status: 400, body: { code: 'empty_message' } });
  expect((await testApp.texts()).filter(({ visitId }) => visitId === visit.id)).toEqual([]);
});

test('a message goes to the running visit of a returning patient', async () => {
  const phone = '+16465550133';
  await testApp.visit({ phone, moves: ['cancel'] });
  testApp.later(10);
  const running = await testApp.visit({ phone });
  await write(running.patientUserCode, 'Welcome back');
  const { body } = await testApp.call(queue.readVisit, { params: { visitId: running.id } });
  expect(body.messages.map((message) => message.body)).toEqual(['Welcome back']);
});

test("a message goes to today's visit of the poster, although an earlier visit's texted link was opened", async () => {
  const phone = '+16465550134';
  const earlier = await testApp.visit({ phone, moves: ['invite'] });
  const proved = await testApp.provedToken(earlier.id);
  await testApp.call(patient.readPatientVisit, { params: { token: proved } }, { as: null });
  await testApp.call(queue.moveVisit, { body: { id: earlier.id, action: 'DOCTOR_CANCELLED' } });
  testApp.later(30 * 24 * 60);
  const today = await testApp.visit({ phone });
  expect((await write(today.patientUserCode, 'The doctor is ready')).status).toBe(200);
  const { body } = await testApp.call(queue.readVisit, { params: { visitId: today.id } });
  expect(body.messages.map((message) => message.body)).toEqual(['The doctor is ready']);
});

test('a message to a patient who is not here today goes to the newest visit', async () => {
  const phone = '+16465550135';
  const first = await testApp.visit({ phone, moves: ['cancel'] });
  const proved = await testApp.provedToken(first.id);
  await testApp.call(patient.readPatientVisit, { params: { token: proved } }, { as: null });
  testApp.later(24 * 60);
  const newest = await testApp.visit({ phone, moves: ['cancel'] });
  testApp.later(24 * 60);
  await write(newest.patientUserCode, 'You left your umbrella');
  const { body } = await testApp.call(queue.readVisit, { params: { visitId: newest.id } });
  expect(body.messages.map((message) => message.body)).toEqual(['You left your umbrella']);
});

test('a message to another office’s patient answers 404 like an unknown one', async () => {
  const foreign = await testApp.visit({ office: testApp.other });
  const answer = await write(foreign.patientUserCode, 'Hello');
  const unknown = await write('nobody', 'Hello');
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual(unknown.body);
  expect(await testApp.texts(testApp.other)).toEqual([]);
});

test('20 concurrent messages with one Idempotency-Key send one text and get the same answer', async () => {
  const visit = await testApp.visit();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => write(visit.patientUserCode, 'Once', { 'idempotency-key': 'tap-1' })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect((await testApp.texts()).filter(({ visitId }) => visitId === visit.id)).toHaveLength(1);
  const other = await write(visit.patientUserCode, 'Twice', { 'idempotency-key': 'tap-1' });
  expect(other).toMatchObject({ status: 422, body: { code: 'key_reused' } });
});

test('a refused message does not use up its key', async () => {
  const visit = await testApp.visit();
  const key = { 'idempotency-key': 'tap-2' };
  expect((await write(visit.patientUserCode, ' ', key)).status).toBe(400);
  expect((await write(visit.patientUserCode, 'Now with words', key)).status).toBe(200);
});

test('markup in a message is stored as it was typed', async () => {
  const visit = await testApp.visit();
  const script = `<script>alert('x')</script><img src=x onerror=alert(1)>`;
  expect((await write(visit.patientUserCode, script)).body.body).toBe(script);
});
