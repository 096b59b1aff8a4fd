import { afterAll, expect, test } from 'vitest';
import { conversations, messageSettings } from '#contract/index.ts';
import type { Conversation } from '#contract/conversations/shapes.ts';
import { saveQueueSettings, readQueueSettings } from '#contract/practice/office.ts';
import {
  openVisitorConversation,
  receiveVisitorMessage,
} from '#server/features/conversations/visitor-conversations.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts, sendDueTexts, textsTakenByCarrier } from '#testing/fixtures/texts.ts';

const t = await openTestApp({ env: { DEMO: '0', LOCAL_PROVIDERS: '1' } });
afterAll(() => t.close());

const hours = { open: '09:00', close: '17:00' };
/** Monday to Friday, 9 to 5 in New York. */
const weekdays = [hours, hours, hours, hours, hours, null, null];
const mondayEvening = '2026-03-02T23:00:00.000Z';
let numbers = 0;
const newPhone = () => `+1646555${String(7000 + ++numbers)}`;

async function officeWithHours(openingHours: (typeof hours | null)[] | null = weekdays, name = 'Maple Street') {
  const of = await t.office({ name });
  const { body } = await t.call(readQueueSettings, {}, { as: of });
  await t.call(saveQueueSettings, { body: { ...body, openingHours } }, { as: of });
  t.at(mondayEvening);
  return of;
}
const writes = (phone: string, body: string, office: TestOffice) => patientTexts(t, phone, body, { office });
const answersTo = async (phone: string, of: TestOffice) =>
  (await t.texts(of)).filter(({ toPhone, body }) => toPhone === phone && body.includes('911')).map(({ body }) => body);
const inbox = async (of: TestOffice): Promise<Conversation[]> =>
  (await t.call(conversations.readInbox, { query: { filter: 'all' } }, { as: of })).body.conversations;

test('a text while the practice is closed gets one answer: closed, when it opens, and to call 911', async () => {
  const of = await officeWithHours();
  const phone = newPhone();
  await writes(phone, 'Can I come tomorrow?', of);
  t.later(1);
  await writes(phone, 'Hello?', of);
  expect(await answersTo(phone, of)).toEqual([
    'Maple Street is closed right now and opens again on Tuesday, March 3 at 9:00 AM. This number is not for emergencies: call 911.',
  ]);
  t.at('2026-03-04T03:00:00.000Z');
  await writes(phone, 'Still there?', of);
  expect(await answersTo(phone, of)).toHaveLength(2);
});

test('the answer is given on a closed day too, and names the next day with hours', async () => {
  const of = await officeWithHours();
  const { body } = await t.call(readQueueSettings, {}, { as: of });
  const closedDays = ['2026-03-03', '2026-03-04'].map((day) => ({ day, name: 'Holiday' }));
  await t.call(saveQueueSettings, { body: { ...body, closedDays } }, { as: of });
  t.at('2026-03-03T17:00:00.000Z');
  const phone = newPhone();
  await writes(phone, 'Are you there?', of);
  expect((await answersTo(phone, of))[0]).toContain('opens again on Thursday, March 5 at 9:00 AM');
});

test('the program is the writer of the answer, and the question stays unanswered', async () => {
  const of = await officeWithHours();
  await writes(newPhone(), 'Which door?', of);
  const [conversation] = await inbox(of);
  expect(conversation).toMatchObject({ lastSender: 'bot', unanswered: true, doctorUnread: 1 });
  const thread = await t.call(
    conversations.readConversation,
    { params: { id: conversation?.pk ?? '' }, query: {} },
    { as: of },
  );
  expect(thread.body.messages.map(({ sender }) => sender)).toEqual(['patient', 'bot']);
});

test('the answer is in the patient’s language', async () => {
  const of = await officeWithHours();
  const phone = newPhone();
  const visit = await t.visit({ office: of, phone, language: 'es' });
  t.at('2026-03-04T02:00:00.000Z');
  expect(visit.language).toBe('es');
  await writes(phone, '¿Está abierto?', of);
  expect(await answersTo(phone, of)).toEqual([
    expect.stringMatching(/^Maple Street está cerrado .*abrir el miércoles, 4 de marzo.* llame al 911\.$/),
  ]);
});

