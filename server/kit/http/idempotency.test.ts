import { afterAll, expect, test } from 'vitest';
import { queue } from '#contract/index.ts';
import { openHouse } from '#testing/app/test-app.ts';
import { forgetReplies } from './idempotency.ts';

const house = await openHouse();
afterAll(() => house.close());

const write = (userCode: string, body: string, key: string, as = house.maple) =>
  house.call(
    queue.messagePatient,
    { params: { userCode }, body: { body } },
    { as, headers: { 'idempotency-key': key } },
  );
const kept = (of = house.maple) =>
  house.inOffice(of, (tx) => tx.selectFrom('idempotency').selectAll().where('officeId', '=', of.id).execute());

test('the same key gives the first answer for a day, then acts anew', async () => {
  const visit = await house.visit();
  const first = await write(visit.patientUserCode, 'Come in', 'k1');
  house.later(23 * 60);
  expect((await write(visit.patientUserCode, 'Come in', 'k1')).body).toEqual(first.body);
  house.later(61);
  expect((await write(visit.patientUserCode, 'Come in', 'k1')).body.id).not.toBe(first.body.id);
});

test('the same key for another patient is another request', async () => {
  const one = await house.visit();
  const two = await house.visit();
  await write(one.patientUserCode, 'Room 2', 'k2');
  expect(await write(two.patientUserCode, 'Room 2', 'k2')).toMatchObject({ status: 422, body: { code: 'key_reused' } });
});

test('two colleagues, and two offices, may use the same key', async () => {
  const visit = await house.visit();
  const foreign = await house.visit({ office: house.other });
  const colleague = await house.addStaff({ name: 'Luis Herrera', email: 'luis@maple.test' }, [house.maple]);
  const luis = { ...house.maple, token: await house.signIn(colleague) };
  const answers = [
    await write(visit.patientUserCode, 'Hello', 'k3'),
    await write(visit.patientUserCode, 'Hello', 'k3', luis),
    await write(foreign.patientUserCode, 'Hello', 'k3', house.other),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3);
});

test('a key of 200 characters is taken, a longer one refused', async () => {
  const visit = await house.visit();
  expect((await write(visit.patientUserCode, 'Hello', 'k'.repeat(200))).status).toBe(200);
  expect((await write(visit.patientUserCode, 'Hello', 'k'.repeat(201))).status).toBe(400);
});

test('what no retry can ask for any more is forgotten, in every office', async () => {
  const visit = await house.visit();
  await write(visit.patientUserCode, 'Hello', 'k5');
  house.later(24 * 60);
  const fresh = await house.visit();
  await write(fresh.patientUserCode, 'Hello', 'k6');
  await forgetReplies(house.house);
  expect(await kept()).toHaveLength(1);
  expect(await kept(house.other)).toHaveLength(0);
});
