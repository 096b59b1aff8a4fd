import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listQueue, moveVisit, readVisit } from '#contract/queue.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import {
  addText,
  carrierReports,
  patientTexts,
  report,
  sendDueTexts,
  textsTakenByCarrier,
  textOfVisit,
  textRow,
} from '#testing/fixtures/texts.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const patient = { next: 0, phone: () => `+1646555${String(2000 + ++patient.next)}` };
const messagesOf = async (visitId: string) => (await t.call(readVisit, { params: { visitId } })).body.messages;
/** The audit entries about a visit, oldest first. Without an order PostgreSQL returns rows as its pages hold them, not as they were written. */
const entriesAbout = async (visitId: string) =>
  (await t.auditEntries()).filter(({ subject }) => subject === visitId).map(({ action, actor }) => [action, actor]);

test('the carrier accepts a text and reports its delivery, which the message shows', async () => {
  const phone = patient.phone();
  const visit = await t.visit({ phone, moves: ['invite'] });
  await sendDueTexts(t.services);
  await carrierReports(t);
  expect(await textOfVisit(t, visit.id)).toMatchObject({ state: 'sent' });
  t.later(0.05);
  await carrierReports(t);
  expect(await textOfVisit(t, visit.id)).toMatchObject({ state: 'delivered' });
  expect((await messagesOf(visit.id)).map(({ state }) => state)).toEqual(['delivered']);
  expect(await textsTakenByCarrier(t, phone)).toMatchObject([{ state: 'delivered', reportAt: null }]);
});

test('an undelivered invite shows the desk why', async () => {
  const phone = patient.phone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'STOP');
  await t.call(moveVisit, { body: { id: visit.id, action: 'INVITED' } });
  expect((await messagesOf(visit.id)).at(-1)).toMatchObject({ kind: 'invite', state: 'failed', problem: 'opted-out' });
});

test('an undelivered text is shown as failed', async () => {
  const id = await addText(t, { toPhone: '+15005550030' });
  await sendDueTexts(t.services);
  for (let i = 0; i < 2; i++) {
    t.later(0.05);
    await carrierReports(t);
  }
  expect(await textRow(t, id)).toMatchObject({ state: 'failed', errorClass: 'delivery' });
});

test('reports in any order end in the right state: a final state never changes', async () => {
  const id = await addText(t, { toPhone: patient.phone() });
  await sendDueTexts(t.services);
  const { providerId } = await textRow(t, id);
  const say = (state: 'sent' | 'delivered' | 'failed') => report(t, { providerId: providerId ?? '', state });
  expect(await say('delivered')).toBe(200);
  const delivered = await textRow(t, id);
  for (const state of ['sent', 'failed', 'delivered'] as const) expect(await say(state)).toBe(200);
  expect(await textRow(t, id)).toEqual(delivered);
});

test('a report with our reference is not searched for by the carrier’s id, nor is that of a sign-in code', async () => {
  const { pool } = t.services;
  const id = await addText(t, { toPhone: patient.phone() });
  await sendDueTexts(t.services);
  const { providerId } = await textRow(t, id);
  const asked = vi.spyOn(pool, 'query');
  const searches = () => asked.mock.calls.filter((call) => JSON.stringify(call).includes('door_text_by_provider'));
  const delivered = { providerId: providerId ?? '', state: 'delivered' } as const;
  expect(await report(t, { ...delivered, reference: `${t.maple.id}.${id}` })).toBe(200);
  expect(await textRow(t, id)).toMatchObject({ state: 'delivered' });
  expect(await report(t, { ...delivered, providerId: 'SM1', reference: t.services.id() })).toBe(200);
  expect(searches()).toHaveLength(0);
  expect(await report(t, delivered)).toBe(200);
  expect(searches()).toHaveLength(1);
  asked.mockRestore();
});

test('50 concurrent copies of a report have one effect', async () => {
  const visit = await t.visit({ moves: ['invite'] });
  await sendDueTexts(t.services);
  const { providerId } = await textOfVisit(t, visit.id);
  const version = () =>
    t.inOffice(t.maple, (tx) => tx.selectFrom('queueVersion').select('version').executeTakeFirstOrThrow());
  const before = await version();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => report(t, { providerId: providerId ?? '', state: 'delivered' })),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  expect((await version()).version).toBe(before.version + 1);
});

