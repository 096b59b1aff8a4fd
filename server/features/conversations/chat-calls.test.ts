import { afterAll, expect, test } from 'vitest';
import { chatConversations, conversations } from '#contract/index.ts';
import { conversationsPerPage } from '#contract/conversations.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendForm } from '#testing/fixtures/pictures.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(5000 + ++numbers)}`;
/** A patient who wrote, and their conversation. */
async function patientWhoWrote() {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'Hello');
  const { body } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } });
  return { id: body.conversations[0]?.pk ?? '', phone, patient: visit.patientUserCode };
}

test('the list of conversations has pages', async () => {
  const of = await t.office();
  for (let i = 0; i <= conversationsPerPage; i++) await patientTexts(t, newPhone(), `Text ${i}`, { office: of });
  const page = async (number?: string) =>
    (
      await t.call(
        chatConversations.listChatConversations,
        { query: { ...(number !== undefined && { page: number }) } },
        { as: of },
      )
    ).body.map(({ pk }) => pk);
  const [first, second] = [await page('1'), await page('2')];
  expect([first.length, second.length]).toEqual([conversationsPerPage, 1]);
  expect(await page()).toEqual(first);
  expect(first).not.toContain(second[0]);
  expect(await page('3')).toEqual([]);
});

test('the list of one patient has their conversation only', async () => {
  const [one, another] = [await patientWhoWrote(), await patientWhoWrote()];
  const list = async (patient: string) =>
    (await t.call(chatConversations.listChatConversations, { query: { patient } })).body.map(({ pk }) => pk);
  expect(await list(one.patient)).toEqual([one.id]);
  expect(await list(another.patient)).toEqual([another.id]);
  expect(await list('nobody')).toEqual([]);
});

test('a call that names another practice or person than its session, or another patient, is refused', async () => {
  const [own, another] = [await patientWhoWrote(), await patientWhoWrote()];
  const params = { id: own.id };
  const allowed = [
    { doctor: t.maple.npi },
    { doctor: t.maple.id },
    { doctor: t.maple.personId, patient: own.patient },
    {},
  ];
  const refused = [{ doctor: t.other.npi }, { doctor: t.other.personId }, { patient: another.patient }];
  const body = { type: 'text', body: 'Hello' } as const;
  for (const [queries, status] of [
    [allowed, 200],
    [refused, 404],
  ] as const)
    for (const query of queries) {
      expect((await t.call(chatConversations.readChatMessages, { params, query })).status).toBe(status);
      expect((await t.call(chatConversations.sendChatMessage, { params, query, body })).status).toBe(status);
    }
  const listed = await t.call(chatConversations.listChatConversations, { query: { doctor: t.other.npi } });
  expect(listed.status).toBe(404);
});

test('a picture for another patient than the named one is refused before it is read', async () => {
  const [own, another] = [await patientWhoWrote(), await patientWhoWrote()];
  const path = (patient: string) => `/chat-conversation/${own.id}/messages?patient=${patient}`;
  const sendAs = async (patient: string) =>
    (await sendForm(t, path(patient), { type: 'image' }, { attachment: await photo() })).status;
  expect([await sendAs(another.patient), await sendAs(own.patient)]).toEqual([404, 200]);
  const { messages } = (await t.call(conversations.readConversation, { params: { id: own.id }, query: {} })).body;
  const attachmentId = messages.at(-1)?.objectKey ?? '';
  const read = (patient: string) =>
    t.call(chatConversations.readChatAttachment, { params: { id: own.id, attachmentId }, query: { patient } });
  expect([(await read(another.patient)).status, (await read(own.patient)).status]).toEqual([404, 200]);
});
