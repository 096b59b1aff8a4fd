import { afterAll, describe, expect, test } from 'vitest';
import { verifyOffice } from '#server/features/audit/index.ts';
import { fewestSurveysOfMedian } from '#contract/ambulatory/shapes.ts';
import { medianPain } from '#server/features/ambulatory/survey-sql.ts';
import type { Finding } from '#server/features/audit/verify-chain.ts';
import { loadBuiltInForms } from '#server/features/forms/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { paymentIdentity } from '#server/features/merchant/index.ts';
import { officeRow } from '#server/office-row.ts';
import { chainAllOffices } from '#server/features/audit/chain-entries.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { clearDemo, continueDemo, msToNextDay, seedDemo } from './demo.ts';
import { demoOffices } from './offices.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

test('two processes that start at once seed each demo office, its staff and its morning once', async () => {
  const second = await openTestApp({ beside: testApp });
  await Promise.all([testApp, second].map((h) => seedDemo(h.services, testApp.url, { bigQueue: false })));
  await second.close();
  const people = await testApp.owner
    .selectFrom('auth.identity')
    .select('value')
    .where('value', 'like', '%@%')
    .execute();
  const emails = demoOffices.flatMap(({ staff }) => staff.flatMap(({ email }) => email ?? []));
  expect(people.map(({ value }) => value).filter((value) => emails.includes(value))).toHaveLength(emails.length);
  for (const { office } of demoOffices) {
    const { rows } = await testApp.services.pool.query<{ id: string }>('select door_office_by_npi($1) as id', [
      office.npi,
    ]);
    const visits = await testApp.inOffice({ ...testApp.maple, id: rows[0]?.id ?? '' }, (tx) =>
      tx.selectFrom('visit').select('phone').execute(),
    );
    expect(visits.length).toBe({ '1234567893': 15, '2000000010': 12, '2000000028': 6 }[office.npi] ?? 4);
  }
});

test('each demo office has threads of its own: answered, unanswered, failed and with STOP, in English and Spanish', async () => {
  const bodies = new Set<string>();
  let messages = 0;
  for (const { office } of demoOffices) {
    const { rows } = await testApp.services.pool.query<{ id: string }>('select door_office_by_npi($1) as id', [
      office.npi,
    ]);
    const officeId = rows[0]?.id ?? '';
    const threads = await testApp.inOffice({ ...testApp.maple, id: officeId }, (tx) =>
      tx
        .selectFrom('conversation as c')
        .innerJoin('message as m', (join) =>
          join.onRef('m.officeId', '=', 'c.officeId').onRef('m.conversationId', '=', 'c.id'),
        )
        .innerJoin('patient as p', (join) =>
          join.onRef('p.officeId', '=', 'c.officeId').onRef('p.id', '=', 'c.patientId'),
        )
        .leftJoin('text as t', (join) => join.onRef('t.officeId', '=', 'm.officeId').onRef('t.id', '=', 'm.textId'))
        .select([
          'c.phone',
          'c.unread',
          'c.unanswered',
          'c.failed',
          'p.language',
          'm.body',
          'm.sender',
          'm.keyword',
          'm.at',
          't.state',
        ])
        .where('c.officeId', '=', officeId)
        .where('c.phone', 'like', '%555019_')
        .orderBy('m.at')
        .execute(),
    );
    const numbers = (which: (row: (typeof threads)[number]) => boolean) =>
      new Set(threads.filter(which).map(({ phone }) => phone)).size;
    expect(numbers((row) => row.sender === 'doctor' && row.state === 'delivered' && !row.unanswered)).toBeGreaterThan(
      0,
    );
    expect(numbers((row) => row.unanswered)).toBe(1);
    expect(numbers((row) => row.unread > 0)).toBe(1);
    expect(numbers((row) => row.failed && row.state === 'failed')).toBe(1);
    expect(numbers((row) => row.language === 'es')).toBe(1);
    const stopped = threads.filter(({ keyword }) => keyword === 'stop').map(({ phone }) => phone ?? '');
    const optOuts = await testApp.inOffice({ ...testApp.maple, id: officeId }, (tx) =>
      tx.selectFrom('optOut').select('phone').where('officeId', '=', officeId).execute(),
    );
    expect(optOuts.map(({ phone }) => phone)).toEqual(stopped);
    expect(threads.filter(({ sender }) => sender === 'bot').map(({ phone }) => phone)).toEqual(stopped);
    expect(
      threads.every(({ at }) => at <= testApp.now() && testApp.now().getTime() - at.getTime() < 3 * 3_600_000),
    ).toBe(true);
    for (const { body } of threads) bodies.add(body);
    messages += threads.length;
  }
  // The word STOP is in all four.
  expect(bodies.size).toBe(messages - demoOffices.length + 1);
  const counted = await testApp.owner.selectFrom('rateLimit').selectAll().execute();
  expect(JSON.stringify(counted)).not.toMatch(/\+1\d{3}555019\d/);
});

