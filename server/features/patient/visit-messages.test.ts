import { afterAll, expect, test } from 'vitest';
import { conversations, patientMessages, queue } from '#contract/index.ts';
import { openLiveClient } from '#testing/app/live-client.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';

const t = await openTestApp();
const address = await t.listen();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(7000 + ++numbers)}`;
async function visitWithLink() {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  return { phone, visit, token: await t.provedToken(visit.id) };
}
let ids = 0;
const write = (token: string, body: string, clientId = `id-${++ids}`) =>
  t.call(patientMessages.writeToPractice, { params: { token }, body: { body, clientId } }, { as: null });
async function threadOf(phone: string, as: TestOffice = t.maple) {
  const { body } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } }, { as });
  const [found] = body.conversations;
  if (!found) return null;
  return (await t.call(conversations.readConversation, { params: { id: found.pk }, query: {} }, { as })).body;
}
const writtenTo = async (phone: string) => (await threadOf(phone))?.messages.map(({ body }) => body) ?? [];

test("a patient's answer on the visit's page is in the thread, with the visit, and unread on the card", async () => {
  const { phone, visit, token } = await visitWithLink();
  const { status, body: page } = await write(token, '  We are in the blue car  ');
  expect(status).toBe(200);
  expect(page.messages.at(-1)).toMatchObject({ from: 'patient', body: 'We are in the blue car' });
  const thread = await threadOf(phone);
  expect(thread?.conversation).toMatchObject({ channel: 'text', unanswered: true, doctorUnread: 1 });
  expect(thread?.messages).toMatchObject([
    { sender: 'patient', channel: 'web', body: 'We are in the blue car', textId: null },
  ]);
  const opened = (await t.call(queue.readVisit, { params: { visitId: visit.id } })).body;
  expect(opened.messages.at(-1)).toMatchObject({ from: 'patient', body: 'We are in the blue car' });
  const { body: cards } = await t.call(queue.listQueue, { query: {} });
  expect(cards.find(({ id }) => id === visit.id)).toMatchObject({ unreadMessages: 1, messageCount: 1 });
  const entries = (await t.auditEntries()).filter(({ subject }) => subject === visit.id);
  expect(entries.map(({ action, actor }) => [action, actor])).toContainEqual(['message.receive', 'patient']);
  expect(await threadOf(phone, t.other)).toBeNull();
});

test('only a link that was texted may write', async () => {
  const { phone, visit } = await visitWithLink();
  for (const token of [visit.token, (await t.visit({ phone: newPhone() })).token])
    expect((await write(token, 'Hello')).body).toMatchObject({ code: 'link_not_proved' });
  expect((await write('A'.repeat(32), 'Hello')).status).toBe(404);
  expect(await threadOf(phone)).toBeNull();
});

test('a message that is sent again, one after the other or 20 times at once, is there once', async () => {
  const { phone, token } = await visitWithLink();
  for (const body of ['First', 'First']) expect((await write(token, body, 'one')).status).toBe(200);
  const replies = await Promise.all(Array.from({ length: 20 }, () => write(token, 'Second', 'two')));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await writtenTo(phone)).toEqual(['First', 'Second']);
});

test('a message has 1 to 1,600 characters', async () => {
  const { phone, token } = await visitWithLink();
  for (const body of ['', '  \n', 'x'.repeat(1_601), 'x'.repeat(10_000)])
    expect((await write(token, body)).status).toBe(400);
  expect((await write(token, 'x'.repeat(1_600))).status).toBe(200);
  expect(await writtenTo(phone)).toHaveLength(1);
});

test('our own links that a patient pastes are not stored: staff could open the visit, and others the picture', async () => {
  const { phone, token } = await visitWithLink();
  const picture = `https://anteroom.test/files/${'A'.repeat(43)}`;
  await write(token, `Is this it? https://anteroom.test/visit/${token} or ${picture}`);
  const [stored] = await writtenTo(phone);
  expect(stored).toBe('Is this it? {link} or {link}');
});

test('STOP written on the page is a message like any other', async () => {
  const { phone, token } = await visitWithLink();
  await write(token, 'STOP');
  expect((await threadOf(phone))?.conversation).toMatchObject({ textBlock: null, unanswered: true });
});

test('a visit may write 30 messages in 10 minutes, and the refusal says when it may again', async () => {
  const { phone, token } = await visitWithLink();
  for (let n = 0; n < 30; n++) expect((await write(token, `Message ${n}`)).status).toBe(200);
  const refused = await write(token, 'One more');
  expect([refused.status, (refused.body as unknown as { code: string }).code]).toEqual([429, 'too_many_messages']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(await writtenTo(phone)).toHaveLength(30);
});

test('the desks learn that a patient is writing, also before the first message; the own page and others do not', async () => {
  const { visit, token } = await visitWithLink();
  const note = (of: string) => t.call(patientMessages.noteWritingByPatient, { params: { token: of } }, { as: null });
  const page = await openLiveClient(address, { visit: token });
  const [desk, elsewhere] = await Promise.all(
    [t.maple, t.other].map((of) => openLiveClient(address, { office: of.id, token: of.token })),
  );
  expect((await note(visit.token)).status).toBe(403);
  expect((await note(token)).body).toEqual({ noted: true });
  const writing = { conversation: null, person: null };
  await expect.poll(() => desk?.hints).toContainEqual({ type: 'writing', visit: visit.id, writing });
  expect(page.hints).not.toContainEqual({ type: 'writing' });
  expect(elsewhere?.hints).toEqual([]);
  for (const client of [page, desk, elsewhere]) client?.close();
});
