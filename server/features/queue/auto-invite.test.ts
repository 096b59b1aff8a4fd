import { afterAll, beforeEach, expect, test } from 'vitest';
import { queue, smsCheckin } from '#contract/index.ts';
import { queueSettingsDefault, saveQueueSettings, type QueueSettings } from '#contract/practice/office.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { inviteDueVisits, startAutoInvites } from './jobs.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());
let office: TestOffice;
const autoInvite = { autoInviteEnabled: true, autoInviteWaitTime: 15 * 60 } satisfies Partial<QueueSettings>;
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office({ queueSettings: autoInvite });
});

const statusOf = async (visitId: string) =>
  (await testApp.call(queue.readVisit, { params: { visitId } }, { as: office })).body.visit;

test("auto-invite invites exactly at its time, in the timer's name", async () => {
  const visit = await testApp.visit({ office });
  expect(visit.autoInviteAt).toBe('2026-03-02T15:15:00.000Z');
  testApp.at('2026-03-02T15:14:59.999Z');
  await inviteDueVisits(testApp.services);
  expect((await statusOf(visit.id)).statusCode).toBe('WAITING');
  testApp.at('2026-03-02T15:15:00.000Z');
  await inviteDueVisits(testApp.services);
  expect(await statusOf(visit.id)).toMatchObject({
    statusCode: 'INVITED',
    actedBy: { kind: 'timer', name: null },
    autoInviteAt: null,
  });
  expect((await testApp.texts(office)).map(({ kind }) => kind)).toEqual(['invite']);
  expect((await testApp.auditEntries(office)).filter(({ action }) => action === 'visit.move')).toMatchObject([
    { actor: 'timer', actorId: null, outcome: 'done', subject: visit.id },
  ]);
});

const weekdays = { open: '08:00', close: '17:00', break: { from: '10:10', to: '11:00' } };

test('auto-invite rests during a break: the card shows the time after it, and the patient is invited then', async () => {
  office = await testApp.office({ queueSettings: { ...autoInvite, openingHours: Array(7).fill(weekdays) } });
  const visit = await testApp.visit({ office });
  testApp.at('2026-03-02T15:15:00.000Z');
  await inviteDueVisits(testApp.services);
  expect(await statusOf(visit.id)).toMatchObject({ statusCode: 'WAITING', autoInviteAt: '2026-03-02T16:00:00.000Z' });
  expect(await testApp.texts(office)).toEqual([]);
  testApp.at('2026-03-02T16:00:00.000Z');
  await inviteDueVisits(testApp.services);
  expect((await statusOf(visit.id)).statusCode).toBe('INVITED');
});

test('auto-invite invites nobody on a day that was marked as closed after they arrived', async () => {
  const closedDays = [{ day: '2026-03-02', name: 'Snow' }];
  const visit = await testApp.visit({ office });
  await testApp.call(
    saveQueueSettings,
    { body: { ...queueSettingsDefault, ...autoInvite, closedDays } },
    { as: office },
  );
  testApp.later(16);
  await inviteDueVisits(testApp.services);
  expect(await statusOf(visit.id)).toMatchObject({ statusCode: 'WAITING', autoInviteAt: null });
});

test('two processes auto-invite a visit only once', async () => {
  const second = await openTestApp({ beside: testApp });
  const visits = [];
  for (let i = 0; i < 12; i++) visits.push(await testApp.visit({ office }));
  testApp.later(16);
  await Promise.all([
    inviteDueVisits(testApp.services),
    inviteDueVisits(second.services),
    inviteDueVisits(testApp.services),
    inviteDueVisits(second.services),
  ]);
  await second.close();
  expect(await testApp.texts(office)).toHaveLength(12);
  for (const { id } of visits) expect(await statusOf(id)).toMatchObject({ statusCode: 'INVITED', version: 2 });
});

test('auto-invite works without an open panel, and after a restart', async () => {
  const visit = await testApp.visit({ office });
  testApp.later(10);
  const before = await openTestApp({ beside: testApp });
  const stopped = startAutoInvites(before.services);
  await stopped.stop();
  await before.close();

  testApp.later(6);
  const after = await openTestApp({ beside: testApp });
  const job = startAutoInvites(after.services);
  await expect.poll(async () => (await statusOf(visit.id)).statusCode, { timeout: 5_000 }).toBe('INVITED');
  await job.stop();
  await after.close();
  expect(await testApp.texts(office)).toHaveLength(1);
});

test('auto-invite never invites on another day than the visit’s', async () => {
  testApp.at('2026-03-03T04:55:00.000Z'); // 11:55 pm in New York
  const visit = await testApp.visit({ office });
  testApp.at('2026-03-03T05:10:00.000Z');
  await inviteDueVisits(testApp.services);
  expect(await statusOf(visit.id)).toMatchObject({ statusCode: 'WAITING', autoInviteAt: null });
  expect(await testApp.texts(office)).toEqual([]);
});

test('auto-invite skips visits that were invited by hand, left or ended meanwhile', async () => {
  const invited = await testApp.visit({ office, moves: ['invite'] });
  const left = await testApp.visit({ office, moves: ['cancel'] });
  const removed = await testApp.visit({ office, moves: ['remove'] });
  testApp.later(20);
  await inviteDueVisits(testApp.services);
  expect((await statusOf(invited.id)).version).toBe(2);
  expect((await statusOf(left.id)).statusCode).toBe('PATIENT_CANCELLED');
  expect((await statusOf(removed.id)).statusCode).toBe('DOCTOR_CANCELLED');
  expect(await testApp.texts(office)).toHaveLength(1);
});

test('an expected patient’s auto-invite counts from their arrival, also if the desk marks it', async () => {
  const { body: row } = await testApp.call(smsCheckin.addCheckin, { body: { phone: '+12125550144' } }, { as: office });
  testApp.later(60);
  await inviteDueVisits(testApp.services);
  await testApp.call(smsCheckin.updateCheckin, { body: { id: row._id, status: 'WAIT' } }, { as: office });
  expect((await statusOf(row._id)).autoInviteAt).toBe('2026-03-02T16:15:00.000Z');
  testApp.later(15);
  await inviteDueVisits(testApp.services);
  expect((await statusOf(row._id)).statusCode).toBe('INVITED');
});

test('auto-invite works through a crowd, past a visit that cannot be invited', async () => {
  for (let i = 0; i < 60; i++) await testApp.visit({ office });
  const [first] = await testApp.inOffice(office, (tx) =>
    tx.selectFrom('visit').select('id').orderBy('autoInviteAt').orderBy('id').limit(1).execute(),
  );
  await testApp.inOffice(office, (tx) =>
    tx
      .updateTable('visit')
      .set({ language: 'es', version: 2_147_483_647 })
      .where('id', '=', first?.id ?? '')
      .execute(),
  );
  testApp.later(20);
  testApp.services.log.level = 'silent';
  for (let runs = 0; runs < 5; runs++) await inviteDueVisits(testApp.services);
  expect(await testApp.texts(office)).toHaveLength(59);
});
