import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuditAction } from '#contract/audit-actions.ts';
import { exportAudit, listAudit, listAuditPeople } from '#contract/audit.ts';
import { readQueueSettings, saveQueueSettings, queueSettingsDefault } from '#contract/practice/office.ts';
import { readPatient, searchPatients } from '#contract/directory.ts';
import { messagePatient, moveVisit, readVisit } from '#contract/queue.ts';
import { openServices as openAnotherProcess } from '#server/open-app.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { arrivalAnswers, requestForms, openVisitPhone } from '#testing/fixtures/forms.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { forgetHeads, officesWithHeads } from './index.ts';
import { chainAllOffices, chainOffice } from './chain-entries.ts';
import { verifyOffice } from './verify-chain.ts';

let testApp: TestApp;
let of: TestOffice;
beforeAll(async () => void (testApp = await openTestApp()));
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  of = await testApp.office();
});

const read = (query: Record<string, string> = {}, as: TestOffice = of) => testApp.call(listAudit, { query }, { as });

/** `count` entries of the office, a minute apart. */
async function entries(count: number, action: AuditAction = 'queue.read'): Promise<void> {
  for (let i = 0; i < count; i++) {
    testApp.later(1);
    const scope = testApp.scopeOf(of);
    await scope.transaction((tx) =>
      writeAuditEntry(tx, scope, { action, subject: String(i), details: { i, note: `n${i}` } }),
    );
  }
}

