import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { flagsOf } from '#contract/flags.ts';
import * as office from '#contract/practice/office.ts';
import { listQueue } from '#contract/queue.ts';
import { localPrices } from '#server/providers/card/local-prices.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { flagLayersOf } from './index.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await openTestApp()));
afterAll(() => testApp.close());

const settings = (of: TestOffice, value: Record<string, unknown>) =>
  testApp.owner
    .updateTable('office')
    .set({ settings: JSON.stringify(value) })
    .where('id', '=', of.id)
    .execute();
const ownSettings = (personId: string, value: Record<string, unknown>) =>
  testApp.owner
    .updateTable('auth.person')
    .set({ settings: JSON.stringify(value) })
    .where('id', '=', personId)
    .execute();
const global = (name: string, value: unknown) =>
  testApp.owner
    .insertInto('globalSetting')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((c) => c.column('name').doUpdateSet({ value: JSON.stringify(value) }))
    .execute();

describe('the office record', () => {
  test("GET office finds the caller's office by its current or an earlier NPI", async () => {
    const of = await testApp.office({ name: 'Elm Clinic' });
    await testApp.inOffice(of, (tx) =>
      tx
        .insertInto('officeNpi')
        .values({ officeId: of.id, id: testApp.services.id(), npi: '1999999984', current: false })
        .execute(),
    );
    for (const npi of [of.npi, '1999999984']) {
      const { status, body } = await testApp.call(office.readOfficeByNpi, { params: { npi } }, { as: of });
      expect(status).toBe(200);
      expect(body).toMatchObject({ _id: of.id, npiNumber: of.npi, officeName: 'Elm Clinic', hellosignComplete: true });
      expect(body.sms).toContain(`/c/${of.npi}`);
    }
  });

  test('GET office names the prices that a plan is started with: those of the operator, else of the card provider', async () => {
    const of = await testApp.office();
    const prices = async () => {
      const { body } = await testApp.call(office.readOfficeByNpi, { params: { npi: of.npi } }, { as: of });
      return { pilot: body.pilotPrice, lite: body.litePrice, prime: body.primePrice };
    };
    expect(await prices()).toEqual(localPrices);
    await settings(of, { litePrice: 'price_local_lite_12000' });
    expect(await prices()).toEqual({ ...localPrices, lite: 'price_local_lite_12000' });
  });

  test("GET office answers 404 alike for another office's NPI, an unknown one and a malformed one", async () => {
    const answers = await Promise.all(
      [testApp.other.npi, '1000000004', 'x', "1'or'1"].map((npi) =>
        testApp.call(office.readOfficeByNpi, { params: { npi } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    for (const { body } of answers) expect(body).toEqual(answers[1]?.body);
  });

  test("GET office finds the caller's office by the caller's own address in any spelling, not by anybody else's", async () => {
    const by = async (username: string) =>
      (await testApp.call(office.readOfficeByUsername, { params: { username } })).status;
    expect(await by(`staff-${testApp.maple.npi}@maple.test`)).toBe(200);
    expect(await by(` STAFF-${testApp.maple.npi}@Maple.test`)).toBe(200);
    expect(await by(`staff-${testApp.other.npi}@maple.test`)).toBe(404);
    expect(await by('nobody@maple.test')).toBe(404);
  });

  test('GET NPI is null for somebody without an office', async () => {
    const personId = await testApp.addStaff({ name: 'New Comer', email: 'new@comer.test' }, []);
    const token = await testApp.signIn(personId);
    expect((await testApp.call(office.readOfficeNpi, {}, { as: { token } })).body).toEqual({ npi: null });
    expect((await testApp.call(office.readOfficeNpi)).body).toEqual({ npi: testApp.maple.npi });
    expect((await testApp.call(office.readOfficeNpi, {}, { headers: { 'x-office': testApp.other.id } })).body).toEqual({
      npi: null,
    });
  });

  test('GET office is refused until the agreement is signed', async () => {
    const unsigned = await testApp.office({ signed: false });
    const { status, body } = await testApp.call(
      office.readOfficeByNpi,
      { params: { npi: unsigned.npi } },
      { as: unsigned },
    );
    expect([status, body.code]).toEqual([403, 'agreement_missing']);
  });
});

describe('the user record', () => {
  test('the user record is returned only to its person, by address or number in any spelling', async () => {
    const personId = await testApp.addStaff({ name: 'Ana Ruiz', email: 'ana@elm.test', phone: '+12125550177' }, [
      testApp.maple,
    ]);
    const as = { token: await testApp.signIn(personId) };
    for (const username of ['ana@elm.test', 'ANA@elm.test', '+12125550177', '(212) 555-0177']) {
      const { body } = await testApp.call(office.readUser, { params: { username } }, { as });
      expect(body).toMatchObject({ name: 'Ana Ruiz', relatedNpi: testApp.maple.npi, userType: 'doctor' });
    }
    const { status } = await testApp.call(office.readUser, { params: { username: 'ana@elm.test' } });
    expect(status).toBe(404);
  });

  test("the user record's relatedNpi is the person's first office, whichever one is active", async () => {
    const [first, second] = [await testApp.office(), await testApp.office()];
    const email = `first-${first.npi}@elm.test`;
    const personId = await testApp.addStaff({ name: 'Ana Ruiz', email }, [first, second]);
    const token = await testApp.signIn(personId);
    for (const active of [first, second]) {
      const as = { token, id: active.id, npi: active.npi };
      const headers = { 'x-office': active.id };
      const { body } = await testApp.call(office.readUser, { params: { username: email } }, { as, headers });
      expect(body.relatedNpi).toBe(first.npi);
    }
  });

  test('the user record shows a visible doctor only where that doctor works', async () => {
    const of = await testApp.office();
    const doctor = await testApp.addStaff({ name: 'Dr. Stone', email: `stone-${of.npi}@elm.test` }, [of]);
    await ownSettings(doctor, { delegated: true });
    const seen = async () => {
      const { body } = await testApp.call(
        office.readUser,
        { params: { username: `staff-${of.npi}@maple.test` } },
        { as: of },
      );
      return body.visibleDoctor;
    };
    await ownSettings(of.personId, { visibleDoctor: doctor });
    expect(await seen()).toEqual({ userCode: doctor, name: 'Dr. Stone', settings: { delegated: true } });
    await ownSettings(of.personId, { visibleDoctor: testApp.other.personId });
    expect(await seen()).toBeNull();
  });
});

describe('flags', () => {
  const flags = async (of: TestOffice) => (await testApp.call(office.readConfig, {}, { as: of })).body.flags;

  test('flags are off by default; the nearest layer that sets one wins', async () => {
    const of = await testApp.office();
    const doctor = await testApp.addStaff({ name: 'Dr. Stone', email: `dr-${of.npi}@elm.test` }, [of]);
    expect((await flags(of)).useOldFormsScreen).toBeUndefined();
    await global('useOldFormsScreen', true);
    expect((await flags(of)).useOldFormsScreen).toBe(true);
    await settings(of, { useOldFormsScreen: false });
    expect((await flags(of)).useOldFormsScreen).toBe(false);
    await settings(of, { useOldFormsScreen: false, features: { useOldFormsScreen: true } });
    expect((await flags(of)).useOldFormsScreen).toBe(true);
    await ownSettings(doctor, { useOldFormsScreen: false });
    await ownSettings(of.personId, { visibleDoctor: doctor });
    expect((await flags(of)).useOldFormsScreen).toBe(false);
    await ownSettings(of.personId, { visibleDoctor: doctor, useOldFormsScreen: true });
    expect((await flags(of)).useOldFormsScreen).toBe(true);
    expect((await flags(testApp.maple)).useOldFormsScreen).toBe(true);
  });

  test("flags ignore another office's people", async () => {
    const of = await testApp.office();
    await ownSettings(testApp.other.personId, { disableCheckin: true });
    await ownSettings(of.personId, { visibleDoctor: testApp.other.personId });
    expect((await flags(of)).disableCheckin).toBeUndefined();
    await ownSettings(testApp.other.personId, {});
  });

  test('flags of somebody without an office are their own and the global ones', async () => {
    const personId = await testApp.addStaff({ name: 'New', email: 'newer@comer.test' }, []);
    await ownSettings(personId, { a: true });
    expect(flagsOf(await flagLayersOf(testApp.services, { personId, office: null }))).toMatchObject({ a: true });
  });
});

describe('configuration', () => {
  test('configuration without a session contains only the public part', async () => {
    const { status, body } = await testApp.call(office.readPublicConfig, {}, { as: null });
    expect(status).toBe(200);
    expect(body).toEqual({
      productName: 'Anteroom',
      esign: 'local',
      card: 'local',
      localProviders: ['sms', 'email', 'push', 'google', 'esign', 'card', 'merchant', 'practiceSoftware'],
      payments: true,
      google: true,
      demo: true,
      clearBrowserData: true,
      operatorHasEmail: true,
      secureOrigin: true,
      monthlyFromCents: 9_900,
    });
    expect((await testApp.call(office.readConfig, {}, { as: null })).status).toBe(401);
  });

  test('configuration says when requests to the operator are only stored', async () => {
    const { env } = testApp.services;
    const { operatorEmail } = env;
    onTestFinished(() => void (env.operatorEmail = operatorEmail));
    env.operatorEmail = undefined;
    expect((await testApp.call(office.readPublicConfig, {}, { as: null })).body.operatorHasEmail).toBe(false);
  });

  test('configuration names no price, and does not wait for it, while the card provider does not answer', async () => {
    const { card } = testApp.services.providers;
    const readPrices = card.readPrices.bind(card);
    onTestFinished(() => void (card.readPrices = readPrices));
    card.readPrices = () => new Promise(() => {});
    testApp.later(120);
    expect((await testApp.call(office.readPublicConfig, {}, { as: null })).body.monthlyFromCents).toBeNull();
  });

  test('configuration says when its origin is unsafe for patient data', async () => {
    const asked = { as: null, headers: { host: 'frontdesk.lan' } };
    expect((await testApp.call(office.readPublicConfig, {}, asked)).body.secureOrigin).toBe(false);
  });

  test("configuration contains the office's settings under the older API's names", async () => {
    const of = await testApp.office({ queueSettings: { autoInviteEnabled: true, autoInviteWaitTime: 300 } });
    await settings(of, { adminPanelType: 'sms', features: { globalFormsEnabled: [] } });
    const { body } = await testApp.call(office.readConfig, {}, { as: of });
    expect(body.settings).toMatchObject({
      autoInviteEnabled: true,
      autoInviteWaitTime: 300,
      adminPanelType: 'sms',
    });
    expect(body.features).toMatchObject({ globalFormsEnabled: [] });
  });
});

describe('queue settings', () => {
  const save = (of: TestOffice, change: Partial<office.QueueSettingsChange>) =>
    testApp.call(office.saveQueueSettings, { body: { ...office.queueSettingsDefault, ...change } }, { as: of });
  const queue = async (of: TestOffice, etag?: string) =>
    testApp.call(listQueue, { query: {} }, { as: of, ...(etag && { headers: { 'if-none-match': etag } }) });
  const invites = async (of: TestOffice) => (await queue(of)).body.map(({ autoInviteAt }) => autoInviteAt);

  test('queue settings are stored and returned', async () => {
    const of = await testApp.office();
    expect((await testApp.call(office.readQueueSettings, {}, { as: of })).body).toEqual(office.queueSettingsDefault);
    const wanted: office.QueueSettings = {
      autoInviteEnabled: false,
      autoInviteWaitTime: 1200,
      lateMinutes: { WAITING: 5, INVITED: 6, GOING: 7 },
      openingHours: [null, ...Array.from({ length: 6 }, () => ({ open: '08:00', close: '24:00' }))],
      greeting: { en: 'Hello <b>', es: '¡Hola! 👋' },
    };
    expect((await save(of, wanted)).body).toEqual(wanted);
    expect((await testApp.call(office.readQueueSettings, {}, { as: of })).body).toEqual(wanted);
  });

  test("switching auto-invite on sets everyone's time from their arrival, never in the past", async () => {
    const of = await testApp.office();
    testApp.at('2026-03-02T15:00:00Z');
    await testApp.visit({ office: of });
    testApp.at('2026-03-02T15:25:00Z');
    await testApp.visit({ office: of });
    const invited = await testApp.visit({ office: of, moves: ['invite'] });
    testApp.at('2026-03-02T15:30:00Z');
    await save(of, { autoInviteEnabled: true, autoInviteWaitTime: 600, autoInviteFrom: 'waiting' });
    expect(await invites(of)).toEqual(['2026-03-02T15:30:00.000Z', '2026-03-02T15:35:00.000Z', null]);
    expect(invited.statusCode).toBe('INVITED');

    await save(of, { autoInviteEnabled: true, autoInviteWaitTime: 3600 });
    expect(await invites(of)).toEqual(['2026-03-02T16:00:00.000Z', '2026-03-02T16:25:00.000Z', null]);
    await save(of, { autoInviteEnabled: false, autoInviteWaitTime: 3600 });
    expect(await invites(of)).toEqual([null, null, null]);
  });

  test('a new auto-invite rule asks before it texts patients who have waited too long, and changes nothing', async () => {
    const of = await testApp.office();
    testApp.at('2026-03-02T15:00:00Z');
    await testApp.visit({ office: of });
    testApp.at('2026-03-02T15:25:00Z');
    await testApp.visit({ office: of });
    await testApp.visit({ office: testApp.other });
    testApp.at('2026-03-02T15:30:00Z');
    const rule = { autoInviteEnabled: true, autoInviteWaitTime: 600 };
    const refused = await save(of, rule);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'auto_invite_undecided', current: { patients: 1 } },
    ]);
    expect((await testApp.call(office.readQueueSettings, {}, { as: of })).body.autoInviteEnabled).toBe(false);
    expect(await invites(of)).toEqual([null, null]);

    expect((await save(of, { ...rule, autoInviteWaitTime: 3600 })).status).toBe(200);
    expect(await invites(of)).toEqual(['2026-03-02T16:00:00.000Z', '2026-03-02T16:25:00.000Z']);
  });

  test('a rule that starts with new arrivals leaves waiting patients as they are', async () => {
    const of = await testApp.office();
    testApp.at('2026-03-02T15:00:00Z');
    await testApp.visit({ office: of });
    testApp.at('2026-03-02T15:30:00Z');
    const rule = { autoInviteEnabled: true, autoInviteWaitTime: 600 };
    const { body } = await save(of, { ...rule, autoInviteFrom: 'new-arrivals' });
    expect(body).toEqual({ ...office.queueSettingsDefault, ...rule });
    await testApp.visit({ office: of });
    expect(await invites(of)).toEqual([null, '2026-03-02T15:40:00.000Z']);
    await save(of, { ...rule, autoInviteWaitTime: 300, autoInviteFrom: 'new-arrivals' });
    expect(await invites(of)).toEqual([null, '2026-03-02T15:40:00.000Z']);
    await save(of, { ...rule, autoInviteEnabled: false });
    expect(await invites(of)).toEqual([null, null]);
  });

  test('closed days are kept by a save without them, sorted, and dropped once they are over', async () => {
    const of = await testApp.office();
    const day = (text: string) => ({ day: text, name: 'Holiday' });
    const { body } = await save(of, { closedDays: [day('2027-01-01'), day('2026-12-25'), day('2026-03-01')] });
    expect(body.closedDays).toEqual([day('2026-12-25'), day('2027-01-01')]);
    expect((await save(of, { greeting: { en: 'Hi', es: '' } })).body.closedDays).toHaveLength(2);
    testApp.at('2026-12-26T15:00:00Z');
    expect((await save(of, { greeting: { en: 'Hello', es: '' } })).body.closedDays).toEqual([day('2027-01-01')]);
    expect((await save(of, { closedDays: [] })).body.closedDays).toEqual([]);
    testApp.at('2026-03-02T15:00:00Z');
  });

  test("changing the greeting does not change waiting patients' auto-invite times", async () => {
    const of = await testApp.office({ queueSettings: { autoInviteEnabled: true, autoInviteWaitTime: 600 } });
    testApp.at('2026-03-02T15:00:00Z');
    await testApp.visit({ office: of });
    testApp.at('2026-03-02T15:30:00Z');
    await save(of, { autoInviteEnabled: true, autoInviteWaitTime: 600, greeting: { en: 'Hi', es: 'Hola' } });
    expect(await invites(of)).toEqual(['2026-03-02T15:10:00.000Z']);
  });

  test('changed queue settings notify an open panel; unchanged ones do not', async () => {
    const of = await testApp.office();
    const etag = String((await queue(of)).headers.etag);
    await save(of, {});
    expect((await queue(of, etag)).status).toBe(304);
    await save(of, { autoInviteEnabled: true });
    expect((await queue(of, etag)).status).toBe(200);
    const entries = await testApp.inOffice(of, (tx) =>
      tx.selectFrom('auditEntry').selectAll().where('action', '=', 'settings.change').execute(),
    );
    expect(entries).toMatchObject([
      { actorId: of.personId, subject: 'queue', details: { changed: 'autoInviteEnabled', visits: 0 } },
    ]);
  });

  test("queue settings do not change another office's auto-invite times", async () => {
    const of = await testApp.office();
    const visit = await testApp.visit({ office: testApp.other });
    await save(of, { autoInviteEnabled: true, autoInviteWaitTime: 60 });
    const theirs = (await queue(testApp.other)).body.find(({ id }) => id === visit.id);
    expect(theirs?.autoInviteAt).toBeNull();
  });

  test.each<[string, unknown]>([
    ['hours that end before they begin', { openingHours: [{ open: '17:00', close: '08:00' }, ...Array(6).fill(null)] }],
    [
      'a break after closing',
      {
        openingHours: [
          { open: '08:00', close: '12:00', break: { from: '12:00', to: '13:00' } },
          ...Array(6).fill(null),
        ],
      },
    ],
    ['a closed day that does not exist', { closedDays: [{ day: '2026-02-30', name: '' }] }],
    ['a closed day twice', { closedDays: Array(2).fill({ day: '2026-12-25', name: '' }) }],
    ['a week of six days', { openingHours: Array(6).fill(null) }],
    ['25 o’clock', { openingHours: [{ open: '08:00', close: '25:00' }, ...Array(6).fill(null)] }],
    ['a negative wait', { autoInviteWaitTime: -1 }],
    ['no late mark at all', { lateMinutes: { WAITING: 0, INVITED: 1, GOING: 1 } }],
    ['a greeting of a page', { greeting: { en: 'x'.repeat(301), es: '' } }],
    ['half a second', { autoInviteWaitTime: 0.5 }],
    ['a NUL', { greeting: { en: 'a\0b', es: '' } }],
  ])('queue settings refuse %s', async (_what, change) => {
    const { status, body } = await save(testApp.maple, change as Partial<office.QueueSettings>);
    expect([status, body.code]).toEqual([400, 'invalid_input']);
  });
});

test('the poster has the URL of this office’s check-in page, and needs a session', async () => {
  const { body } = await testApp.call(office.readPoster);
  expect(body).toMatchObject({
    officeName: 'Maple Street Pediatrics',
    url: `http://localhost:3000/c/${testApp.maple.npi}`,
  });
  expect(body.qrSvg).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"[^>]*>.*<\/svg>\s*$/s);
  expect((await testApp.call(office.readPoster, {}, { as: null })).status).toBe(401);
});
