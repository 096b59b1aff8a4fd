import { afterAll, expect, test } from 'vitest';
import { chatConversations, conversations } from '#contract/index.ts';
import { conversationsPerPage } from '#contract/conversations/inbox.ts';
import { dayOf } from '#server/kit/day.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendForm } from '#testing/fixtures/pictures.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';
import { openVisitorConversation, receiveVisitorMessage } from './visitor-conversations.ts';

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

test('the list of conversations has all of them, or pages if one is named', async () => {
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
  expect(await page()).toEqual([...first, ...second]);
  expect(first).not.toContain(second[0]);
  expect(await page('3')).toEqual([]);
  const refused = await t.call(chatConversations.listChatConversations, { query: { page: '0' } }, { as: of });
  expect(refused.status).toBe(400);
});

test('empty values are read as absent, as other programs write them', async () => {
  const own = await patientWhoWrote();
  const empty = { from: '', to: '', doctor: '', patient: '' };
  const list = await t.call(chatConversations.listChatConversations, { query: empty });
  expect(list.body.map(({ pk }) => pk)).toContain(own.id);
  const query = { doctor: '', patient: '' };
  expect((await t.call(chatConversations.readChatMessages, { params: { id: own.id }, query })).status).toBe(200);
});

test('a polled list answers 304 to what is known, and only a list that shows something is audited', async () => {
  const of = await t.office();
  const list = (etag?: string) =>
    t.app.inject({
      url: '/api/chat-conversation?chats=only',
      headers: { authorization: `Bearer ${of.token}`, 'x-office': of.id, ...(etag && { 'if-none-match': etag }) },
    });
  const etag = String((await list()).headers.etag);
  for (let n = 0; n < 3; n++) expect((await list(etag)).statusCode).toBe(304);
  const entries = await t.auditEntries(of);
  expect(entries.filter(({ action }) => action === 'conversation.list')).toHaveLength(1);
});

test('older messages are read with the sequence of the oldest that is known', async () => {
  const own = await patientWhoWrote();
  await patientTexts(t, own.phone, 'Still there?');
  const read = async (query: Record<string, string>) =>
    (await t.call(chatConversations.readChatMessages, { params: { id: own.id }, query })).body;
  const all = await read({});
  expect(await read({ before: String(all.at(-1)?.sequence) })).toEqual(all.slice(0, -1));
});

test('a caller may be named by what they sign in with, or by the doctor they view', async () => {
  const own = await patientWhoWrote();
  const doctor = await t.addStaff({ name: 'Dr. Stone', email: 'stone@maple.test' }, [t.maple]);
  const stranger = await t.addStaff({ name: 'Dr. Reed', email: 'reed@maple.test' }, [t.maple]);
  await t.owner
    .updateTable('auth.person')
    .set({ settings: JSON.stringify({ visibleDoctor: doctor }) })
    .where('id', '=', t.maple.personId)
    .execute();
  const read = async (named: string) =>
    (await t.call(chatConversations.readChatMessages, { params: { id: own.id }, query: { doctor: named } })).status;
  expect([await read(doctor), await read(`Staff-${t.maple.npi}@maple.test`)]).toEqual([200, 200]);
  expect([await read(stranger), await read('stone@maple.test'), await read(t.other.personId)]).toEqual([404, 404, 404]);
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
  const earlierNpi = '1999999984';
  await t.inOffice(t.maple, (tx) =>
    tx
      .insertInto('officeNpi')
      .values({ officeId: t.maple.id, id: t.services.id(), npi: earlierNpi, current: false })
      .execute(),
  );
  const allowed = [
    { doctor: t.maple.npi },
    { doctor: earlierNpi },
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

test('a conversation belongs to each day on which somebody wrote in it; an unread one can be asked for with any day', async () => {
  const of = await t.office();
  const scope = t.scopeOf(of);
  const [mondays, bothDays] = [
    await openVisitorConversation(scope, { channel: 'web', name: 'Monday' }),
    await openVisitorConversation(scope, { channel: 'web', name: 'Both' }),
  ];
  const write = (conversationId: string) =>
    receiveVisitorMessage(scope, { conversationId, body: 'Hello', clientId: crypto.randomUUID() });
  const dayNow = () => dayOf(t.now(), 'America/New_York');
  const monday = dayNow();
  await write(mondays);
  await write(bothDays);
  t.later(24 * 60);
  await write(bothDays);
  const list = async (day: string, more: { unread?: 'also' } = {}) =>
    (
      await t.call(
        chatConversations.listChatConversations,
        { query: { from: day, to: day, chats: 'only', ...more } },
        { as: of },
      )
    ).body.map(({ pk }) => pk);
  expect(await list(monday)).toEqual([bothDays, mondays]);
  expect(await list(dayNow())).toEqual([bothDays]);
  expect(await list(dayNow(), { unread: 'also' })).toEqual([bothDays, mondays]);
  t.later(24 * 60);
  expect(await list(dayNow())).toEqual([]);
  expect(await list(dayNow(), { unread: 'also' })).toHaveLength(2);
});
