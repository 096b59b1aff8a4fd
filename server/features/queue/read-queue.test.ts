import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { patient, queue, session } from '#contract/index.ts';
import { queueSettingsDefault, saveQueueSettings } from '#contract/practice/office.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());
let office: TestOffice;
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
});

type Query = { includeCancelled?: 'true' | 'false'; includeDoctorCancelled?: 'true' | 'false'; datetime?: string };
const list = (query: Query = {}, headers: Record<string, string> = {}) =>
  testApp.call(queue.listQueue, { query }, { as: office, headers });
const etagOf = async (query: Query = {}) => String((await list(query)).headers.etag);
const reads = async () => (await testApp.auditEntries(office)).filter(({ action }) => action === 'queue.read').length;

describe('the list', () => {
  test("GET queue lists today’s visits oldest first with the older API's fields, without expected ones", async () => {
    const first = await testApp.visit({
      office,
      firstName: 'Walter',
      lastName: 'Brzezinski',
      household: [{ firstName: 'Zoë', lastName: 'Brzezinski', birthDate: '2020-02-29' }],
    });
    testApp.later(2);
    const second = await testApp.visit({ office, moves: ['invite'] });
    const { body } = await list();
    expect(body.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(body[0]).toMatchObject({
      npi: office.npi,
      patient: 'Walter Brzezinski',
      patientName: 'Walter Brzezinski',
      patientUserCode: first.patientUserCode,
      statusCode: 'WAITING',
      createdAt: '2026-03-02T15:00:00.000Z',
      activePatients: [
        { name: 'Walter Brzezinski', birthDate: '1990-12-10' },
        { name: 'Zoë Brzezinski', birthDate: '2020-02-29' },
      ],
      device: { notificationsEnabled: false },
      forms: [],
      paymentResponse: null,
    });
    expect(() => queue.QueueEntry.parse(body[0])).not.toThrow();
  });

  test('GET queue leaves out canceled and ended visits on request', async () => {
    const waiting = await testApp.visit({ office });
    const cancelled = await testApp.visit({ office, moves: ['cancel'] });
    const ended = await testApp.visit({ office, moves: ['invite', 'finish'] });
    const inside = await testApp.visit({ office, moves: ['invite', 'imIn'] });
    const ids = async (query: Query) => new Set((await list(query)).body.map(({ id }) => id));
    expect(await ids({})).toEqual(new Set([waiting.id, cancelled.id, ended.id, inside.id]));
    expect(await ids({ includeCancelled: 'false' })).toEqual(new Set([waiting.id, ended.id, inside.id]));
    expect(await ids({ includeDoctorCancelled: 'false' })).toEqual(new Set([waiting.id, cancelled.id, inside.id]));
    const neither = { includeCancelled: 'false', includeDoctorCancelled: 'false' } as const;
    expect(await ids(neither)).toEqual(new Set([waiting.id, inside.id]));
  });

  test("GET queue never shows another office's visits", async () => {
    await testApp.visit({ office: testApp.other, firstName: 'CANARY', lastName: 'Patient' });
    expect((await list()).body).toEqual([]);
    const foreign = await list({}, { 'x-office': testApp.other.id });
    const unknown = await list({}, { 'x-office': '019f0000-0000-7000-8000-000000000000' });
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
  });

  test('GET queue is not stored by any cache', async () => {
    expect((await list()).headers['cache-control']).toBe('no-store');
  });
});

describe('reading the queue with an ETag', () => {
  test('GET queue with a current ETag answers an empty 304 and writes no audit entry', async () => {
    await testApp.visit({ office });
    const etag = await etagOf();
    const before = await reads();
    const again = await list({}, { 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect(again.body).toBe('');
    expect(again.headers.etag).toBe(etag);
    expect(await reads()).toBe(before);
    expect((await list({}, { 'if-none-match': `W/${etag}` })).status).toBe(304);
    expect((await list()).status).toBe(200);
    expect(await reads()).toBe(before + 1);
  });

  test.each<[string, (visit: { id: string; token: string; patientUserCode: string }) => Promise<unknown>]>([
    ['a move', ({ id }) => testApp.call(queue.moveVisit, { body: { id, action: 'INVITED' } }, { as: office })],
    ['an arrival', () => testApp.visit({ office })],
    [
      'a message',
      ({ patientUserCode }) =>
        testApp.call(
          queue.messagePatient,
          { params: { userCode: patientUserCode }, body: { body: 'Soon' } },
          { as: office },
        ),
    ],
    [
      'a raised hand',
      ({ token }) =>
        testApp.call(patient.movePatientVisit, { params: { token }, body: { action: 'stillWaiting' } }, { as: null }),
    ],
    [
      'the first look of the phone',
      ({ token }) => testApp.call(patient.readPatientVisit, { params: { token } }, { as: null }),
    ],
    [
      'another language',
      ({ token }) =>
        testApp.call(patient.setPatientLanguage, { params: { token }, body: { language: 'es' } }, { as: null }),
    ],
    [
      'a change of the settings',
      () =>
        testApp.call(
          saveQueueSettings,
          { body: { ...queueSettingsDefault, autoInviteEnabled: true, autoInviteWaitTime: 600 } },
          { as: office },
        ),
    ],
    [
      'a text that has arrived',
      async (visit) => {
        await testApp.call(
          queue.messagePatient,
          { params: { userCode: visit.patientUserCode }, body: { body: 'Soon' } },
          { as: office },
        );
        const etag = await etagOf();
        const [text] = await testApp.texts(office);
        const report = { providerId: 'SM1', reference: `${office.id}.${text?.id}`, state: 'delivered' };
        const payload = JSON.stringify(report);
        const signature = signBody(testApp.env.secrets.webhook, payload, testApp.now());
        const headers = { 'content-type': 'application/json', [signatureHeader]: signature };
        await testApp.app.inject({ method: 'POST', url: '/api/sms/status', headers, payload });
        expect((await list({}, { 'if-none-match': etag })).body[0]?.lastMessageState).toBe('delivered');
      },
    ],
  ])('GET queue gets a new ETag after %s', async (_what, change) => {
    const visit = await testApp.visit({ office });
    const etag = await etagOf();
    await change(visit);
    expect((await list({}, { 'if-none-match': etag })).status).toBe(200);
  });

  test("a refused move does not change the queue's ETag", async () => {
    const visit = await testApp.visit({ office, moves: ['invite'] });
    const etag = await etagOf();
    await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: office });
    expect((await list({}, { 'if-none-match': etag })).status).toBe(304);
  });

  test("the queue's ETag differs by day, filter and office", async () => {
    const tags = await Promise.all([
      etagOf(),
      etagOf({ datetime: '03012026' }),
      etagOf({ includeCancelled: 'false' }),
      etagOf({ includeDoctorCancelled: 'false' }),
    ]);
    const other = await testApp.call(queue.listQueue, { query: {} }, { as: testApp.other });
    expect(new Set([...tags, other.headers.etag]).size).toBe(5);
  });

  test('a correct ETag does not answer a caller who may not see the queue', async () => {
    const etag = await etagOf();
    const headers = { 'if-none-match': etag };
    expect((await testApp.call(queue.listQueue, { query: {} }, { as: null, headers })).status).toBe(401);
    expect((await testApp.call(queue.listQueue, { query: {} }, { as: testApp.other, headers })).status).toBe(200);
  });
});

describe('days are the office’s', () => {
  test('GET queue with a day lists that day’s visits', async () => {
    const visit = await testApp.visit({ office });
    testApp.at('2026-03-03T15:00:00.000Z');
    expect((await list()).body).toEqual([]);
    expect((await list({ datetime: '03022026' })).body.map(({ id }) => id)).toEqual([visit.id]);
  });

  test('GET queue with an empty day lists today’s visits', async () => {
    const visit = await testApp.visit({ office });
    expect((await list({ datetime: '' })).body.map(({ id }) => id)).toEqual([visit.id]);
  });

  test.each(['02302026', '13012026', '00102026', '2026-03-02', '3022026'])(
    'GET queue with the day %j is a 400',
    async (datetime) => void expect((await list({ datetime })).status).toBe(400),
  );

  test('11:59 pm and 12:01 am in New York are two days, though one in UTC', async () => {
    testApp.at('2026-03-03T04:59:00.000Z');
    const late = await testApp.visit({ office });
    expect((await list()).body.map(({ id }) => id)).toEqual([late.id]);
    testApp.at('2026-03-03T05:01:00.000Z');
    const early = await testApp.visit({ office });
    expect((await list()).body.map(({ id }) => id)).toEqual([early.id]);
    expect((await list({ datetime: '03022026' })).body.map(({ id }) => id)).toEqual([late.id]);
  });

  test('an office further west is still on its earlier day', async () => {
    const west = await testApp.office({ timeZone: 'America/Los_Angeles' });
    testApp.at('2026-03-03T05:01:00.000Z');
    const visit = await testApp.visit({ office: west });
    const answer = await testApp.call(queue.listQueue, { query: { datetime: '03022026' } }, { as: west });
    expect(answer.body.map(({ id }) => id)).toEqual([visit.id]);
  });

  test.each([
    ['spring forward', '2026-03-08T04:59:59.999Z', '2026-03-08T05:00:00.000Z', '03082026', '2026-03-09T03:59:59.999Z'],
    ['fall back', '2026-11-01T03:59:59.999Z', '2026-11-01T04:00:00.000Z', '11012026', '2026-11-02T04:59:59.999Z'],
  ])('on the night clocks %s, the day still runs from midnight to midnight', async (_n, before, first, day, last) => {
    testApp.at(before);
    await testApp.visit({ office });
    testApp.at(first);
    const firstOfDay = await testApp.visit({ office });
    testApp.at(last);
    const lastOfDay = await testApp.visit({ office });
    expect((await list()).body.map(({ id }) => id)).toEqual([firstOfDay.id, lastOfDay.id]);
    expect((await list({ datetime: day })).body).toHaveLength(2);
  });
});

test('a change on one day leaves the other days’ ETags unchanged', async () => {
  const monday = await etagOf();
  await testApp.inOffice(office, (tx) => bumpQueue(tx, office.id, '2026-03-01', 'all'));
  expect((await list({}, { 'if-none-match': monday })).status).toBe(304);
});

describe('an answer that the process holds', () => {
  const changes = (as: TestOffice | null, headers: Record<string, string> = {}) =>
    testApp.call(queue.listQueueChanges, { query: { since: 'none' } }, { as, headers });

  test('is sent to each panel with an entry of its own, until the queue changes', async () => {
    const visit = await testApp.visit({ office });
    const first = [await list(), await changes(office)];
    const before = await reads();
    // Not a change that the app makes: it shows whether the rows were read again.
    const rename = (firstName: string) =>
      testApp.inOffice(office, (tx) =>
        tx
          .updateTable('visit')
          .set({ firstName })
          .where('officeId', '=', office.id)
          .where('id', '=', visit.id)
          .execute(),
      );
    await rename('Renamed');
    const second = [await list(), await changes(office)];
    expect(second.map(({ body, headers }) => [body, headers.etag])).toEqual(
      first.map(({ body, headers }) => [body, headers.etag]),
    );
    expect(await reads()).toBe(before + 2);

    await testApp.inOffice(office, (tx) => bumpQueue(tx, office.id, '2026-03-02', [visit.id]));
    const [whole, changed] = [await list(), await changes(office)];
    expect(whole.body[0]?.patientName).toContain('Renamed');
    expect(changed.body.visits).toEqual(whole.body);
  });

  test('is sent to nobody who may not see it', async () => {
    await testApp.visit({ office, firstName: 'CANARY' });
    await list();
    await changes(office);
    const entered = { 'x-office': office.id };
    for (const [as, status] of [
      [null, 401],
      [{ ...office, token: 'x'.repeat(32) }, 401],
      [testApp.other, 404],
    ] as const) {
      const refused = [
        await testApp.call(queue.listQueue, { query: {} }, { as, headers: entered }),
        await changes(as, entered),
      ];
      expect(refused.map((answer) => answer.status)).toEqual([status, status]);
      expect(JSON.stringify(refused)).not.toContain('CANARY');
    }
    await testApp.call(session.signOut, {}, { as: office });
    expect([(await list()).status, (await changes(office)).status]).toEqual([401, 401]);
  });
});
