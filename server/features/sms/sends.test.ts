import { afterAll, beforeEach, expect, test } from 'vitest';
import { sms } from '#contract/index.ts';
import { claimDueTexts, sendClaimedText, usualPace } from '#server/features/texting/send-texts.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { sendDueTexts, textsTakenByCarrier } from '#testing/fixtures/texts.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

/** A practice of its own for each test, a week later: no test uses up the minutes or the limits of another. */
let desk: TestOffice;
beforeEach(async () => {
  testApp.later(7 * 24 * 60);
  await sendDueTexts(testApp.services);
  desk = await testApp.office();
});
const call: TestApp['call'] = (e, input, options = {}) => testApp.call(e, input, { as: desk, ...options });

const phone = (n: number) => `+1646555${String(3000 + n)}`;
const sendTo = async (people: number, message = 'We close at noon.') => {
  const deliveryOptions = Array.from({ length: people }, (_, n) => ({ phoneNumber: phone(n) }));
  return (await call(sms.sendSms, { body: { message, deliveryOptions } })).body;
};
const sends = async () => (await call(sms.listSmsSends, {})).body.sends;
const newest = async () => {
  const [send] = await sends();
  if (!send) throw new Error('there is no send');
  return send;
};
const cancel = (sendId: string) => call(sms.cancelSmsSend, { params: { sendId } });

test('a send to several people is listed with how many texts have gone out, one to a single person is not', async () => {
  await sendTo(1);
  expect(await sends()).toEqual([]);
  testApp.later(1);
  // Five go out in a minute.
  const { lastSendAt } = await sendTo(7);
  await sendDueTexts(testApp.services);
  expect(await sends()).toMatchObject([
    {
      sentBy: desk.staffName,
      body: 'We close at noon.',
      people: 7,
      gone: 5,
      toGo: 2,
      canceled: 0,
      failed: 0,
      lastSendAt,
    },
  ]);
});

test('the newest sends come first, and older ones are left out after a week unless they have texts to go', async () => {
  for (const message of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await sendTo(2, message);
  expect((await sends()).map(({ body }) => body)).toEqual(['Six', 'Five', 'Four', 'Three', 'Two']);
  const waiting = await newest();
  for (const { id } of (await sends()).slice(1)) await cancel(id);
  testApp.later(8 * 24 * 60);
  expect(await sends()).toMatchObject([{ id: waiting.id, toGo: 2 }]);
});

test('canceling a send cancels the texts that have not gone out, and does not count the others as canceled', async () => {
  await sendTo(7);
  await sendDueTexts(testApp.services);
  const { id } = await newest();
  expect((await cancel(id)).body).toMatchObject({ canceled: 2, send: { people: 7, gone: 5, toGo: 0, canceled: 2 } });
  testApp.later(60);
  expect(await sendDueTexts(testApp.services)).toBe(0);
  expect((await cancel(id)).body).toMatchObject({ canceled: 0, send: { gone: 5, canceled: 2 } });
  const entries = (await testApp.auditEntries(desk)).filter(({ action }) => action === 'text.cancel-send');
  expect(entries).toMatchObject([
    { subject: id, details: { canceled: 2, gone: 5 } },
    { subject: id, details: { canceled: 0, gone: 5 } },
  ]);
});

test('when a send is canceled while workers send it, each text is either gone or canceled', async () => {
  await sendTo(8, 'Race');
  testApp.later(5);
  const { id } = await newest();
  const claimAndSend = async (name: string) => {
    const worker = { name, pace: usualPace };
    const due = await claimDueTexts(testApp.services, worker, 3);
    await Promise.all(due.map((text) => sendClaimedText(testApp.services, worker, text)));
    return due.length;
  };
  const [a, reply, b] = await Promise.all([claimAndSend('a'), cancel(id), claimAndSend('b')]);
  expect(reply.body.canceled).toBe(8 - a - b);
  expect(await newest()).toMatchObject({ people: 8, gone: a + b, canceled: 8 - a - b, toGo: 0 });
  expect(await sendDueTexts(testApp.services)).toBe(0);
  const taken = await Promise.all(Array.from({ length: 8 }, (_, n) => textsTakenByCarrier(testApp, phone(n))));
  expect(taken.flat().filter(({ body }) => body === 'Race')).toHaveLength(a + b);
});

test('two desks that cancel the same send cancel each text once', async () => {
  await sendTo(4);
  const { id } = await newest();
  const replies = await Promise.all([cancel(id), cancel(id)]);
  expect(replies.map(({ body }) => body.canceled).sort()).toEqual([0, 4]);
});

test('another office’s send is unknown', async () => {
  await sendTo(2);
  const { id } = await newest();
  const other = await testApp.call(sms.cancelSmsSend, { params: { sendId: id } }, { as: testApp.other });
  expect(other.body).toMatchObject({ code: 'send_not_found' });
  expect((await testApp.call(sms.listSmsSends, {}, { as: testApp.other })).body.sends).toEqual([]);
  expect(await newest()).toMatchObject({ toGo: 2, canceled: 0 });
});

test('the outbox is searched by digits of a number and by the patient’s name', async () => {
  const visit = await testApp.visit({ office: desk, moves: ['invite'] });
  await sendTo(3);
  const found = async (search: string, as: TestOffice = desk) =>
    (await call(sms.searchOutbox, { body: { search } }, { as })).body.texts.map(({ phone: to }) => to);
  expect(await found('(646) 555-3001')).toEqual([phone(1)]);
  expect(await found('3002')).toEqual([phone(2)]);
  expect(await found('byron ad')).toEqual([visit.username]);
  expect(await found('nobody')).toEqual([]);
  expect(await found('!!!')).toEqual([]);
  expect(await found('555-3001', testApp.other)).toEqual([]);
});