test('a report that arrives before the answer to our call finds the text by our reference', async () => {
  const toPhone = patient.phone();
  const id = await addText(t, { toPhone });
  await t.inOffice(t.maple, (tx) => tx.updateTable('text').set({ state: 'unknown' }).where('id', '=', id).execute());
  expect(await report(t, { providerId: 'early', reference: `${t.maple.id}.${id}`, state: 'sent' })).toBe(200);
  expect(await textRow(t, id)).toMatchObject({ state: 'sent', providerId: 'early' });
});

test("a report with another office's id before a text's changes nothing", async () => {
  const id = await addText(t, { toPhone: patient.phone() });
  expect(await report(t, { providerId: 'x', reference: `${t.other.id}.${id}`, state: 'failed' })).toBe(200);
  expect(await textRow(t, id)).toMatchObject({ state: 'queued' });
});

test('callbacks that are unsigned, tampered, signed with another key, late or early are refused without effect', async () => {
  const phone = patient.phone();
  const visit = await t.visit({ phone });
  const { fromPhone } = await textRow(t, await addText(t, { toPhone: phone }));
  const said = JSON.stringify({ providerId: 'p', from: phone, to: fromPhone, body: 'STOP' });
  const { webhook } = t.env.secrets;
  const at = (minutes: number) => new Date(t.now().getTime() + minutes * 60_000);
  const post = async (headers: Record<string, string>, payload = said) => {
    const all = { 'content-type': 'application/json', ...headers };
    return (await t.app.inject({ method: 'POST', url: '/api/sms/inbound', headers: all, payload })).statusCode;
  };
  const good = signBody(webhook, said, t.now());
  const refused: Record<string, string>[] = [
    {},
    { [signatureHeader]: '' },
    { [signatureHeader]: good.slice(0, -1) },
    { [signatureHeader]: good.replace(/^t=\d+/, 't=1') },
    { [signatureHeader]: signBody('another key', said, t.now()) },
    { [signatureHeader]: signBody(webhook, said, at(-5.1)) },
    { [signatureHeader]: signBody(webhook, said, at(5.1)) },
  ];
  for (const headers of refused) expect(await post(headers)).toBe(403);
  expect(await post({ [signatureHeader]: good }, said.replace('STOP', 'stop'))).toBe(403);
  expect(await messagesOf(visit.id)).toEqual([]);
  expect(await post({ [signatureHeader]: signBody(webhook, said, at(-4.9)) })).toBe(200);
});

test('a signed callback with unknown content is a 400, whatever its bytes', async () => {
  const post = async (payload: string | Buffer, type = 'application/json') => {
    const headers = { 'content-type': type, [signatureHeader]: signBody(t.env.secrets.webhook, payload, t.now()) };
    return (await t.app.inject({ method: 'POST', url: '/api/sms/status', headers, payload })).statusCode;
  };
  for (const payload of [
    '',
    '{',
    'null',
    '[]',
    '{"providerId":7}',
    '{"providerId":"a\\u0000","state":"sent"}',
    Buffer.from([0xff, 0xfe]),
  ]) {
    expect(await post(payload)).toBe(400);
  }
  expect(await post('a=b', 'application/x-www-form-urlencoded')).toBe(400);
});

/** What the patient with this number wrote, as stored. */
const repliesFrom = (tx: Tx, phone: string) =>
  tx
    .selectFrom('message as m')
    .innerJoin('conversation as c', (join) =>
      join.onRef('c.officeId', '=', 'm.officeId').onRef('c.id', '=', 'm.conversationId'),
    )
    .select(['m.visitId', 'm.keyword', 'm.body'])
    .where('c.phone', '=', phone)
    .where('m.sender', '=', 'patient')
    .orderBy('m.sequence');

test("a patient's text appears in the conversation of the running visit", async () => {
  const phone = patient.phone();
  const visit = await t.visit({ phone });
  expect(await patientTexts(t, '(646) 555-' + phone.slice(-4), 'Which door?')).toBe(200);
  expect(await messagesOf(visit.id)).toMatchObject([
    { from: 'patient', body: 'Which door?', kind: 'message', state: null },
  ]);
  expect((await entriesAbout(visit.id)).filter(([action]) => action === 'message.receive')).toEqual([
    ['message.receive', 'patient'],
  ]);
});