test('nobody gets the answer in opening hours, or from a practice without opening hours', async () => {
  const open = await officeWithHours();
  t.at('2026-03-02T15:00:00.000Z');
  const phone = newPhone();
  await writes(phone, 'Hello', open);
  const always = await officeWithHours(null);
  await writes(phone, 'Hello', always);
  expect([await answersTo(phone, open), await answersTo(phone, always)]).toEqual([[], []]);
});

test('a practice that never opens says nothing about when it opens', async () => {
  const of = await officeWithHours([null, null, null, null, null, null, null]);
  const phone = newPhone();
  await writes(phone, 'Hello', of);
  expect(await answersTo(phone, of)).toEqual([
    'Maple Street is closed right now. This number is not for emergencies: call 911.',
  ]);
});

test('a practice switches the answer off, and only its own', async () => {
  const [of, other] = [await officeWithHours(), await officeWithHours(weekdays, 'Oak Street')];
  const { body } = await t.call(messageSettings.readMessageSettings, {}, { as: of });
  expect(body.answersWhenClosed).toBe(true);
  await t.call(messageSettings.saveMessageSettings, { body: { ...body, answersWhenClosed: false } }, { as: of });
  const phone = newPhone();
  await writes(phone, 'Hello', of);
  await writes(phone, 'Hello', other);
  expect(await answersTo(phone, of)).toEqual([]);
  expect(await answersTo(phone, other)).toHaveLength(1);
});

test('a number that opted out, a keyword, and a patient who is in the practice get no answer', async () => {
  const of = await officeWithHours();
  const [left, stays] = [newPhone(), newPhone()];
  await writes(left, 'STOP', of);
  t.later(1);
  await writes(left, 'Hello?', of);
  await t.visit({ office: of, phone: stays });
  await writes(stays, 'I am in the waiting room', of);
  expect([await answersTo(left, of), await answersTo(stays, of)]).toEqual([[], []]);
});

test('a text that arrives seconds after ours counts as automatic and gets no answer', async () => {
  const of = await officeWithHours();
  const phone = newPhone();
  await writes(phone, 'HELP', of);
  t.later(0.05);
  await writes(phone, 'Auto-reply: I am driving.', of);
  expect(await answersTo(phone, of)).toEqual([]);
  t.later(1);
  await writes(phone, 'Now I stopped.', of);
  expect(await answersTo(phone, of)).toHaveLength(1);
});

test('five texts at the same moment get one answer', async () => {
  const of = await officeWithHours();
  const phone = newPhone();
  const taken = await Promise.all(Array.from({ length: 5 }, (_, i) => writes(phone, `Question ${i}`, of)));
  expect(new Set(taken)).toEqual(new Set([200]));
  expect(await answersTo(phone, of)).toHaveLength(1);
  await sendDueTexts(t.services);
  expect(await textsTakenByCarrier(t, phone)).toHaveLength(1);
});

test('beyond a limit of texts the message is taken and not answered', async () => {
  const of = await officeWithHours();
  await t.inOffice(of, (tx) =>
    tx.updateTable('office').set({ confirmedAt: null, confirmedBy: null }).where('id', '=', of.id).execute(),
  );
  const phone = newPhone();
  expect(await writes(phone, 'Hello from a stranger', of)).toBe(200);
  expect(await answersTo(phone, of)).toEqual([]);
  expect(await inbox(of)).toMatchObject([{ lastBody: 'Hello from a stranger' }]);
});

test('a visitor of the website gets the answer in the conversation, without a text', async () => {
  const of = await officeWithHours();
  const scope = t.scopeOf(of);
  const conversationId = await openVisitorConversation(scope, { channel: 'web', name: 'Vi' });
  await receiveVisitorMessage(scope, { conversationId, body: 'Are you open?', clientId: 'a' });
  await receiveVisitorMessage(scope, { conversationId, body: 'Anybody?', clientId: 'b' });
  const params = { params: { id: conversationId }, query: {} };
  const { messages } = (await t.call(conversations.readConversation, params, { as: of })).body;
  expect(messages.map(({ sender }) => sender)).toEqual(['patient', 'bot', 'patient']);
  expect(await t.texts(of)).toEqual([]);
});

test('in the demo, which is always open, nobody gets the answer', async () => {
  const demo = await openTestApp({ at: new Date(mondayEvening) });
  const { body } = await demo.call(readQueueSettings, {});
  await demo.call(saveQueueSettings, { body: { ...body, openingHours: weekdays } });
  await patientTexts(demo, newPhone(), 'Hello');
  expect(await demo.texts()).toEqual([]);
  await demo.close();
});