describe('the office reads its audit log', () => {
  test('entries show who did what to whom, newest first, with current names', async () => {
    const visit = await testApp.visit({ office: of, firstName: 'Grace', lastName: 'Hopper' });
    await testApp.call(readVisit, { params: { visitId: visit.id } }, { as: of });
    await testApp.call(moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: of });
    const { body } = await read();
    expect(body.entries).toMatchObject([
      {
        action: 'visit.move',
        actor: 'staff',
        actorName: 'Dana Whitlock',
        patientName: 'Grace Hopper',
        details: { move: 'invite', from: 'WAITING', to: 'INVITED' },
        outcome: 'done',
        sealed: false,
      },
      { action: 'visit.read', actorName: 'Dana Whitlock', subject: visit.id },
      { action: 'visit.arrive', actor: 'patient', actorName: null, patientName: 'Grace Hopper' },
    ]);
    expect(body.next).toBeNull();
    expect(body.sealedUntil).toBeNull();
  });

  test('an entry about a form names its patient and is found by the visit', async () => {
    const { arrival: definitionId = '' } = await requestForms(testApp, of);
    const visit = await testApp.visit({ office: of, firstName: 'Grace', lastName: 'Hopper' });
    const phone = openVisitPhone(testApp, visit.token);
    const memberId = await phone.first();
    await phone.save(memberId, { definitionId, answers: arrivalAnswers });
    await phone.submit(memberId, 1);
    const { entries: found } = (await read({ visit: visit.id })).body;
    const named = Object.fromEntries(found.map(({ action, patientName }) => [action, patientName]));
    expect(named).toMatchObject({ 'form.begin': 'Grace Hopper', 'form.submit': 'Grace Hopper' });
    const other = await testApp.visit({ office: of });
    expect((await read({ visit: other.id })).body.entries.map(({ action }) => action)).toEqual(['visit.arrive']);
  });

  test('reading the audit log is audited too', async () => {
    await read();
    expect((await read()).body.entries).toMatchObject([{ action: 'audit.read', actorName: 'Dana Whitlock' }]);
  });

  test('a refusal is in the audit log with its reason', async () => {
    const visit = await testApp.visit({ office: of, moves: ['invite'] });
    await testApp.call(moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: of });
    expect((await read({ action: 'visit.move' })).body.entries[0]).toMatchObject({ outcome: 'visit_moved_on' });
  });

  test('pages neither repeat nor lose an entry', async () => {
    await entries(123);
    const seen: string[] = [];
    let before: string | null = null;
    const sizes: number[] = [];
    do {
      const page: Awaited<ReturnType<typeof read>> = await read({ action: 'queue.read', ...(before && { before }) });
      sizes.push(page.body.entries.length);
      seen.push(...page.body.entries.map(({ subject }) => subject ?? ''));
      before = page.body.next;
    } while (before);
    expect(sizes).toEqual([50, 50, 23]);
    expect(seen).toEqual(Array.from({ length: 123 }, (_, i) => String(122 - i)));
  });

  test('entries are filtered by action, kind of action, visit, and days of the office’s time zone', async () => {
    const visit = await testApp.visit({ office: of });
    await testApp.visit({ office: of });
    testApp.at('2026-03-03T04:30:00.000Z');
    await testApp.call(readVisit, { params: { visitId: visit.id } }, { as: of });
    testApp.at('2026-03-03T05:30:00.000Z');
    await testApp.call(saveQueueSettings, { body: { ...queueSettingsDefault, autoInviteWaitTime: 60 } }, { as: of });
    const actions = async (query: Record<string, string>) =>
      (await read(query)).body.entries.map(({ action }) => action).filter((action) => action !== 'audit.read');
    expect(await actions({ action: 'visit.read' })).toEqual(['visit.read']);
    expect(await actions({ action: 'visit' })).toEqual(['visit.read', 'visit.arrive', 'visit.arrive']);
    expect(await actions({ action: 'vis' })).toEqual([]);
    expect(await actions({ visit: visit.id })).toEqual(['visit.read', 'visit.arrive']);
    expect(await actions({ from: '2026-03-03' })).toEqual(['settings.change']);
    expect(await actions({ to: '2026-03-02' })).toEqual(['visit.read', 'visit.arrive', 'visit.arrive']);
    expect(await actions({ from: '2026-03-04', to: '2026-03-02' })).toEqual([]);
  });

  test('entries are filtered by person; former colleagues with entries are offered after colleagues', async () => {
    const visit = await testApp.visit({ office: of });
    const personId = await testApp.addStaff({ name: 'Luis Ortega', email: 'luis@ortega.test' }, [of]);
    const luis = { ...of, personId, token: await testApp.signIn(personId) };
    await testApp.call(readVisit, { params: { visitId: visit.id } }, { as: of });
    await testApp.call(readVisit, { params: { visitId: visit.id } }, { as: luis });
    const byLuis = (await read({ person: luis.personId })).body.entries;
    expect(byLuis.map(({ action, actorName }) => [action, actorName])).toEqual([['visit.read', 'Luis Ortega']]);
    const people = () => testApp.call(listAuditPeople, {}, { as: of }).then(({ body }) => body.people);
    expect(await people()).toEqual([
      { id: of.personId, name: 'Dana Whitlock', isColleague: true },
      { id: luis.personId, name: 'Luis Ortega', isColleague: true },
    ]);
    await testApp.inOffice(of, (tx) =>
      tx.deleteFrom('membership').where('officeId', '=', of.id).where('personId', '=', luis.personId).execute(),
    );
    expect(await people()).toMatchObject([{ isColleague: true }, { name: 'Luis Ortega', isColleague: false }]);
    expect((await read({ person: luis.personId })).body.entries).toHaveLength(1);
  });

  test('entries about a patient cover visits, forms, messages and the patient list', async () => {
    // Not one of the numbers that visits without a number get.
    const phone = '+12125559177';
    const { arrival: definitionId = '' } = await requestForms(testApp, of);
    const visit = await testApp.visit({ office: of, firstName: 'Grace', lastName: 'Hopper', phone });
    await testApp.visit({ office: of, firstName: 'Ada', lastName: 'Lovelace' });
    const form = openVisitPhone(testApp, visit.token);
    const memberId = await form.first();
    await form.save(memberId, { definitionId, answers: arrivalAnswers });
    await form.submit(memberId, 1);
    const { body: found } = await testApp.call(searchPatients, { body: { search: 'Hopper' } }, { as: of });
    const patientId = found.patients[0]?.id ?? '';
    const { body: file } = await testApp.call(readPatient, { params: { patientId } }, { as: of });
    await testApp.call(
      messagePatient,
      { params: { userCode: visit.patientUserCode }, body: { body: 'Soon' } },
      { as: of },
    );
    expect(file.patient.name).toBe('Grace Hopper');
    const { body } = await read({ patient: patientId });
    expect(body.filteredPatient).toBe('Grace Hopper');
    expect(new Set(body.entries.map(({ patientName }) => patientName))).toEqual(new Set(['Grace Hopper']));
    expect(body.entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['message.send', 'patient.read', 'form.submit', 'form.begin', 'visit.arrive']),
    );
    expect((await read({ action: 'audit' })).body.entries[0]).toMatchObject({ subject: patientId });
  });

  test("another office's patient and person find nothing, and their name stays unknown", async () => {
    const theirs = await testApp.visit({ office: testApp.other, firstName: 'CANARY', lastName: 'Bird' });
    const { patientId } = await testApp.inOffice(testApp.other, (tx) =>
      tx.selectFrom('visit').select('patientId').where('id', '=', theirs.id).executeTakeFirstOrThrow(),
    );
    await testApp.call(readVisit, { params: { visitId: theirs.id } }, { as: testApp.other });
    expect((await read({ patient: patientId })).body).toMatchObject({ entries: [], filteredPatient: null });
    expect((await read({ person: testApp.other.personId })).body.entries).toEqual([]);
    const { body } = await testApp.call(exportAudit, { body: { patient: patientId } }, { as: of });
    expect(body).toEqual({ entries: [], next: null });
    const people = await testApp.call(listAuditPeople, {}, { as: of });
    expect(people.body.people.map(({ id }) => id)).toEqual([of.personId]);
  });

  test('an export comes in large pages, each of them audited, and has a limit per hour', async () => {
    await testApp.inOffice(of, (tx) =>
      sql`insert into audit_entry (office_id, at, actor, action) select ${of.id}, ${testApp.now()}, 'timer', 'queue.read' from generate_series(1, 2100) returning 1`.execute(
        tx,
      ),
    );
    const download = (before?: string | null) =>
      testApp.call(exportAudit, { body: { action: 'queue.read', ...(before && { before }) } }, { as: of });
    const first = await download();
    expect([first.body.entries.length, first.body.next]).toEqual([2000, first.body.entries.at(-1)?.id]);
    const last = await download(first.body.next);
    expect([last.body.entries.length, last.body.next]).toEqual([100, null]);
    expect((await read({ action: 'audit' })).body.entries).toMatchObject([
      { action: 'audit.download', actorName: 'Dana Whitlock', details: { entries: 100 } },
      { action: 'audit.download', details: { entries: 2000 } },
    ]);
    const statuses = await Promise.all(Array.from({ length: 40 }, () => download().then(({ status }) => status)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  test("an office does not see another office's entries", async () => {
    await testApp.visit({ office: testApp.other, firstName: 'CANARY', lastName: 'Bird' });
    const visit = await testApp.visit({ office: testApp.other });
    expect((await read({ visit: visit.id })).body.entries).toEqual([]);
    expect(JSON.stringify((await read()).body)).not.toContain('CANARY');
    expect((await testApp.call(listAudit, { query: {} }, { as: null })).status).toBe(401);
  });

  test.each(['x', '-1', '99999999999999999999', "1' or '1"])(
    'a page that cannot be (%s) is refused',
    async (before) => {
      expect((await read({ before })).status).toBe(400);
    },
  );
  test.each([{ from: '2026-02-30' }, { to: 'today' }, { visit: '1' }, { action: '%' }])(
    '%o is refused',
    async (query) => {
      expect((await read(query as unknown as Record<string, string>)).status).toBe(400);
    },
  );

  test('reading settings discloses no patient and is not audited', async () => {
    await testApp.call(readQueueSettings, {}, { as: of });
    expect((await read()).body.entries).toEqual([]);
  });
});

describe('the chain of the audit log', () => {
  const verify = () => verifyOffice(testApp.services, of.id);

  test('before the first chaining run nothing is protected, and the log says so', async () => {
    await entries(3);
    expect(await verify()).toMatchObject({ chained: 0, heads: 0, lastHead: null, unchained: 3, findings: [] });
  });

  test('chaining adds new entries, and later ones are shown as unprotected', async () => {
    await entries(5);
    expect(await chainOffice(testApp.services, of.id)).toBe(5);
    await entries(2);
    expect(await verify()).toMatchObject({ chained: 5, heads: 1, lastHead: { place: 5 }, unchained: 2, findings: [] });
    expect(await chainOffice(testApp.services, of.id)).toBe(2);
    expect(await chainOffice(testApp.services, of.id)).toBe(0);
    expect(await verify()).toMatchObject({ chained: 7, heads: 2, lastHead: { place: 7 }, unchained: 0, findings: [] });
    const { body } = await read();
    expect(body.entries.every(({ sealed }) => sealed)).toBe(true);
    expect(body.sealedUntil).toBe('2026-03-02T15:07:00.000Z');
  });

  test('an entry that commits after a younger one is chained too', async () => {
    await entries(2);
    const early = testApp.scopeOf(of);
    let written: () => void = () => undefined;
    let finish: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    const slow = early.transaction(async (tx) => {
      await writeAuditEntry(tx, early, { action: 'visit.read' });
      written();
      await mayFinish;
    });
    await isWritten;
    await entries(2);
    await chainOffice(testApp.services, of.id);
    finish();
    await slow;
    testApp.later(1);
    expect(await chainOffice(testApp.services, of.id)).toBe(1);
    testApp.later(180);
    await entries(1);
    await chainOffice(testApp.services, of.id);
    testApp.later(180);
    await entries(1);
    await chainOffice(testApp.services, of.id);
    expect(await verify()).toMatchObject({ chained: 7, unchained: 0, findings: [] });
  });

  test('two processes chaining in parallel do not fork the chain', async () => {
    const second = openAnotherProcess(testApp.env, appUrlOf(testApp.url), testApp.app.log, testApp.now);
    try {
      for (let round = 0; round < 10; round++) {
        await entries(3);
        const both = [testApp.services, second, testApp.services, second];
        await Promise.all(both.map((process) => chainAllOffices(process)));
      }
      expect(await verify()).toMatchObject({ chained: 30, unchained: 0, findings: [] });
    } finally {
      await second.live.close();
      await second.db.destroy();
    }
  });

  test('a head torn by a power cut is counted, and the next head starts a new line', async () => {
    await entries(2);
    await chainOffice(testApp.services, of.id);
    await appendFile(await headFile(), '{"office":"half a li');
    await entries(1);
    await chainOffice(testApp.services, of.id);
    expect(await verify()).toMatchObject({ heads: 2, damagedHeads: 1, lastHead: { place: 3 }, findings: [] });
  });

  test('the app role can only append to the audit log', async () => {
    await entries(1);
    await chainOffice(testApp.services, of.id);
    for (const [table, column] of [
      ['audit_entry', 'action'],
      ['audit_seal', 'hmac'],
    ])
      for (const statement of [`update ${table} set ${column} = null`, `delete from ${table}`, `truncate ${table}`])
        await expect(testApp.inOffice(of, (tx) => sql.raw(statement).execute(tx))).rejects.toThrow(/permission denied/);
  });

  async function headFile(): Promise<string> {
    const dir = join(testApp.env.dataDir, 'audit/heads', of.id);
    return join(dir, (await readdir(dir))[0] as string);
  }
});

describe('verification finds tampering with SQL by the tables’ owner', () => {
  /** Ten chained entries, and five more chained three hours later. */
  beforeEach(async () => {
    await entries(10);
    await chainOffice(testApp.services, of.id);
    testApp.later(180);
    await entries(5);
    await chainOffice(testApp.services, of.id);
    expect(await found()).toEqual([]);
  });
  const found = async () =>
    (await verifyOffice(testApp.services, of.id)).findings.map(({ what, position }) => `${what} ${position}`);
  const attack = (work: (tx: Tx) => Promise<unknown>) => asOffice(testApp.owner, of.id, work);
  const id = sql.raw.bind(sql);
  const mine = () => id(`office_id = '${of.id}'`);
  /** The entry at a position in the chain. */
  const at = (place: number) => id(`(select entry_id from audit_seal where office_id = '${of.id}' and id = ${place})`);

  test.each([
    ['who', "actor_id = '01890000-0000-7000-8000-000000000000'"],
    ['nobody instead of somebody', 'actor_id = null'],
    ['when', "at = (at at time zone 'UTC' + interval '1 ms') at time zone 'UTC'"],
    ['what', "action = 'queue.reads'"],
    ['to whom', "subject = ''"],
    ['how it ended', "outcome = 'refused'"],
    ['a detail', `details = '{"i": 4, "note": "n5"}'`],
    ['no details', 'details = null'],
    ['which request', "request_id = 'other'"],
    ['by whom', "actor = 'house'"],
  ])('verification finds an edit of %s', async (_what, change) => {
    await attack((tx) => sql`update audit_entry set ${id(change)} where id = ${at(4)}`.execute(tx));
    expect(await found()).toEqual(['changed 4']);
  });

  test('verification finds a deleted entry', async () => {
    await attack((tx) => sql`delete from audit_entry where id = ${at(4)}`.execute(tx));
    expect(await found()).toEqual(['deleted 4']);
  });

  test('verification finds an entry deleted with its chain link', async () => {
    await attack(async (tx) => {
      await sql`delete from audit_entry where id = ${at(4)}`.execute(tx);
      await sql`delete from audit_seal where ${mine()} and id = 4`.execute(tx);
    });
    expect(await found()).toEqual(['deleted 4', 'changed 5']);
  });

  test('verification finds a deleted entry whose gap was closed', async () => {
    await attack(async (tx) => {
      await sql`delete from audit_entry where id = ${at(4)}`.execute(tx);
      await sql`delete from audit_seal where ${mine()} and id = 4`.execute(tx);
      for (let place = 5; place <= 15; place++)
        await sql`update audit_seal set id = ${place - 1} where ${mine()} and id = ${place}`.execute(tx);
    });
    const findings = await found();
    expect(findings).toContain('changed 4');
    expect(findings).toContain('cut 15');
  });

  test('verification finds two swapped entries', async () => {
    await attack(async (tx) => {
      await sql`update audit_entry set action = 'settings.change' where id = ${at(4)}`.execute(tx);
      await sql`update audit_entry set action = 'settings.change' where id = ${at(4)}`.execute(tx);
      await sql`with a as (select * from audit_entry where id = ${at(6)}), b as (select * from audit_entry where id = ${at(7)})
        update audit_entry e set at = o.at, subject = o.subject, details = o.details
        from (select ${at(6)} as mine, * from b union all select ${at(7)}, * from a) o where e.id = o.mine`.execute(tx);
    });
    expect(await found()).toEqual(['changed 4', 'changed 6', 'changed 7']);
  });

  test('verification finds two links swapped to match swapped entries', async () => {
    await attack(async (tx) => {
      await sql`create temp table s on commit drop as select * from audit_seal where ${mine()} and id in (6, 7)`.execute(
        tx,
      );
      await sql`delete from audit_seal where ${mine()} and id in (6, 7)`.execute(tx);
      await sql`insert into audit_seal select office_id, 13 - id, entry_id, hmac, sealed_at from s`.execute(tx);
    });
    expect(await found()).toEqual(['changed 6', 'changed 7', 'changed 8']);
  });

  test('verification finds an inserted entry, also one that was chained afterwards', async () => {
    const put = (entryId: number | null, time: string) =>
      attack((tx) =>
        sql`insert into audit_entry (office_id, id, at, actor, action) overriding system value
          values (${of.id}, coalesce(${entryId}::bigint, nextval(pg_get_serial_sequence('audit_entry', 'id'))), ${time}, 'staff', 'visit.read')`.execute(
          tx,
        ),
      );
    await put(-1, '2026-03-02T15:04:30.000Z');
    await put(null, '2026-03-02T15:05:30.000Z');
    expect(await found()).toEqual(['inserted null', 'inserted null']);
    testApp.later(1);
    await chainOffice(testApp.services, of.id);
    expect(await found()).toEqual(['inserted 16', 'inserted null']);
  });

  test('verification finds a chain whose end was cut off', async () => {
    await attack(async (tx) => {
      await sql`delete from audit_entry where ${mine()} and id >= ${at(12)}`.execute(tx);
      await sql`delete from audit_seal where ${mine()} and id >= 12`.execute(tx);
    });
    expect(await found()).toEqual(['cut 12']);
  });

  test('verification finds a chain whose end was cut off and chained again', async () => {
    await attack(async (tx) => {
      await sql`delete from audit_entry where ${mine()} and id >= ${at(12)}`.execute(tx);
      await sql`delete from audit_seal where ${mine()} and id >= 12`.execute(tx);
    });
    await entries(8);
    await chainOffice(testApp.services, of.id);
    expect(await found()).toEqual(['rewritten 15']);
  });

  test('verification finds a deleted chain', async () => {
    await attack(async (tx) => {
      await sql`delete from audit_entry where ${mine()}`.execute(tx);
      await sql`delete from audit_seal where ${mine()}`.execute(tx);
    });
    expect(await found()).toEqual(['cut 1']);
  });

  test('verification finds a chain recomputed with another key', async () => {
    await attack((tx) => sql`update audit_entry set subject = 'x' where id = ${at(4)}`.execute(tx));
    await attack((tx) => sql`delete from audit_seal where ${mine()} and id >= 4`.execute(tx));
    const { env } = testApp.services;
    const thief = {
      ...testApp.services,
      env: { ...env, dataDir: `${env.dataDir}/thief`, secrets: { ...env.secrets, audit: 'x'.repeat(32) } },
    };
    await chainOffice(thief, of.id);
    const findings = await found();
    expect(findings.filter((what) => what.startsWith('changed'))).toHaveLength(12);
    expect(findings).toContain('rewritten 10');
    expect(findings).toContain('rewritten 15');
  });

  test('verification finds a changed chaining time', async () => {
    await attack((tx) =>
      sql`update audit_seal set sealed_at = (sealed_at at time zone 'UTC' - interval '1 day') at time zone 'UTC' where ${mine()} and id = 4`.execute(
        tx,
      ),
    );
    expect(await found()).toEqual(['changed 4']);
  });

  test('verification finds a head changed in the file store', async () => {
    const dir = join(testApp.env.dataDir, 'audit/heads', of.id);
    const file = join(dir, (await readdir(dir))[0] as string);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"place":15', '"place":14'));
    expect(await found()).toEqual(['forged-head 14']);
  });

  test("one office's findings do not appear for another", async () => {
    await attack((tx) => sql`update audit_entry set subject = 'x' where id = ${at(4)}`.execute(tx));
    expect((await verifyOffice(testApp.services, testApp.other.id)).findings).toEqual([]);
  });
});

test('resetting a demo office deletes its heads', async () => {
  await entries(1);
  await chainOffice(testApp.services, of.id);
  expect(await officesWithHeads(testApp.env.dataDir)).toContain(of.id);
  await forgetHeads(testApp.env.dataDir, of.id);
  expect(await officesWithHeads(testApp.env.dataDir)).not.toContain(of.id);
});
