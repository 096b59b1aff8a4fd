import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '#contract/audit.ts';
import { openServices as openAnotherProcess } from '#server/open-app.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { forgetHeads, officesWithHeads } from './index.ts';
import { chainAllOffices, chainOffice } from './chain-entries.ts';
import { verifyOffice } from './verify-chain.ts';
import { writeAuditEntries } from '#testing/fixtures/audit-entries.ts';

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
const entries = (count: number) => writeAuditEntries(testApp, of, count);

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