test('50 concurrent copies of an incoming text make one message', async () => {
  const phone = patient.phone();
  const visit = await t.visit({ phone });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => patientTexts(t, phone, 'Hello?', { providerId: `same-${phone}` })),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await messagesOf(visit.id)).toHaveLength(1);
});

test('an incoming text without a visit is stored all the same', async () => {
  const phone = patient.phone();
  expect(await patientTexts(t, phone, 'Do you take walk-ins?')).toBe(200);
  const kept = await t.inOffice(t.maple, (tx) => repliesFrom(tx, phone).execute());
  expect(kept).toMatchObject([{ visitId: null, keyword: null, body: 'Do you take walk-ins?' }]);
});

test("a text to one office's number reaches no other office", async () => {
  const phone = patient.phone();
  const mine = await t.visit({ phone });
  const theirs = await t.visit({ phone, office: t.other });
  await patientTexts(t, phone, 'For the other one', { office: t.other });
  expect(await messagesOf(mine.id)).toEqual([]);
  const seen = await t.call(readVisit, { params: { visitId: theirs.id } }, { as: t.other });
  expect(seen.body.messages).toHaveLength(1);
});

test('an incoming text to an unknown number is a 404, and from an invalid number a 400', async () => {
  expect(await patientTexts(t, patient.phone(), 'Hi', { to: '+12125559999' })).toBe(404);
  expect(await patientTexts(t, 'nobody', 'Hi')).toBe(400);
});

const confirmation =
  'Maple Street Pediatrics: you will get no more texts from this number. Reply START to get them again.';

test.each(['STOP', ' stop. ', 'StopAll', 'unsubscribe', 'QUIT', 'end', 'Cancel'])(
  '%j ends texts at once, also what is queued already',
  async (word) => {
    const phone = patient.phone();
    const visit = await t.visit({ phone, moves: ['invite'] });
    const later = await addText(t, { toPhone: phone, sendAt: new Date(t.now().getTime() + 3_600_000) });
    const began = performance.now();
    expect(await patientTexts(t, phone, word)).toBe(200);
    expect(performance.now() - began).toBeLessThan(1_000);
    await sendDueTexts(t.services);
    expect((await textsTakenByCarrier(t, phone)).map(({ body }) => body)).toEqual([confirmation]);
    expect(await textRow(t, later)).toMatchObject({ state: 'failed', errorClass: 'opted-out' });
    expect((await messagesOf(visit.id)).map(({ kind, state }) => [kind, state])).toEqual([
      ['invite', 'failed'],
      ['message', null],
    ]);
  },
);

test('STOP is confirmed once, by the program, and again only after START, which is confirmed too', async () => {
  const phone = patient.phone();
  await t.visit({ phone, language: 'es' });
  for (const word of ['STOP', 'stop', 'PARAR', 'START', 'STOP']) await patientTexts(t, phone, word);
  await sendDueTexts(t.services);
  const spanish = expect.stringMatching(/^Maple Street Pediatrics: no recibirá más mensajes/);
  const again = expect.stringMatching(/^Maple Street Pediatrics: volverá a recibir mensajes/);
  expect((await textsTakenByCarrier(t, phone)).map(({ body }) => body).sort()).toEqual([spanish, spanish, again]);
  const messages = await t.inOffice(t.maple, (tx) =>
    tx
      .selectFrom('message as m')
      .innerJoin('conversation as c', (join) =>
        join.onRef('c.officeId', '=', 'm.officeId').onRef('c.id', '=', 'm.conversationId'),
      )
      .select('m.sender')
      .where('c.phone', '=', phone)
      .orderBy('m.sequence')
      .execute(),
  );
  expect(messages.map(({ sender }) => sender)).toEqual([
    'patient',
    'bot',
    'patient',
    'patient',
    'patient',
    'bot',
    'patient',
    'bot',
  ]);
});

