import { afterAll, expect, test } from 'vitest';
import { conversations, queue } from '#contract/index.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(6000 + ++numbers)}`;
const unreadOf = async (visitId: string, as: TestOffice | { token: string } = t.maple) => {
  const { body } = await t.call(queue.listQueue, { query: {} }, { as, headers: { 'x-office': t.maple.id } });
  return body.find(({ id }) => id === visitId)?.unreadMessages;
};
const messageStartOf = async (visitId: string) => (await open(visitId)).visit.unreadText;
const open = async (visitId: string) => (await t.call(queue.readVisit, { params: { visitId } })).body;
const markRead = (id: string, sequence: number, as: TestOffice = t.maple) =>
  t.call(conversations.markConversationRead, { params: { id }, body: { sequence } }, { as });
const readOnCard = async (visitId: string) => {
  const { newestReply } = await open(visitId);
  if (!newestReply) throw new Error('the visit shows no reply');
  return markRead(newestReply.conversationId, newestReply.sequence);
};
const counts = async (as: TestOffice | { token: string } = t.maple) =>
  (await t.call(conversations.readInboxCounts, {}, { as, headers: { 'x-office': t.maple.id } })).body;
const newDesk = async (name: string) => ({
  token: await t.signIn(await t.addStaff({ name, email: `${name.toLowerCase()}-cards@maple.test` }, [t.maple])),
});

test('a patient’s texts mark the card on every desk until one desk has read them', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone, moves: ['invite'] });
  const otherDesk = await newDesk('Luis');
  expect(await unreadOf(visit.id)).toBe(0);
  await patientTexts(t, phone, 'Which door?');
  await patientTexts(t, phone, 'The blue one?');
  expect([await unreadOf(visit.id), await unreadOf(visit.id, otherDesk)]).toEqual([2, 2]);
  expect((await open(visit.id)).visit.unreadMessages).toBe(2);
  await readOnCard(visit.id);
  expect([await unreadOf(visit.id), await unreadOf(visit.id, otherDesk)]).toEqual([0, 0]);
});

test('the card has the first words of the newest unread message', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  expect(await messageStartOf(visit.id)).toBeNull();
  await patientTexts(t, phone, 'Which door?');
  await patientTexts(t, phone, `The blue\n one? ${'x'.repeat(100)}`);
  expect(await messageStartOf(visit.id)).toBe(`The blue one? ${'x'.repeat(66)}`);
  await readOnCard(visit.id);
  expect(await messageStartOf(visit.id)).toBeNull();
});

test('the first words of another practice’s patient with the same number are on no card here', async () => {
  const phone = newPhone();
  const here = await t.visit({ phone });
  const there = await t.visit({ phone, office: t.other });
  await patientTexts(t, phone, 'For the other practice', { office: t.other });
  expect(await messageStartOf(here.id)).toBeNull();
  const read = await t.call(queue.readVisit, { params: { visitId: there.id } }, { as: t.other });
  expect(read.body.visit.unreadText).toBe('For the other practice');
});

test('reading the thread in the inbox clears the card, and reading the card clears the inbox', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  const otherDesk = await newDesk('Ana');
  const before = await counts();
  await patientTexts(t, phone, 'Hello?');
  expect(await counts()).toMatchObject({ unread: before.unread + 1, unreadMessages: before.unreadMessages + 1 });
  const { newestReply } = await open(visit.id);
  const id = newestReply?.conversationId ?? '';
  await t.call(conversations.readConversation, { params: { id }, query: { markRead: 'doctor' } });
  expect(await unreadOf(visit.id)).toBe(0);
  await patientTexts(t, phone, 'Anybody there?');
  await readOnCard(visit.id);
  for (const desk of [t.maple, otherDesk])
    expect(await counts(desk)).toMatchObject({ unread: before.unread, unreadMessages: before.unreadMessages });
});

test('a message that arrives after the desk looked keeps its mark', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'One');
  const { newestReply } = await open(visit.id);
  await patientTexts(t, phone, 'Two');
  await markRead(newestReply?.conversationId ?? '', newestReply?.sequence ?? 0);
  expect(await unreadOf(visit.id)).toBe(1);
});

test('a message that arrives while desks mark others as read keeps its mark', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  for (let round = 0; round < 10; round++) {
    await patientTexts(t, phone, `Question ${round}`);
    const { conversationId = '', sequence = 0 } = (await open(visit.id)).newestReply ?? {};
    const [first, second, taken] = await Promise.all([
      markRead(conversationId, sequence),
      markRead(conversationId, sequence),
      patientTexts(t, phone, `One more ${round}`),
    ]);
    expect([first.status, second.status, taken]).toEqual([200, 200, 200]);
    const { messages, visit: row } = await open(visit.id);
    expect(messages.at(-1)?.body).toBe(`One more ${round}`);
    expect(row.unreadMessages).toBe(1);
    await readOnCard(visit.id);
    expect(await unreadOf(visit.id)).toBe(0);
  }
});

test('an arrival, a move and texts at the same moment neither fail nor lose a mark', async () => {
  const phones = Array.from({ length: 6 }, newPhone);
  const visits = await Promise.all(phones.map((phone) => t.visit({ phone })));
  const answers = await Promise.all([
    ...phones.map((phone) => patientTexts(t, phone, 'I am outside')),
    ...visits.map(({ id }) => t.call(queue.moveVisit, { body: { id, action: 'INVITED' } })),
    t.visit({ phone: newPhone() }),
    t.visit({ phone: newPhone() }),
  ]);
  expect(answers.filter((answer) => typeof answer === 'object' && 'status' in answer && answer.status !== 200)).toEqual(
    [],
  );
  expect(await Promise.all(visits.map(({ id }) => unreadOf(id)))).toEqual([1, 1, 1, 1, 1, 1]);
});

test('another office can neither see nor clear a mark', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'Hello');
  const { newestReply } = await open(visit.id);
  const theirs = await t.visit({ phone, office: t.other });
  const { conversationId = '', sequence = 0 } = newestReply ?? {};
  expect((await markRead(conversationId, sequence, t.other)).status).toBe(404);
  expect(await unreadOf(visit.id)).toBe(1);
  expect((await t.call(queue.readVisit, { params: { visitId: theirs.id } }, { as: t.other })).body).toMatchObject({
    visit: { unreadMessages: 0 },
    newestReply: null,
  });
});
