import { afterAll, beforeEach, expect, test } from 'vitest';
import { conversationMessages, conversations, sms } from '#contract/index.ts';
import { commitTextMove } from '#server/features/texting/text-outcomes.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts, sendDueTexts, textRow } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());
beforeEach(() => t.at('2026-03-02T15:00:00.000Z'));

let numbers = 0;
const newPhone = () => `+1646555${String(4000 + ++numbers)}`;
const send = async (phones: string[], sendAt = '', as: TestOffice = t.maple) =>
  (
    await t.call(
      sms.sendSms,
      {
        body: {
          message: 'We are closed on Friday.',
          deliveryOptions: phones.map((phoneNumber) => ({ phoneNumber, sendAt })),
        },
      },
      { as },
    )
  ).body.textIds;
const find = async (phone: string, as: TestOffice = t.maple) =>
  (await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } }, { as })).body.conversations[0];
const messages = async (phone: string, as: TestOffice = t.maple) => {
  const found = await find(phone, as);
  if (!found) return [];
  return (await t.call(conversations.readConversation, { params: { id: found.pk }, query: {} }, { as })).body.messages;
};

test('a text to a list is a message of each person’s conversation once it has left', async () => {
  const phones = [newPhone(), newPhone(), newPhone()];
  await send(phones);
  expect(await messages(phones[0] ?? '')).toEqual([]);
  await sendDueTexts(t.services);
  for (const phone of phones)
    expect(await messages(phone)).toMatchObject([
      {
        sequence: 1,
        sender: 'doctor',
        by: t.maple.staffName,
        withSendSms: true,
        body: 'We are closed on Friday.',
        state: 'sent',
      },
    ]);
});

test('a text to a list answers nobody’s question and opens no closed conversation', async () => {
  const phone = newPhone();
  await patientTexts(t, phone, 'Are you open on Friday?');
  await send([phone]);
  await sendDueTexts(t.services);
  expect(await find(phone)).toMatchObject({ unanswered: true, lastSender: 'doctor' });
  await t.call(conversations.closeConversation, { params: { id: (await find(phone))?.pk ?? '' } });
  await send([phone]);
  await sendDueTexts(t.services);
  expect(await find(phone)).toMatchObject({ state: 'closed', lastSequence: 3 });
});

test('a scheduled text that is canceled is in no conversation', async () => {
  const phone = newPhone();
  const [id = ''] = await send([phone], '2026-03-02T17:00:00.000Z');
  await t.call(sms.cancelText, { params: { textId: id } });
  t.at('2026-03-02T17:30:00.000Z');
  await sendDueTexts(t.services);
  expect(await find(phone)).toBeUndefined();
});

test('a text whose outcome arrives twice at once is one message', async () => {
  const phone = newPhone();
  const [id = ''] = await send([phone]);
  const text = { officeId: t.maple.id, id };
  await Promise.all([
    ...[1, 2, 3].map(() => commitTextMove(t.services, text, 'send', { providerId: 'SM1', sentAt: t.now() })),
    ...[1, 2, 3].map(() => commitTextMove(t.services, text, 'deliver', { providerId: 'SM1', deliveredAt: t.now() })),
  ]);
  expect(await messages(phone)).toMatchObject([{ sequence: 1, state: 'delivered' }]);
});

test('texts of one list to the same people as another list’s do not block each other', async () => {
  const phones = Array.from({ length: 12 }, newPhone);
  await send(phones);
  await send([...phones].reverse());
  t.later(10);
  expect(await sendDueTexts(t.services)).toBe(24);
  for (const phone of phones) expect((await messages(phone)).map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('sending a failed text again takes its conversation out of Failed, and the new one joins it', async () => {
  const phone = newPhone();
  const [id = ''] = await send([phone]);
  await commitTextMove(t.services, { officeId: t.maple.id, id }, 'fail', { errorClass: 'delivery' });
  expect(await find(phone)).toMatchObject({ failed: true });
  expect((await t.call(sms.retryText, { params: { textId: id } })).status).toBe(200);
  expect(await find(phone)).toMatchObject({ failed: false });
  await sendDueTexts(t.services);
  expect((await messages(phone)).map(({ state }) => state)).toEqual(['failed', 'sent']);
});

test('the outbox cancels an answer of the inbox, but changes neither its words nor its time', async () => {
  const phone = newPhone();
  await patientTexts(t, phone, 'Hello?');
  const conversationId = (await find(phone))?.pk ?? '';
  const { body } = await t.call(conversationMessages.sendMessage, { body: { conversationId, body: 'Hi!' } });
  const textId = body.textId ?? '';
  const changed = await t.call(sms.changeText, { params: { textId }, body: { message: 'Bye!' } });
  expect([changed.status, changed.body.code]).toEqual([409, 'text_moved_on']);
  expect((await t.call(sms.cancelText, { params: { textId } })).status).toBe(200);
  expect((await messages(phone)).at(-1)).toMatchObject({ body: 'Hi!', state: 'cancelled' });
  expect((await textRow(t, textId)).state).toBe('cancelled');
});

test("another practice's list is in its own conversations only", async () => {
  const phone = newPhone();
  await send([phone], '', t.other);
  await sendDueTexts(t.services);
  expect(await find(phone)).toBeUndefined();
  expect(await messages(phone, t.other)).toHaveLength(1);
});
