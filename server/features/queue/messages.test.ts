import { afterAll, expect, test } from 'vitest';
import { patient, queue } from '#contract/index.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

const write = (userCode: string, body: string, headers = {}) =>
  testApp.call(queue.messagePatient, { params: { userCode }, body: { body } }, { headers });

test('a message is texted to the patient and stands on their page and in the detail panel', async () => {
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

test.each(['', '   ', '\n\t ', '\u00a0\u2003'])('an empty message (%j) is not sent', async (body) => {
  const visit = await testApp.visit();
  expect(await write(visit.patientUserCode, body)).toMatchObject({ status: 400, body: { code: 'empty_message' } });
  expect((await testApp.texts()).filter(({ visitId }) => visitId === visit.id)).toEqual([]);
});

test('goes to the running visit of a patient who was here before', async () => {
  const phone = '+16465550133';
  await testApp.visit({ phone, moves: ['cancel'] });
  testApp.later(10);
  const running = await testApp.visit({ phone });
  await write(running.patientUserCode, 'Welcome back');
  const { body } = await testApp.call(queue.readVisit, { params: { visitId: running.id } });
  expect(body.messages.map((message) => message.body)).toEqual(['Welcome back']);
});

test('another office’s patient is the same 404 as nobody', async () => {
  const foreign = await testApp.visit({ office: testApp.other });
  const answer = await write(foreign.patientUserCode, 'Hello');
  const unknown = await write('nobody', 'Hello');
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual(unknown.body);
  expect(await testApp.texts(testApp.other)).toEqual([]);
});

test('sent twenty times at once under one Idempotency-Key, one leaves and all get its answer', async () => {
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

test('a refused message does not use its key up', async () => {
  const visit = await testApp.visit();
  const key = { 'idempotency-key': 'tap-2' };
  expect((await write(visit.patientUserCode, ' ', key)).status).toBe(400);
  expect((await write(visit.patientUserCode, 'Now with words', key)).status).toBe(200);
});

test('markup in a message is kept as it was written', async () => {
  const visit = await testApp.visit();
  const script = `<script>alert('x')</script><img src=x onerror=alert(1)>`;
  expect((await write(visit.patientUserCode, script)).body.body).toBe(script);
});
