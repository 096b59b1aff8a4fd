import { afterAll, beforeEach, expect, test } from 'vitest';
import { queue, smsCheckin } from '#contract/index.ts';
import type { QueueSettings } from '#contract/practice/office.ts';
import { openHouse, type TestOffice } from '#testing/app/test-app.ts';
import { inviteDue, startAutoInvites } from './jobs.ts';

const house = await openHouse();
afterAll(() => house.close());
let office: TestOffice;
const autoInvite = { autoInviteEnabled: true, autoInviteWaitTime: 15 * 60 } satisfies Partial<QueueSettings>;
beforeEach(async () => {
  house.at('2026-03-02T15:00:00.000Z');
  office = await house.office({ queueSettings: autoInvite });
});

const statusOf = async (visitId: string) =>
  (await house.call(queue.readVisit, { params: { visitId } }, { as: office })).body.visit;

test('invites at its time, not a second before, and says that the timer did it', async () => {
  const visit = await house.visit({ office });
  expect(visit.autoInviteAt).toBe('2026-03-02T15:15:00.000Z');
  house.at('2026-03-02T15:14:59.999Z');
  await inviteDue(house.house);
  expect((await statusOf(visit.id)).statusCode).toBe('WAITING');
  house.at('2026-03-02T15:15:00.000Z');
  await inviteDue(house.house);
  expect(await statusOf(visit.id)).toMatchObject({
    statusCode: 'INVITED',
    actedBy: { kind: 'timer', name: null },
    autoInviteAt: null,
  });
  expect((await house.texts(office)).map(({ kind }) => kind)).toEqual(['invite']);
  expect((await house.record(office)).filter(({ action }) => action === 'visit.move')).toMatchObject([
    { actor: 'timer', actorId: null, outcome: 'done', subject: visit.id },
  ]);
});

test('two processes at once invite once', async () => {
  const second = await openHouse({ beside: house });
  const visits = [];
  for (let i = 0; i < 12; i++) visits.push(await house.visit({ office }));
  house.later(16);
  await Promise.all([inviteDue(house.house), inviteDue(second.house), inviteDue(house.house), inviteDue(second.house)]);
  await second.close();
  expect(await house.texts(office)).toHaveLength(12);
  for (const { id } of visits) expect(await statusOf(id)).toMatchObject({ statusCode: 'INVITED', version: 2 });
});

test('fires with no panel open, also when the server was restarted in between', async () => {
  const visit = await house.visit({ office });
  house.later(10);
  const before = await openHouse({ beside: house });
  const stopped = startAutoInvites(before.house);
  await stopped.stop();
  await before.close();

  house.later(6);
  const after = await openHouse({ beside: house });
  const job = startAutoInvites(after.house);
  await expect.poll(async () => (await statusOf(visit.id)).statusCode, { timeout: 5_000 }).toBe('INVITED');
  await job.stop();
  await after.close();
  expect(await house.texts(office)).toHaveLength(1);
});

test('never invites on another day than the visit’s', async () => {
  house.at('2026-03-03T04:55:00.000Z'); // 11:55 pm in New York
  const visit = await house.visit({ office });
  house.at('2026-03-03T05:10:00.000Z');
  await inviteDue(house.house);
  expect(await statusOf(visit.id)).toMatchObject({ statusCode: 'WAITING', autoInviteAt: null });
  expect(await house.texts(office)).toEqual([]);
});

test('lets be who was invited by hand, left, or ended meanwhile', async () => {
  const invited = await house.visit({ office, moves: ['invite'] });
  const left = await house.visit({ office, moves: ['cancel'] });
  const removed = await house.visit({ office, moves: ['remove'] });
  house.later(20);
  await inviteDue(house.house);
  expect((await statusOf(invited.id)).version).toBe(2);
  expect((await statusOf(left.id)).statusCode).toBe('PATIENT_CANCELLED');
  expect((await statusOf(removed.id)).statusCode).toBe('DOCTOR_CANCELLED');
  expect(await house.texts(office)).toHaveLength(1);
});

test('an expected patient’s clock starts when they arrive, at the desk too', async () => {
  const { body: row } = await house.call(smsCheckin.addCheckin, { body: { phone: '+12125550144' } }, { as: office });
  house.later(60);
  await inviteDue(house.house);
  await house.call(smsCheckin.updateCheckin, { body: { id: row._id, status: 'WAIT' } }, { as: office });
  expect((await statusOf(row._id)).autoInviteAt).toBe('2026-03-02T16:15:00.000Z');
  house.later(15);
  await inviteDue(house.house);
  expect((await statusOf(row._id)).statusCode).toBe('INVITED');
});

test('works off a crowd in one run after the other, past one visit that cannot be invited', async () => {
  for (let i = 0; i < 60; i++) await house.visit({ office });
  const [first] = await house.inOffice(office, (tx) =>
    tx.selectFrom('visit').select('id').orderBy('autoInviteAt').orderBy('id').limit(1).execute(),
  );
  await house.inOffice(office, (tx) =>
    tx
      .updateTable('visit')
      .set({ language: 'es', version: 2_147_483_647 })
      .where('id', '=', first?.id ?? '')
      .execute(),
  );
  house.later(20);
  house.house.log.level = 'silent';
  for (let runs = 0; runs < 5; runs++) await inviteDue(house.house);
  expect(await house.texts(office)).toHaveLength(59);
});
