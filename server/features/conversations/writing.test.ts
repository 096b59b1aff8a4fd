import { afterAll, expect, test } from 'vitest';
import { conversationMessages, conversations } from '#contract/index.ts';
import { openLiveClient } from '#testing/app/live-client.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';
import { openVisitorConversation } from './visitor-conversations.ts';
import { noteVisitorWriting } from './writing.ts';

const t = await openTestApp();
const address = await t.listen();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(8000 + ++numbers)}`;
const openDesk = (of: TestOffice) => openLiveClient(address, { office: of.id, token: of.token });
async function conversationWith(phone: string): Promise<string> {
  await patientTexts(t, phone, 'Which door?');
  const { body } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } });
  return body.conversations[0]?.pk ?? '';
}

test('the patient’s page and the other desks learn that the desk is writing, another office does not', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  const conversation = await conversationWith(phone);
  const patient = await openLiveClient(address, { visit: await t.provedToken(visit.id) });
  const [desk, elsewhere] = [await openDesk(t.maple), await openDesk(t.other)];
  await t.call(conversationMessages.noteWriting, { params: { id: conversation } });
  await expect.poll(() => patient.hints).toContainEqual({ type: 'writing' });
  const writing = { conversation, person: t.maple.personId };
  await expect.poll(() => desk.hints).toContainEqual({ type: 'writing', visit: visit.id, writing });
  expect(elsewhere.hints).toEqual([]);
  for (const client of [patient, desk, elsewhere]) client.close();
});

test('the first message to a visit is announced too, before there is a conversation', async () => {
  const visit = await t.visit({ phone: newPhone() });
  const patient = await openLiveClient(address, { visit: await t.provedToken(visit.id) });
  const params = { visitId: visit.id };
  expect((await t.call(conversationMessages.noteWritingToVisit, { params }, { as: t.other })).status).toBe(404);
  expect((await t.call(conversationMessages.noteWritingToVisit, { params })).body).toEqual({ noted: true });
  await expect.poll(() => patient.hints).toContainEqual({ type: 'writing' });
  patient.close();
});

test('the page of a visit that has ended learns nothing', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone, moves: ['invite', 'finish'] });
  const conversation = await conversationWith(phone);
  const desk = await openDesk(t.maple);
  await t.call(conversationMessages.noteWriting, { params: { id: conversation } });
  await expect
    .poll(() => desk.hints)
    .toContainEqual({ type: 'writing', writing: { conversation, person: t.maple.personId } });
  expect(visit.statusCode).toBe('DOCTOR_CANCELLED');
  desk.close();
});

test('the desks learn that a visitor of the website is writing', async () => {
  const conversation = await openVisitorConversation(t.scopeOf(t.maple), { channel: 'web', name: 'Vi' });
  const desk = await openDesk(t.maple);
  await noteVisitorWriting(t.scopeOf(t.maple), conversation);
  await expect.poll(() => desk.hints).toContainEqual({ type: 'writing', writing: { conversation, person: null } });
  await expect(noteVisitorWriting(t.scopeOf(t.other), conversation)).rejects.toThrow();
  desk.close();
});