test.each([
  ['the visit of today', 'PARAR', { visit: 'en', patient: 'en' }, 'you will get no more texts'],
  ['a Spanish keyword', 'Parar.', { patient: 'en' }, 'no recibirá más mensajes'],
  ['the patient, who has no visit today', 'STOP', { patient: 'es' }, 'no recibirá más mensajes'],
  ['nobody who is known', 'stop', {}, 'you will get no more texts'],
] as const)(
  'a keyword is answered in the language of %s',
  async (_of, word, { visit, patient: known }: Languages, answer) => {
    const phone = patient.phone();
    const made = (visit ?? known) && (await t.visit({ phone, language: visit ?? known ?? 'en' }));
    if (made && !visit)
      await t.inOffice(t.maple, (tx) =>
        tx.updateTable('visit').set({ day: '2026-03-01', endedAt: t.now() }).where('id', '=', made.id).execute(),
      );
    await patientTexts(t, phone, word);
    await sendDueTexts(t.services);
    expect((await textsTakenByCarrier(t, phone)).map(({ body }) => body)).toEqual([expect.stringContaining(answer)]);
  },
);
interface Languages {
  visit?: 'en' | 'es';
  patient?: 'en' | 'es';
}

test('after STOP a new invite is not texted; START allows texts again', async () => {
  const phone = patient.phone();
  const visit = await t.visit({ phone });
  expect(await patientTexts(t, phone, 'STOP')).toBe(200);
  const after = await addText(t, { toPhone: phone });
  expect(await textRow(t, after)).toMatchObject({ state: 'failed', errorClass: 'opted-out' });
  expect(await patientTexts(t, phone, 'YES')).toBe(200);
  const again = await addText(t, { toPhone: phone });
  expect(await textRow(t, again)).toMatchObject({ state: 'queued' });
  expect((await entriesAbout(visit.id)).filter(([action]) => action?.startsWith('text.'))).toEqual([
    ['text.stop', 'patient'],
    ['text.start', 'patient'],
  ]);
});

test('the card shows that a number opted out, before anybody texts it, and that it no longer does', async () => {
  const phone = patient.phone();
  const visit = await t.visit({ phone });
  const block = async () => {
    const { body } = await t.call(listQueue, { query: {} });
    return body.find(({ id }) => id === visit.id)?.textBlock;
  };
  expect(await block()).toBeNull();
  await patientTexts(t, phone, 'STOP');
  expect(await block()).toBe('opted-out');
  await patientTexts(t, phone, 'START');
  expect(await block()).toBeNull();
});

test('"Yes" from a number that never opted out is an ordinary message', async () => {
  const phone = patient.phone();
  const visit = await t.visit({ phone });
  await patientTexts(t, phone, 'Yes');
  expect(await messagesOf(visit.id)).toMatchObject([{ body: 'Yes' }]);
  const kept = await t.inOffice(t.maple, (tx) => repliesFrom(tx, phone).execute());
  expect(kept).toMatchObject([{ keyword: null }]);
});

test('a replayed STOP does not undo a later START', async () => {
  const phone = patient.phone();
  await patientTexts(t, phone, 'STOP', { providerId: `stop-${phone}` });
  await patientTexts(t, phone, 'START');
  await patientTexts(t, phone, 'STOP', { providerId: `stop-${phone}` });
  expect(await textRow(t, await addText(t, { toPhone: phone }))).toMatchObject({ state: 'queued' });
});

test("HELP is answered in the patient's language, also after STOP", async () => {
  const phone = patient.phone();
  await t.visit({ phone, language: 'es' });
  await patientTexts(t, phone, 'STOP');
  await patientTexts(t, phone, 'help');
  await sendDueTexts(t.services);
  expect((await textsTakenByCarrier(t, phone)).map(({ body }) => body).sort()).toEqual([
    expect.stringMatching(/^Maple Street Pediatrics: este número/),
    expect.stringMatching(/^Maple Street Pediatrics: no recibirá/),
  ]);
});

test('50 concurrent STOPs make one opt-out', async () => {
  const phone = patient.phone();
  const answers = await Promise.all(Array.from({ length: 50 }, () => patientTexts(t, phone, 'STOP')));
  expect(new Set(answers)).toEqual(new Set([200]));
  const out = await t.inOffice(t.maple, (tx) =>
    tx.selectFrom('optOut').select('id').where('phone', '=', phone).execute(),
  );
  expect(out).toHaveLength(1);
  await sendDueTexts(t.services);
  expect((await textsTakenByCarrier(t, phone)).map(({ body }) => body)).toEqual([confirmation]);
});