test('Maple takes card payments, and a second start changes nothing about it', async () => {
  await seedDemo(testApp.services, testApp.url, { bigQueue: false });
  const { rows } = await testApp.services.pool.query<{ id: string }>("select door_office_by_npi('1234567893') as id");
  const id = rows[0]?.id ?? '';
  const identity = await asOffice(testApp.services.db, id, (tx) => paymentIdentity(tx, id));
  expect(identity).toMatchObject({ provider: 'local', identityId: expect.stringMatching(/^ID/) });
  const { finixIdentity } = await asOffice(testApp.services.db, id, (tx) => officeRow(tx, id));
  expect(finixIdentity).toBe(identity?.identityId);
});

test('an interrupted first seeding is finished by the next start', async () => {
  await testApp.owner
    .deleteFrom('auth.person')
    .where('name', '=', 'Dana Whitlock')
    .where('language', 'is', null)
    .execute();
  await seedDemo(testApp.services, testApp.url, { bigQueue: false });
  const back = await testApp.owner
    .selectFrom('auth.identity')
    .select('id')
    .where('value', '=', 'front@maple.test')
    .execute();
  expect(back).toHaveLength(1);
});

test.each([
  ['2026-03-03T04:59:30.000Z', 31_000],
  ['2026-03-03T05:00:00.000Z', 2 * 3_600_000 + 1_000],
  ['2026-03-03T07:30:00.000Z', 21.5 * 3_600_000 + 1_000],
])('the demo at %s waits for the next midnight of one of its offices', (now, ms) => {
  expect(msToNextDay(new Date(now))).toBe(ms);
});

test('a reset clears used-up rate limits', async () => {
  const once = { name: 'test', points: 1, seconds: 3600 };
  await testApp.services.limits.take(once, 'visitor');
  await expect(testApp.services.limits.take(once, 'visitor')).rejects.toMatchObject({ code: 'too_many_tries' });
  await clearDemo(testApp.url, testApp.env.dataDir);
  await testApp.services.limits.take(once, 'visitor');
});

