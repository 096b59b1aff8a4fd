import { afterAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { patient, queue } from '#contract/index.ts';
import { reasonsOf, type Move } from '#contract/queue.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';

const testApp: TestApp = await openTestApp();
afterAll(() => testApp.close());
const monday = '2026-03-02T15:00:00.000Z';
beforeEach(() => testApp.at(monday));
afterEach(() => testApp.at(monday));

const act = (id: string, action: 'INVITED' | 'DOCTOR_CANCELLED' | 'BACK' | 'WAITING', notes?: string) =>
  testApp.call(queue.moveVisit, { body: { id, action, ...(notes !== undefined && { notes }) } });
const phone = (token: string, action: 'onMyWay' | 'imIn' | 'cancel' | 'stillWaiting') =>
  testApp.call(patient.movePatientVisit, { params: { token }, body: { action } }, { as: null });

describe('Move to History', () => {
  test.each([[['invite']], [['invite', 'reinvite']], [['invite', 'onMyWay']]] satisfies [Move[]][])(
    'Move to History ends a visit after %s as seen by default',
    async (moves) => {
      const visit = await testApp.visit({ moves });
      const ended = await act(visit.id, 'DOCTOR_CANCELLED');
      expect(ended.body).toMatchObject({
        statusCode: 'DOCTOR_CANCELLED',
        statusBefore: visit.statusCode,
        endReason: 'seen',
        endNote: null,
        endedAt: monday,
        actedBy: { kind: 'staff', name: 'Dana Whitlock' },
      });
    },
  );

  test.each(['seen', 'no-show', 'left', 'cancelled'])('Move to History stores the reason "%s"', async (reason) => {
    const visit = await testApp.visit({ moves: ['invite'] });
    expect((await act(visit.id, 'DOCTOR_CANCELLED', reason)).body).toMatchObject({
      endReason: reason,
      endNote: null,
    });
  });

  test('Move to History stores a free note beside the default reason', async () => {
    const visit = await testApp.visit({ moves: ['invite'] });
    const ended = await act(visit.id, 'DOCTOR_CANCELLED', 'Sent to the lab first 🧪');
    expect(ended.body).toMatchObject({ endReason: 'seen', endNote: 'Sent to the lab first 🧪' });
  });

  test.each(reasonsOf.remove)('removing a waiting patient stores the reason "%s" and sends no text', async (reason) => {
    const visit = await testApp.visit();
    expect((await act(visit.id, 'DOCTOR_CANCELLED', reason)).body).toMatchObject({
      statusCode: 'DOCTOR_CANCELLED',
      statusBefore: 'WAITING',
      endReason: reason,
    });
    expect((await testApp.texts()).filter((text) => text.visitId === visit.id)).toEqual([]);
  });

  test('removing a waiting patient without a reason, or with a free note, is stored as left: nobody saw them', async () => {
    const [bare, noted] = [await testApp.visit(), await testApp.visit()];
    expect((await act(bare.id, 'DOCTOR_CANCELLED')).body).toMatchObject({ endReason: 'left', endNote: null });
    expect((await act(noted.id, 'DOCTOR_CANCELLED', 'Went home')).body).toMatchObject({
      endReason: 'left',
      endNote: 'Went home',
    });
    const asked = await testApp.visit();
    expect((await act(asked.id, 'DOCTOR_CANCELLED', 'seen')).body).toMatchObject({ endReason: 'seen' });
  });

  test('Move to History is refused if the visit already ended, and says how it ended', async () => {
    const visit = await testApp.visit({ moves: ['invite'] });
    await phone(visit.token, 'imIn');
    const refused = await act(visit.id, 'DOCTOR_CANCELLED');
    expect(refused).toMatchObject({
      status: 409,
      body: { current: { statusCode: 'PATIENT_DONE', actedBy: { kind: 'patient', name: null } } },
    });
  });

  test('Move to History still ends a visit of yesterday', async () => {
    const visit = await testApp.visit({ moves: ['invite'] });
    testApp.at('2026-03-03T15:00:00.000Z');
    expect((await act(visit.id, 'DOCTOR_CANCELLED', 'no-show')).status).toBe(200);
  });
});

describe('Move back', () => {
  test.each([[[]], [['invite']], [['invite', 'reinvite']], [['invite', 'onMyWay']]] satisfies [Move[]][])(
    'Move back restores the state before the end (%s), and sends no text',
    async (moves) => {
      const visit = await testApp.visit({ moves });
      const texted = (await testApp.texts()).length;
      await act(visit.id, 'DOCTOR_CANCELLED', 'left');
      const back = await act(visit.id, 'BACK');
      expect(back.body).toMatchObject({
        statusCode: visit.statusCode,
        statusBefore: null,
        endReason: null,
        endNote: null,
        endedAt: null,
        version: visit.version + 2,
      });
      expect((await testApp.texts()).length).toBe(texted);
    },
  );

  test('Move back is refused the next day', async () => {
    const visit = await testApp.visit({ moves: ['invite'] });
    await act(visit.id, 'DOCTOR_CANCELLED');
    testApp.at('2026-03-03T05:01:00.000Z'); // 12:01 am in New York
    expect(await act(visit.id, 'BACK')).toMatchObject({
      status: 409,
      body: { code: 'visit_not_today', current: { statusCode: 'DOCTOR_CANCELLED' } },
    });
  });

  test('Move back is refused if the patient canceled', async () => {
    const cancelled = await testApp.visit({ moves: ['cancel'] });
    expect((await act(cancelled.id, 'BACK')).status).toBe(409);
  });

  test('a patient who is inside can be moved back for ten minutes', async () => {
    const visit = await testApp.visit({ moves: ['invite', 'onMyWay', 'imIn'] });
    const late = await testApp.visit({ moves: ['invite', 'imIn'] });
    testApp.at('2026-03-02T15:09:59.000Z');
    const back = await act(visit.id, 'BACK');
    expect(back.body).toMatchObject({ statusCode: 'GOING', statusBefore: null, endedAt: null });
    testApp.at('2026-03-02T15:10:00.000Z');
    expect(await act(late.id, 'BACK')).toMatchObject({
      status: 409,
      body: { code: 'visit_moved_on', current: { statusCode: 'PATIENT_DONE' } },
    });
  });

  test('another office cannot move back a patient who is inside', async () => {
    const visit = await testApp.visit({ moves: ['invite', 'imIn'] });
    const body = { id: visit.id, action: 'BACK' } as const;
    expect((await testApp.call(queue.moveVisit, { body }, { as: testApp.other })).status).toBe(404);
  });

  test('Move back is refused if the same phone has checked in again', async () => {
    const first = await testApp.visit({ phone: '+16465550177' });
    await act(first.id, 'DOCTOR_CANCELLED', 'left');
    await testApp.visit({ phone: '+16465550177' });
    expect(await act(first.id, 'BACK')).toMatchObject({ status: 409, body: { code: 'visit_running' } });
  });
});

describe('the patient’s own moves', () => {
  test("the desk sees On my way and I'm in", async () => {
    const visit = await testApp.visit({ moves: ['invite'] });
    expect((await phone(visit.token, 'onMyWay')).body.statusCode).toBe('GOING');
    expect((await phone(visit.token, 'imIn')).body.statusCode).toBe('PATIENT_DONE');
    const { body } = await testApp.call(queue.readVisit, { params: { visitId: visit.id } });
    expect(body.visit.actedBy).toEqual({ kind: 'patient', name: null });
    expect(body.visit.endReason).toBeNull();
  });

  test("a patient's moves are refused after the office’s midnight", async () => {
    testApp.at('2026-03-03T04:58:00.000Z');
    const visit = await testApp.visit({ moves: ['invite'] });
    testApp.at('2026-03-03T05:03:00.000Z');
    expect(await phone(visit.token, 'onMyWay')).toMatchObject({ status: 409, body: { code: 'visit_not_today' } });
    expect(await phone(visit.token, 'imIn')).toMatchObject({ status: 409, body: { code: 'visit_not_today' } });
  });

  test('"Still waiting?" marks the card of a waiting patient without a move', async () => {
    const visit = await testApp.visit();
    testApp.later(12);
    expect((await phone(visit.token, 'stillWaiting')).status).toBe(200);
    const { body } = await testApp.call(queue.readVisit, { params: { visitId: visit.id } });
    expect(body.visit).toMatchObject({ statusCode: 'WAITING', stillWaitingAt: testApp.now().toISOString() });
    expect(body.history).toHaveLength(1);
    expect((await act(visit.id, 'INVITED')).body.stillWaitingAt).toBeNull();
  });

  test("a patient's move is refused in a state that does not allow it", async () => {
    const waiting = await testApp.visit();
    expect((await phone(waiting.token, 'imIn')).status).toBe(409);
    expect((await phone(waiting.token, 'onMyWay')).status).toBe(409);
    const invited = await testApp.visit({ moves: ['invite'] });
    expect((await phone(invited.token, 'stillWaiting')).status).toBe(409);
  });
});

test('a visit’s history has each move with its time, actor and note', async () => {
  const visit = await testApp.visit();
  testApp.later(5);
  await act(visit.id, 'INVITED');
  testApp.later(2);
  await phone(visit.token, 'onMyWay');
  testApp.later(20);
  await act(visit.id, 'DOCTOR_CANCELLED', 'no-show');
  testApp.later(1);
  await act(visit.id, 'BACK');
  const { body } = await testApp.call(queue.readVisit, { params: { visitId: visit.id } });
  const minute = (n: number) => new Date(Date.parse(monday) + n * 60_000).toISOString();
  const dana = { by: 'staff', byName: 'Dana Whitlock' };
  expect(body.history).toEqual([
    { at: minute(0), move: 'arrive', from: null, to: 'WAITING', by: 'patient', byName: null, note: null },
    { at: minute(5), move: 'invite', from: 'WAITING', to: 'INVITED', ...dana, note: null },
    { at: minute(7), move: 'onMyWay', from: 'INVITED', to: 'GOING', by: 'patient', byName: null, note: null },
    { at: minute(27), move: 'finish', from: 'GOING', to: 'DOCTOR_CANCELLED', ...dana, note: 'no-show' },
    { at: minute(28), move: 'moveBack', from: 'DOCTOR_CANCELLED', to: 'GOING', ...dana, note: null },
  ]);
  expect(body.messages.map(({ kind, by }) => ({ kind, by }))).toEqual([{ kind: 'invite', by: null }]);
});
