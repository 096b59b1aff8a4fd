import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmsRefused } from '#server/providers/sms/port.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import {
  addText,
  quickPace,
  sendDueTexts,
  textsTakenByCarrier,
  textOfVisit,
  textRow,
  withCarrier,
} from '#testing/fixtures/texts.ts';
import { sendClaimedText, resolveAbandonedTexts, claimDueTexts, usualPace } from './send-texts.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const worker = { name: 'worker', pace: quickPace };
const patient = { next: 0, phone: () => `+1646555${String(1000 + ++patient.next)}` };
const versionOf = (day: string) =>
  t.inOffice(t.maple, (tx) =>
    tx.selectFrom('queueVersion').select('version').where('id', '=', day).executeTakeFirstOrThrow(),
  );

test('an invite is sent once, and the desk sees that it was sent', async () => {
  const phone = patient.phone();
  const visit = await t.visit({ phone, moves: ['invite'] });
  const before = await versionOf('2026-03-02');
  await sendDueTexts(t.services);
  await sendDueTexts(t.services);

  const text = await textOfVisit(t, visit.id);
  expect(text).toMatchObject({ state: 'sent', toPhone: phone, errorClass: null });
  const taken = await textsTakenByCarrier(t, phone);
  expect(taken).toHaveLength(1);
  expect(taken[0]).toMatchObject({
    id: text.providerId,
    body: expect.stringMatching(/now\. http:\S+\/visit\/[\w-]{32}$/),
    sender: text.fromPhone,
  });
  expect((await versionOf('2026-03-02')).version).toBeGreaterThan(before.version);
});

test('two workers with the same due texts send each one once', async () => {
  const phones = Array.from({ length: 30 }, () => patient.phone());
  for (const toPhone of phones) await addText(t, { toPhone });
  await Promise.all(['a', 'b', 'c'].map((name) => sendDueTexts(t.services, usualPace, name)));
  for (const phone of phones) expect(await textsTakenByCarrier(t, phone)).toHaveLength(1);
});

test('a text to a permanently refused number fails with the reason', async () => {
  const id = await addText(t, { toPhone: '+15005550001' });
  await sendDueTexts(t.services);
  expect(await textRow(t, id)).toMatchObject({ state: 'failed', errorClass: 'bad-number', providerId: null });
});

test('a busy carrier gets the text again a little later, and not before', async () => {
  const toPhone = patient.phone();
  const id = await addText(t, { toPhone });
  const busy = withCarrier(t.services, { send: () => Promise.reject(new SmsRefused('rate')) });
  await sendDueTexts(busy);
  expect(await textRow(t, id)).toMatchObject({ state: 'queued', tries: 1 });
  await sendDueTexts(t.services);
  expect(await textsTakenByCarrier(t, toPhone)).toHaveLength(0);
  t.later(0.1);
  await sendDueTexts(t.services);
  expect(await textRow(t, id)).toMatchObject({ state: 'sent', tries: 2 });
  expect(await textsTakenByCarrier(t, toPhone)).toHaveLength(1);
});

test.each([
  ['answers 500 after accepting', '+15005550500'],
  ['times out after accepting', '+15005550504'],
])('if a carrier %s, it is queried later, and the text is not resent', async (_how, toPhone) => {
  const id = await addText(t, { toPhone });
  await sendDueTexts(t.services, quickPace, worker.name);
  expect(await textRow(t, id)).toMatchObject({ state: 'sending' });
  expect(await resolveAbandonedTexts(t.services, worker)).toBe(false);
  await pause(quickPace.leaseMs + 20);
  await resolveAbandonedTexts(t.services, worker);
  const [taken, ...more] = await textsTakenByCarrier(t, toPhone);
  expect(more).toEqual([]);
  expect(await textRow(t, id)).toMatchObject({ state: 'sent', providerId: taken?.id });
});

test('a text whose worker died before its call is looked up and sent by another', async () => {
  const toPhone = patient.phone();
  const id = await addText(t, { toPhone });
  await claimDueTexts(t.services, { name: 'dead', pace: quickPace }, 100);
  await pause(quickPace.leaseMs + 20);
  await resolveAbandonedTexts(t.services, worker);
  expect(await textRow(t, id)).toMatchObject({ state: 'queued' });
  await sendDueTexts(t.services);
  expect(await textsTakenByCarrier(t, toPhone)).toHaveLength(1);
  expect(await textRow(t, id)).toMatchObject({ state: 'sent' });
});

test('a worker that stalled past its lease does not send', async () => {
  const toPhone = patient.phone();
  await addText(t, { toPhone });
  const slow = { name: 'slow', pace: quickPace };
  const claimed = await claimDueTexts(t.services, slow, 100);
  await pause(quickPace.leaseMs);
  for (const text of claimed) await sendClaimedText(t.services, slow, text);
  expect(await textsTakenByCarrier(t, toPhone)).toHaveLength(0);
  await pause(20);
  await resolveAbandonedTexts(t.services, worker);
  await sendDueTexts(t.services);
  expect(await textsTakenByCarrier(t, toPhone)).toHaveLength(1);
});