describe('the audit log of the demo', () => {
  const demoOfficeIds = async () => {
    const ids: string[] = [];
    for (const { office } of demoOffices) {
      const { rows } = await testApp.services.pool.query<{ id: string }>('select door_office_by_npi($1) as id', [
        office.npi,
      ]);
      if (rows[0]) ids.push(rows[0].id);
    }
    return ids;
  };
  const findings = async () => {
    const found: Finding[] = [];
    for (const id of await demoOfficeIds()) {
      const verdict = await verifyOffice(testApp.services, id);
      expect(verdict.chained).toBeGreaterThan(0);
      found.push(...verdict.findings);
    }
    return found;
  };
  /** Adds an audit entry for each office and chains it. The job runs every minute, and first when the process starts. */
  const chainEntries = async () => {
    for (const id of await demoOfficeIds()) {
      const scope = officeScope(testApp.services, id, { kind: 'operator', id: null, name: null }, 'test');
      await scope.transaction((tx) => writeAuditEntry(tx, scope, { action: 'audit.verify' }));
    }
    await chainAllOffices(testApp.services);
  };
  /** Three minutes of the demo: each fills forms, which are real PDFs. */
  const liveOn = async () => {
    await chainEntries();
    for (let minute = 1; minute <= 3; minute++) {
      testApp.later(1);
      await continueDemo(testApp.services);
      await chainEntries();
    }
  };

  // Signs three agreements and fills a morning's forms: real PDFs, slow on a busy machine.
  test(
    "the demo's audit log verifies after a start at noon, a night in which the machine slept, and a reset",
    { timeout: 240_000 },
    async () => {
      await loadBuiltInForms(testApp.services);
      testApp.at('2026-03-03T17:00:00.000Z');
      await seedDemo(testApp.services, testApp.url, { bigQueue: false });
      await chainAllOffices(testApp.services);
      expect(await findings()).toEqual([]);
      await liveOn();
      expect(await findings()).toEqual([]);
      expect((await testApp.owner.selectFrom('formSubmission').select('id').execute()).length).toBeGreaterThan(0);

      testApp.at('2026-03-04T20:30:00.000Z');
      // Somebody who checks in before the new day is seeded does not take its morning away.
      const [mapleId = ''] = await demoOfficeIds();
      const maple = { ...testApp.maple, id: mapleId };
      await testApp.visit({ office: maple, phone: '+17185550199' });
      await liveOn();
      const visits = await testApp.inOffice(maple, (tx) =>
        tx.selectFrom('visit').select('phone').where('day', '=', '2026-03-04').execute(),
      );
      expect(visits).toHaveLength(16);
      expect(await findings()).toEqual([]);

      await clearDemo(testApp.url, testApp.env.dataDir);
      await seedDemo(testApp.services, testApp.url, { bigQueue: false });
      await liveOn();
      expect(await findings()).toEqual([]);
    },
  );

  test('Summit has fourteen patients on different days, two of whom wait for a call, and the surveys go on', async () => {
    const [, , , id = ''] = await demoOfficeIds();
    const { episodes, callbacks, drafts, medians } = await testApp.inOffice({ ...testApp.maple, id }, async (tx) => ({
      episodes: await tx.selectFrom('episode').select(['state', 'heldOn', 'nextAt']).execute(),
      callbacks: await tx.selectFrom('nurseCallback').select(['state', 'reasons']).execute(),
      drafts: await tx
        .selectFrom('survey')
        .select('id')
        .where('savedAt', 'is not', null)
        .where('submittedAt', 'is', null)
        .execute(),
      medians: await medianPain(tx, id, new Date(0)),
    }));
    const active = episodes.filter(({ state }) => state === 'active');
    expect([active.length, episodes.length]).toEqual([14, 16]);
    expect(new Set(active.map(({ heldOn }) => heldOn)).size).toBe(11);
    expect(active.every(({ nextAt }) => nextAt !== null)).toBe(true);
    expect(drafts).toEqual([]);
    const reasons = callbacks.map(({ state, reasons }) => `${state}: ${reasons.map(({ code }) => code).join(' ')}`);
    expect(reasons.sort()).toEqual(['open: asked', 'open: score rise red-flag']);
    const shown = medians.filter(({ surveys }) => surveys >= fewestSurveysOfMedian);
    expect(shown.map(({ day }) => day)).toEqual([1, 2, 3, 7]);
  });

  test("verifying the demo's audit log finds a backdated entry", async () => {
    const [officeId = ''] = await demoOfficeIds();
    const dated = new Date(testApp.now().getTime() - 30 * 60_000);
    await asOffice(testApp.services.db, officeId, (tx) =>
      tx.insertInto('auditEntry').values({ officeId, at: dated, actor: 'staff', action: 'visit.move' }).execute(),
    );
    expect(await findings()).toMatchObject([{ what: 'inserted' }]);
    await chainAllOffices(testApp.services);
    expect(await findings()).toMatchObject([{ what: 'inserted' }]);
  });
});
