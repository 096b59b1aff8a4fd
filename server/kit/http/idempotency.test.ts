import { afterAll, expect, test } from 'vitest';
import { queue } from '#contract/index.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { forgetReplies } from './idempotency.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

const write = (userCode: string, body: string, key: string, as = testApp.maple) =>
  testApp.call(
    queue.messagePatient,
    { params: { userCode }, body: { body } },
    { as, headers: { 'idempotency-key': key } },
  );
const kept = (of = testApp.maple) =>
  testApp.inOffice(of, (tx) => tx.selectFrom('idempotency').selectAll().where('officeId', '=', of.id).execute());

test('an Idempotency-Key returns the first answer for a day, then acts again', async () => {
  const visit = await testApp.visit();
  const first = await write(visit.patientUserCode, 'Come in', 'k1');
  testApp.later(23 * 60);
  expect((await write(visit.patientUserCode, 'Come in', 'k1')).body).toEqual(first.body);
  testApp.later(61);
  expect((await write(visit.patientUserCode, 'Come in', 'k1')).body.id).not.toBe(first.body.id);
});

test('a key reused for another patient is refused', async () => {
  const one = await testApp.visit();
  const two = await testApp.visit();
  await write(one.patientUserCode, 'Room 2', 'k2');
  expect(await write(two.patientUserCode, 'Room 2', 'k2')).toMatchObject({ status: 422, body: { code: 'key_reused' } });
});

test('two colleagues, and two offices, may use the same key', async () => {
  const visit = await testApp.visit();
  const foreign = await testApp.visit({ office: testApp.other });
  const colleague = await testApp.addStaff({ name: 'Luis Herrera', email: 'luis@maple.test' }, [testApp.maple]);
  const luis = { ...testApp.maple, token: await testApp.signIn(colleague) };
  const answers = [
    await write(visit.patientUserCode, 'Hello', 'k3'),
    await write(visit.patientUserCode, 'Hello', 'k3', luis),
    await write(foreign.patientUserCode, 'Hello', 'k3', testApp.other),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3);
});

test('a key of 200 characters is accepted, a longer one refused', async () => {
  const visit = await testApp.visit();
  expect((await write(visit.patientUserCode, 'Hello', 'k'.repeat(200))).status).toBe(200);
  expect((await write(visit.patientUserCode, 'Hello', 'k'.repeat(201))).status).toBe(400);
});

test('replies older than a day are deleted in every office', async () => {
  const visit = await testApp.visit();
  await write(visit.patientUserCode, 'Hello', 'k5');
  testApp.later(24 * 60);
  const fresh = await testApp.visit();
  await write(fresh.patientUserCode, 'Hello', 'k6');
  await forgetReplies(testApp.services);
  expect(await kept()).toHaveLength(1);
  expect(await kept(testApp.other)).toHaveLength(0);
});