test('a clock jump of an hour ends no lease: texts in flight are neither looked up nor resent', async () => {
  const toPhone = patient.phone();
  const id = await addText(t, { toPhone });
  const worker = { name: 'on its way', pace: usualPace };
  const [text] = await claimDueTexts(t.services, worker, 100);
  t.later(70);
  await resolveAbandonedTexts(t.services, { name: 'other', pace: usualPace });
  await sendDueTexts(t.services);
  expect(await textRow(t, id)).toMatchObject({ state: 'sending', worker: 'on its way' });
  t.later(-70);
  if (text) await sendClaimedText(t.services, worker, text);
  expect(await textsTakenByCarrier(t, toPhone)).toHaveLength(1);
});

test('a late answer still counts: a text that another worker requeued is not resent', async () => {
  const toPhone = patient.phone();
  const id = await addText(t, { toPhone });
  const slow = { name: 'slow', pace: { ...quickPace, answerWithinMs: 1_000, leaseMs: 10_000 } };
  const [text] = await claimDueTexts(t.services, slow, 100);
  const lookup = withCarrier(t.services, {
    send: async (given) => {
      const taken = await t.services.providers.sms.send(given);
      // Meanwhile another worker learns that the carrier does not have it.
      await t.inOffice(t.maple, (tx) => tx.updateTable('text').set({ state: 'queued' }).where('id', '=', id).execute());
      return taken;
    },
  });
  if (text) await sendClaimedText(lookup, slow, text);
  await sendDueTexts(t.services);
  expect(await textsTakenByCarrier(t, toPhone)).toHaveLength(1);
  expect(await textRow(t, id)).toMatchObject({ state: 'sent' });
});

test('a text the carrier cannot look up becomes unknown, is shown, and is never resent', async () => {
  const visit = await t.visit({ phone: '+15005550500', moves: ['invite'] });
  const mute = withCarrier(t.services, { find: () => Promise.reject(new Error('no idea')) });
  await sendDueTexts(mute, quickPace, worker.name);
  for (let tries = 0; tries < 6; tries++) {
    await pause(quickPace.leaseMs + 10);
    await resolveAbandonedTexts(mute, worker);
  }
  expect(await textOfVisit(t, visit.id)).toMatchObject({ state: 'unknown' });
  const before = (await textsTakenByCarrier(t, '+15005550500')).length;
  await pause(quickPace.leaseMs + 10);
  await resolveAbandonedTexts(t.services, worker);
  await sendDueTexts(t.services);
  expect(await textsTakenByCarrier(t, '+15005550500')).toHaveLength(before);
  const entry = await t.inOffice(t.maple, (tx) =>
    tx.selectFrom('queueEntry').select('entry').where('id', '=', visit.id).executeTakeFirstOrThrow(),
  );
  expect(entry.entry).toMatchObject({ lastMessageState: 'unknown' });
});

test('a text for later is not sent early', async () => {
  const toPhone = patient.phone();
  const id = await addText(t, { toPhone, sendAt: new Date(t.now().getTime() + 60_000) });
  await sendDueTexts(t.services);
  t.later(0.99);
  await sendDueTexts(t.services);
  expect(await textRow(t, id)).toMatchObject({ state: 'queued' });
  t.later(0.01);
  await sendDueTexts(t.services);
  expect(await textRow(t, id)).toMatchObject({ state: 'sent' });
  expect((await textsTakenByCarrier(t, toPhone))[0]?.at).toEqual(t.now());
});

test('a text more than an hour late is held for staff to decide', async () => {
  const toPhone = patient.phone();
  const onTime = patient.phone();
  const id = await addText(t, { toPhone });
  t.later(60);
  await addText(t, { toPhone: onTime, sendAt: new Date(t.now().getTime() - 60 * 60_000) });
  t.later(0.01);
  const other = await addText(t, { toPhone: onTime, sendAt: new Date(t.now().getTime() - 59 * 60_000) });
  await sendDueTexts(t.services);
  expect(await textRow(t, id)).toMatchObject({ state: 'held' });
  expect(await textsTakenByCarrier(t, toPhone)).toHaveLength(0);
  expect(await textRow(t, other)).toMatchObject({ state: 'sent' });
});

test('a STOP during the writing of a text holds it back', async () => {
  const toPhone = patient.phone();
  const id = await addText(t, { toPhone });
  await t.inOffice(t.maple, (tx) =>
    tx
      .insertInto('optOut')
      .values({ officeId: t.maple.id, id: t.services.id(), phone: toPhone, at: t.now() })
      .execute(),
  );
  await sendDueTexts(t.services);
  expect(await textRow(t, id)).toMatchObject({ state: 'failed', errorClass: 'opted-out' });
  expect(await textsTakenByCarrier(t, toPhone)).toHaveLength(0);
});

test("another office's opt-out does not affect this one", async () => {
  const toPhone = patient.phone();
  await t.inOffice(t.other, (tx) =>
    tx
      .insertInto('optOut')
      .values({ officeId: t.other.id, id: t.services.id(), phone: toPhone, at: t.now() })
      .execute(),
  );
  const mine = await addText(t, { toPhone });
  const theirs = await addText(t, { toPhone, office: t.other });
  await sendDueTexts(t.services);
  expect(await textRow(t, mine)).toMatchObject({ state: 'sent' });
  expect(await textRow(t, theirs, t.other)).toMatchObject({ state: 'failed', errorClass: 'opted-out' });
});
