import { afterAll, beforeAll, expect, test } from 'vitest';
import { queue, smsCheckin, team } from '#contract/index.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { purgeOutbox } from '#server/providers/outbox-purge.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import {
  patientTexts,
  quickPace,
  releaseHeldTexts,
  sendDueTexts,
  textsTakenByCarrier,
  textOfVisit,
  textRow,
  withCarrier,
} from '#testing/fixtures/texts.ts';
import { resolveAbandonedTexts } from './send-texts.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());

let phones = 0;
const newPhone = () => `+1646555${String(2000 + phones++)}`;
const tokenIn = (body: string | undefined) => /\/(?:visit|c\/t|join)\/([\w-]{32})/.exec(body ?? '')?.[1] ?? '';

const invite = (id: string) => testApp.call(queue.moveVisit, { body: { id, action: 'INVITED' } });
const invited = async (given: { language?: 'en' | 'es' } = {}) => {
  const visit = await testApp.visit({ phone: newPhone(), ...given });
  await invite(visit.id);
  return { visit, text: await textOfVisit(testApp, visit.id) };
};

/** The tables in which some column of some row holds these characters. */
async function tablesHolding(needle: string): Promise<string[]> {
  const tables = ['text', 'message', 'conversation', 'invitation', 'visitToken', 'idempotency', 'auditEntry'] as const;
  const found = await Promise.all(
    tables.map(async (table) => JSON.stringify(await testApp.owner.selectFrom(table).selectAll().execute())),
  );
  return tables.filter((_, i) => found[i]?.includes(needle));
}

test('the phone gets the link, and no table holds its token', async () => {
  const { visit, text } = await invited();
  expect(text.body).toMatch(/Please come in now\. \{link\}$/);
  await sendDueTexts(testApp.services);
  const [taken] = await textsTakenByCarrier(testApp, visit.username);
  const token = tokenIn(taken?.body);
  expect(taken?.body).toMatch(/Please come in now\. http:\/\/localhost:3000\/visit\/[\w-]{32}$/);
  expect(await tablesHolding(token)).toEqual([]);
  const row = await testApp.owner
    .selectFrom('visitToken')
    .selectAll()
    .where('tokenHash', '=', hashToken(token))
    .execute();
  expect(row).toMatchObject([{ visitId: visit.id, proved: true }]);
});

test("the encrypted link is deleted when the text's state is final", async () => {
  const { text } = await invited();
  expect(text.sealedLink).not.toBeNull();
  await sendDueTexts(testApp.services);
  expect(await textRow(testApp, text.id)).toMatchObject({ state: 'sent', sealedLink: null });
});

test('an encrypted link is useless in another text or under another secret', async () => {
  const [one, other] = [await invited(), await invited()];
  await testApp.owner
    .updateTable('text')
    .set({ sealedLink: one.text.sealedLink })
    .where('id', '=', other.text.id)
    .execute();
  await sendDueTexts(testApp.services);
  expect(await textRow(testApp, other.text.id)).toMatchObject({
    state: 'failed',
    errorClass: 'other',
    sealedLink: null,
  });
  expect(await textsTakenByCarrier(testApp, other.visit.username)).toEqual([]);
});

test('a held text keeps its link, which the phone gets after the release', async () => {
  const { visit, text } = await invited();
  // As a restore does.
  await testApp.owner.updateTable('text').set({ state: 'held' }).where('id', '=', text.id).execute();
  await releaseHeldTexts(testApp.services);
  await sendDueTexts(testApp.services);
  const [taken] = await textsTakenByCarrier(testApp, visit.username);
  expect(taken?.body).toMatch(/Please come in now\. http:\/\/localhost:3000\/visit\/[\w-]{32}$/);
  expect(await tablesHolding(tokenIn(taken?.body))).toEqual([]);
  expect(await textRow(testApp, text.id)).toMatchObject({ state: 'sent', sealedLink: null });
});

test('a text held for being late keeps its link', async () => {
  const { text } = await invited();
  const sendAt = new Date(testApp.now().getTime() - 61 * 60_000);
  await testApp.owner.updateTable('text').set({ sendAt }).where('id', '=', text.id).execute();
  await sendDueTexts(testApp.services);
  const held = await textRow(testApp, text.id);
  expect(held).toMatchObject({ state: 'held', needsLink: true });
  expect(held.sealedLink).not.toBeNull();
});

