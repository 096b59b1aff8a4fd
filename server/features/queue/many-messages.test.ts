import { createECDH, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { conversations, patient, push, queue } from '#contract/index.ts';
import { textsFromNumber } from '#contract/texting.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts, useTextLimit } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(6000 + ++numbers)}`;
const panelOf = async (visitId: string, as: TestOffice = t.maple) =>
  (await t.call(queue.readVisit, { params: { visitId } }, { as })).body;
const pageOf = async (token: string) =>
  (await t.call(patient.readPatientVisit, { params: { token } }, { as: null })).body;
const cardOf = async (visitId: string) =>
  (await t.call(queue.listQueue, { query: {} })).body.find(({ id }) => id === visitId);

/** As if the patient had texted this many times more, a millisecond apart. */
const repeatText = (visitId: string, times: number) =>
  t.inOffice(t.maple, (tx) =>
    sql`
      with newest as (
        select * from message where office_id = ${t.maple.id} and visit_id = ${visitId} and sender = 'patient' order by sequence desc limit 1
      ), copies as (
        insert into message (office_id, id, visit_id, conversation_id, sequence, at, sender, kind, body, content)
        select m.office_id, gen_random_uuid(), m.visit_id, m.conversation_id, m.sequence + n, m.at + n * interval '1 ms', m.sender, m.kind,
          'Text ' || n, m.content
        from newest m, generate_series(1, ${times}::int) n
        returning 1
      )
      update conversation c set last_sequence = c.last_sequence + ${times}, unread = unread + ${times}
      from newest m where c.office_id = m.office_id and c.id = m.conversation_id`.execute(tx),
  );

test('the panel and the patient’s page show the newest 100 of many messages, and say that there are older ones', async () => {
  const [phone, theirs] = [newPhone(), await t.visit({ office: t.other })];
  const visit = await t.visit({ phone });
  const token = await t.provedToken(visit.id);
  await patientTexts(t, phone, 'The first one');
  await repeatText(visit.id, 99);
  expect(await panelOf(visit.id)).toMatchObject({ hasOlderMessages: false, messages: { length: 100 } });
  expect(await pageOf(token)).toMatchObject({ hasOlderMessages: false, messages: { length: 100 } });

  t.later(1);
  await patientTexts(t, phone, 'The newest one');
  const [panel, page] = [await panelOf(visit.id), await pageOf(token)];
  for (const { messages, hasOlderMessages } of [panel, page]) {
    expect(messages).toHaveLength(100);
    expect([messages[0]?.body, messages.at(-1)?.body]).toEqual(['Text 1', 'The newest one']);
    expect(hasOlderMessages).toBe(true);
  }
  expect(panel.newestReply).toMatchObject({ sequence: 101 });
  expect(await cardOf(visit.id)).toMatchObject({ messageCount: 101, unreadMessages: 101 });
  expect(await panelOf(theirs.id, t.other)).toMatchObject({ hasOlderMessages: false, messages: [] });
});

test('a link that may not show the messages still knows of a text of the desk before many of the patient', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'Hello?');
  await repeatText(visit.id, 99);
  expect(await pageOf(visit.token)).toMatchObject({ access: 'own', hasHiddenTexts: false, hasOlderMessages: false });
  t.later(-1);
  await t.call(queue.messagePatient, {
    params: { userCode: visit.patientUserCode },
    body: { body: 'Come in, please' },
  });
  t.later(1);
  expect(await pageOf(visit.token)).toMatchObject({ messages: [], hasHiddenTexts: true, hasOlderMessages: false });
});

test('texts beyond 60 an hour from a number are stored, but disturb nobody; STOP among them still counts', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await useTextLimit(t, textsFromNumber.name, `${t.maple.id} ${phone}`, textsFromNumber.points - 1);
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const keys = { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
  await t.call(push.subscribePush, { body: { endpoint: 'https://push.anteroom.test/flood', keys } });
  const isPushDue = () =>
    t.inOffice(t.maple, async (tx) => {
      const row = await tx.selectFrom('pushSubscription').select('dueAt').executeTakeFirstOrThrow();
      await tx.updateTable('pushSubscription').set({ dueAt: null }).execute();
      return row.dueAt !== null;
    });
  const etag = async () => (await t.call(queue.listQueue, { query: {} })).headers.etag;

  const before = await etag();
  expect(await patientTexts(t, phone, 'The 60th')).toBe(200);
  expect(await isPushDue()).toBe(true);
  const after60 = await etag();
  expect(after60).not.toBe(before);

  expect(await patientTexts(t, phone, 'The 61st')).toBe(200);
  expect([await isPushDue(), await etag()]).toEqual([false, after60]);
  const { body: inbox } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } });
  expect(inbox.conversations).toMatchObject([{ lastBody: 'The 61st', doctorUnread: 2 }]);

  await patientTexts(t, phone, 'STOP');
  expect(await cardOf(visit.id)).toMatchObject({ textBlock: 'opted-out', unreadMessages: 3 });
  t.later(61);
  await patientTexts(t, phone, 'An hour later');
  expect(await isPushDue()).toBe(true);
});
