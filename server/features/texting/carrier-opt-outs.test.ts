import { afterAll, expect, test } from 'vitest';
import { conversations, queue, sms } from '#contract/index.ts';
import { SmsRefused } from '#server/providers/sms/port.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { addText, patientTexts, report, sendDueTexts, textRow, withCarrier } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(8000 + ++numbers)}`;
const inAnHour = () => new Date(t.now().getTime() + 3_600_000);
const blockOf = async (visitId: string) =>
  (await t.call(queue.listQueue, { query: {} })).body.find(({ id }) => id === visitId)?.textBlock;
const sendTo = (phoneNumber: string, as = t.maple) =>
  t.call(sms.sendSms, { body: { message: 'Hello', deliveryOptions: [{ phoneNumber, sendAt: '' }] } }, { as });

test('a number whose STOP only the carrier knows has opted out: what waits fails, and nothing more is sent', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'Hello');
  const [refused, waiting] = [
    await addText(t, { toPhone: phone }),
    await addText(t, { toPhone: phone, sendAt: inAnHour() }),
  ];
  const elsewhere = await addText(t, { toPhone: phone, sendAt: inAnHour(), office: t.other });
  const knowsStop = withCarrier(t.services, { send: () => Promise.reject(new SmsRefused('opted-out')) });
  await sendDueTexts(knowsStop);
  for (const id of [refused, waiting])
    expect(await textRow(t, id)).toMatchObject({ state: 'failed', errorClass: 'opted-out' });
  expect(await textRow(t, elsewhere, t.other)).toMatchObject({ state: 'queued' });
  expect(await blockOf(visit.id)).toBe('opted-out');
  const { body: inbox } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } });
  expect(inbox.conversations).toMatchObject([{ textBlock: 'opted-out' }]);
  expect(await sendTo(phone)).toMatchObject({ status: 409, body: { code: 'number_opted_out' } });
  expect((await sendTo(phone, t.other)).status).toBe(200);

  await patientTexts(t, phone, 'START');
  expect(await blockOf(visit.id)).toBeNull();
  expect((await sendTo(phone)).status).toBe(200);
});

test('a late report about a STOP does not undo the START after it', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  const id = await addText(t, { toPhone: phone });
  await sendDueTexts(t.services);
  t.later(1);
  await patientTexts(t, phone, 'Start');
  const { providerId } = await textRow(t, id);
  await report(t, { providerId: providerId ?? '', state: 'failed', errorClass: 'opted-out' });
  expect(await textRow(t, id)).toMatchObject({ state: 'failed', errorClass: 'opted-out' });
  expect(await blockOf(visit.id)).toBeNull();
});