test('a text without its link fails visibly instead of being sent without it', async () => {
  const { visit, text } = await invited();
  await testApp.owner.updateTable('text').set({ sealedLink: null }).where('id', '=', text.id).execute();
  await sendDueTexts(testApp.services);
  expect(await textRow(testApp, text.id)).toMatchObject({ state: 'failed', errorClass: 'other' });
  expect(await textsTakenByCarrier(testApp, visit.username)).toEqual([]);
});

test('{link} in a typed message is sent as typed', async () => {
  const visit = await testApp.visit({ phone: newPhone() });
  const params = { userCode: visit.patientUserCode };
  const body = { title: 'Hi', body: 'Type {link} into your form', visitId: visit.id };
  await testApp.call(queue.messagePatient, { params, body }, { headers: { 'idempotency-key': 'typed' } });
  await sendDueTexts(testApp.services);
  expect(await textsTakenByCarrier(testApp, visit.username)).toMatchObject([{ body: 'Type {link} into your form' }]);
});

test('a text whose worker died is still sent with its link', async () => {
  const { visit, text } = await invited();
  const dies = withCarrier(testApp.services, {
    send: () => Promise.reject(new Error('cut off')),
    find: () => Promise.resolve(null),
  });
  await sendDueTexts(dies, quickPace);
  await new Promise((resolve) => setTimeout(resolve, quickPace.leaseMs * 2));
  await resolveAbandonedTexts(dies, { name: 'heir', pace: quickPace });
  expect((await textRow(testApp, text.id)).state).toBe('queued');
  await sendDueTexts(testApp.services);
  expect(tokenIn((await textsTakenByCarrier(testApp, visit.username))[0]?.body)).not.toBe('');
});

test.each([
  ['en', '(link to the visit)'],
  ['es', '(enlace a la visita)'],
] as const)('staff read %s words where the link was', async (language, placeholder) => {
  const { visit } = await invited({ language });
  const read = await testApp.call(queue.readVisit, { params: { visitId: visit.id } });
  expect(read.body.messages.at(-1)?.body).toMatch(new RegExp(`${placeholder.replace(/[()]/g, '\\$&')}$`));
  expect(JSON.stringify(read.body)).not.toMatch(/https?:|\{link\}/);
});

test("a practice's own text comes before the link, even if it contains {link}", async () => {
  const phone = newPhone();
  await testApp.call(smsCheckin.addCheckin, { body: { phone, text: 'Press {link} when you are here:' } });
  await sendDueTexts(testApp.services);
  const [taken] = await textsTakenByCarrier(testApp, phone);
  expect(taken?.body).toMatch(/^Press \{link\} when you are here: http:\/\/localhost:3000\/c\/t\/[\w-]{32}$/);
});

test('reinviting makes a new link', async () => {
  const { visit } = await invited();
  await sendDueTexts(testApp.services);
  await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'REINVITED' } });
  testApp.later(1);
  await sendDueTexts(testApp.services);
  const tokens = (await textsTakenByCarrier(testApp, visit.username)).map(({ body }) => tokenIn(body));
  expect(new Set(tokens).size).toBe(2);
});

test('a link that a patient texts back to the practice is not stored', async () => {
  const { visit } = await invited();
  await sendDueTexts(testApp.services);
  const token = tokenIn((await textsTakenByCarrier(testApp, visit.username))[0]?.body);
  await patientTexts(testApp, visit.username, `Is it this one? http://localhost:3000/visit/${token} Thanks`);
  expect(await tablesHolding(token)).toEqual([]);
  const read = await testApp.call(queue.readVisit, { params: { visitId: visit.id } });
  expect(read.body.messages.at(-1)).toMatchObject({ from: 'patient', body: 'Is it this one? {link} Thanks' });
});

test('an invitation by text keeps no part of its link', async () => {
  const phone = '+12025550177';
  await testApp.call(team.inviteColleague, { body: { phone } });
  await sendDueTexts(testApp.services);
  const token = tokenIn((await textsTakenByCarrier(testApp, phone))[0]?.body);
  expect(token).not.toBe('');
  expect(await tablesHolding(token)).toEqual([]);
});

test('the outbox is purged after a day', async () => {
  const { visit } = await invited();
  await sendDueTexts(testApp.services);
  testApp.later(23 * 60);
  await purgeOutbox(testApp.services);
  expect(await textsTakenByCarrier(testApp, visit.username)).toHaveLength(1);
  testApp.later(61);
  await purgeOutbox(testApp.services);
  expect(await textsTakenByCarrier(testApp, visit.username)).toEqual([]);
});
