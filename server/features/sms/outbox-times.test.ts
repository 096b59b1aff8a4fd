import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sms } from '#contract/index.ts';
import type { TextState } from '#contract/queue.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { addText, releaseHeldTexts, sendDueTexts, textRow } from '#testing/fixtures/texts.ts';

/** Quiet hours hold outside of the demo. */
const testApp = await openTestApp({ env: { DEMO: '0', LOCAL_PROVIDERS: '1' } });
afterAll(() => testApp.close());

let desk: TestOffice;
/** A practice of its own for each test, at 10 AM in New York. */
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  desk = await testApp.office();
});
const call: TestApp['call'] = (e, input, options = {}) => testApp.call(e, input, { as: desk, ...options });
const phone = (n = 0) => `+1646555${2000 + n}`;
const inMinutes = (minutes: number) => new Date(testApp.now().getTime() + minutes * 60_000).toISOString();
const evening = '2026-03-03T03:00:00.000Z'; // 10 PM
const morning = '2026-03-03T13:00:00.000Z'; // 8 AM
const at = (textId: string) => ({ params: { textId } });

async function schedule(to = phone(), minutes = 60): Promise<string> {
  const deliveryOptions = [{ phoneNumber: to, sendAt: inMinutes(minutes) }];
  return (await call(sms.sendSms, { body: { message: 'See you soon', deliveryOptions } })).body.textIds[0] ?? '';
}
async function scheduleBeforeAppointment(minutes: number): Promise<string> {
  const deliveryOptions = [{ phoneNumber: phone(), appointmentAt: inMinutes(minutes) }];
  return (await call(sms.sendSms, { body: { message: 'See you soon', deliveryOptions } })).body.textIds[0] ?? '';
}
const setState = (id: string, state: TextState, errorClass: 'delivery' | null = null) =>
  testApp.inOffice(desk, (tx) => tx.updateTable('text').set({ state, errorClass }).where('id', '=', id).execute());
const changeTime = (id: string, sendAt: string) => call(sms.changeText, { ...at(id), body: { sendAt } });

describe('in quiet hours', () => {
  test('a text that is moved into quiet hours goes out after them', async () => {
    const id = await schedule();
    const changed = await changeTime(id, evening);
    expect(changed.body).toMatchObject({ sendAt: morning, inQuietHours: false });
  });

  test('a held text that is sent in quiet hours waits until their end', async () => {
    const id = await schedule();
    await setState(id, 'held');
    testApp.at(evening);
    expect((await call(sms.releaseText, at(id))).body).toMatchObject({ state: 'scheduled', sendAt: morning });
    expect(await sendDueTexts(testApp.services)).toBe(0);
  });

  test('a failed text that is sent again in quiet hours waits until their end', async () => {
    const id = await schedule();
    await setState(id, 'failed', 'delivery');
    testApp.at(evening);
    expect((await call(sms.retryText, at(id))).body).toMatchObject({ state: 'scheduled', sendAt: morning });
  });

  test('a held answer waits until the end of quiet hours, and one to a patient who checked in today does not', async () => {
    testApp.at(evening);
    await testApp.visit({ office: desk, phone: phone(1) });
    const times = [];
    for (const n of [0, 1]) {
      const id = await addText(testApp, { office: desk, toPhone: phone(n) });
      await setState(id, 'held');
      times.push((await call(sms.releaseText, at(id))).body.sendAt);
    }
    expect(times).toEqual([morning, evening]);
  });
});

describe('a text before an appointment', () => {
  test('an appointment text cannot be moved after its appointment', async () => {
    const id = await scheduleBeforeAppointment(180);
    expect(await changeTime(id, inMinutes(180))).toMatchObject({ status: 409, body: { code: 'after_appointment' } });
    expect((await changeTime(id, inMinutes(179))).body).toMatchObject({ sendAt: inMinutes(179) });
  });

  test('an appointment text is held, with the reason, when the appointment has begun', async () => {
    const id = await scheduleBeforeAppointment(180);
    testApp.later(180);
    await sendDueTexts(testApp.services);
    const { body } = await call(sms.listOutbox, { query: {} });
    expect(body.texts).toMatchObject([{ id, state: 'held', problem: 'after-appointment', actions: ['cancel'] }]);
    expect(body.counts).toEqual({ held: 1 });
    await releaseHeldTexts(testApp.services);
    expect(await textRow(testApp, id, desk)).toMatchObject({ state: 'held' });
  });

  test('an appointment text stays held when staff send it after the appointment, or when it would wait until then', async () => {
    const late = await scheduleBeforeAppointment(180);
    await setState(late, 'held');
    testApp.later(181);
    const released = await call(sms.releaseText, at(late));
    expect(released).toMatchObject({ status: 200, body: { state: 'held', problem: 'after-appointment' } });
    expect((await call(sms.releaseText, at(late))).body).toMatchObject({ code: 'text_moved_on' });

    testApp.at(evening);
    const { body: sent } = await call(sms.sendSms, {
      body: { message: 'Hi', deliveryOptions: [{ phoneNumber: phone(1), appointmentAt: inMinutes(9 * 60) }] },
    });
    const early = sent.textIds[0] ?? '';
    await setState(early, 'held');
    expect((await call(sms.releaseText, at(early))).body).toMatchObject({ problem: 'after-appointment' });
  });

  test('an appointment text is not sent again after its appointment', async () => {
    const id = await scheduleBeforeAppointment(180);
    await setState(id, 'failed', 'delivery');
    testApp.later(180);
    expect((await call(sms.retryText, at(id))).body).toMatchObject({ code: 'after_appointment' });
    expect(await testApp.texts(desk)).toHaveLength(1);
  });
});

test('texts that are moved to the same minute keep the pace of the practice, also at the same moment', async () => {
  const other = await testApp.office();
  await call(
    sms.sendSms,
    { body: { message: 'Hi', deliveryOptions: [{ phoneNumber: phone(99), sendAt: inMinutes(120) }] } },
    { as: other },
  );
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) ids.push(await schedule(phone(n), 60 + n));
  const replies = await Promise.all(ids.map((id) => changeTime(id, inMinutes(120))));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const minutes = replies.map(({ body }) => body.sendAt).sort();
  expect(minutes).toEqual([
    ...Array.from({ length: 5 }, () => inMinutes(120)),
    ...Array.from({ length: 5 }, () => inMinutes(121)),
    inMinutes(122),
    inMinutes(122),
  ]);
  expect((await changeTime(ids[0] ?? '', replies[0]?.body.sendAt ?? '')).body.sendAt).toBe(replies[0]?.body.sendAt);
});
