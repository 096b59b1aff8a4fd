import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onCitus } from '#testing/app/database-nodes.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { fillOffice, type OfficeIds } from '#testing/app/two-offices.ts';
import { addToDirectory, completeDirectory, directoryStatement, removeFromDirectory } from './office-directory.ts';
import { runTogether } from './statements.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());
let maple: TestOffice & { ids: OfficeIds };
let harbor: TestOffice & { ids: OfficeIds };
beforeAll(async () => {
  maple = await fillOffice(testApp, 'MAPLE', '2100080123');
  harbor = await fillOffice(testApp, 'HARBOR', '2100080187');
});

/** All entries, as the superuser sees them. */
const allEntries = async () => {
  const { rows } = await sql<{ entry: string }>`
    select kind || ' ' || key || ' ' || office_id as entry from auth.office_directory order by 1`.execute(
    testApp.owner,
  );
  return rows.map(({ entry }) => entry);
};
const rowsOf = async (text: string, values: unknown[]) => (await testApp.services.pool.query(text, values)).rows;
const visitByToken = (hash: Buffer) =>
  rowsOf('select office_id from door_visit_by_token($1, $2)', [hash, testApp.now()]);

describe('the directory', () => {
  test('the directory has an entry for each key the product wrote, so nothing is left to complete', async () => {
    const written = await allEntries();
    expect(new Set(written.map((entry) => entry.split(' ')[0]))).toEqual(
      new Set([
        'agreement',
        'episode_link',
        'invitation_link',
        'invited',
        'merchant',
        'npi',
        'person',
        'share_link',
        'text_number',
        'visit_link',
        'visitor',
      ]),
    );
    await completeDirectory(testApp.services);
    expect(await allEntries()).toEqual(written);
  });

  test('a key without an entry is not looked up among all offices, and completeDirectory adds what is missing', async () => {
    const before = await allEntries();
    const lookUps = async () => [
      await visitByToken(hashToken(maple.ids.token)),
      await rowsOf('select door_office_by_npi($1) as id', [harbor.npi]),
      await rowsOf('select office_id, member_of from door_session($1, null, $2)', [
        hashToken(maple.token),
        testApp.now(),
      ]),
    ];
    await sql`delete from auth.office_directory`.execute(testApp.owner);
    expect(await lookUps()).toEqual([[], [{ id: null }], [{ office_id: null, member_of: 0 }]]);
    await completeDirectory(testApp.services);
    expect(await allEntries()).toEqual(before);
    expect(await lookUps()).toEqual([
      [{ office_id: maple.id }],
      [{ id: harbor.id }],
      [{ office_id: maple.id, member_of: 1 }],
    ]);
  });

  test('the directory decides which office is searched: a key of another office finds nothing there', async () => {
    const token = hashToken(maple.ids.token);
    await testApp.inOffice(maple, (tx) =>
      removeFromDirectory(tx, { officeId: maple.id, kind: 'visit_link', key: token }),
    );
    await testApp.inOffice(harbor, (tx) => addToDirectory(tx, { officeId: harbor.id, kind: 'visit_link', key: token }));
    expect(await visitByToken(token)).toEqual([]);
    await testApp.inOffice(maple, (tx) => addToDirectory(tx, { officeId: maple.id, kind: 'visit_link', key: token }));
    expect(await visitByToken(token)).toEqual([{ office_id: maple.id }]);
    await testApp.inOffice(harbor, (tx) =>
      removeFromDirectory(tx, { officeId: harbor.id, kind: 'visit_link', key: token }),
    );
  });

  test('an office can read, write and delete only its own directory entries', async () => {
    const seen = await testApp.inOffice(maple, (tx) =>
      tx.selectFrom('auth.officeDirectory').select('officeId').distinct().execute(),
    );
    expect(seen).toEqual([{ officeId: maple.id }]);
    const write = testApp.inOffice(maple, (tx) =>
      addToDirectory(tx, { officeId: harbor.id, kind: 'npi', key: '1999999984' }),
    );
    await expect(write).rejects.toMatchObject({ code: '42501' });
    const before = await allEntries();
    await testApp.inOffice(maple, (tx) =>
      removeFromDirectory(tx, { officeId: harbor.id, kind: 'npi', key: harbor.npi }),
    );
    expect(await allEntries()).toEqual(before);
    expect(await testApp.services.db.selectFrom('auth.officeDirectory').selectAll().execute()).toEqual([]);
  });

  test('a key written twice keeps the later expiry, and is deleted after it', async () => {
    const entry = { officeId: maple.id, kind: 'invited', key: 'twice@maple.test' } as const;
    const inHours = (hours: number) => new Date(testApp.now().getTime() + hours * 3_600_000);
    for (const hours of [1, 3, 2])
      await testApp.inOffice(maple, (tx) => addToDirectory(tx, { ...entry, expiresAt: inHours(hours) }));
    const ends = () =>
      testApp.inOffice(maple, (tx) =>
        tx.selectFrom('auth.officeDirectory').select('expiresAt').where('key', '=', entry.key).execute(),
      );
    expect(await ends()).toEqual([{ expiresAt: inHours(3) }]);
    await completeDirectory({ ...testApp.services, now: () => inHours(2.9) });
    expect(await ends()).toHaveLength(1);
    await completeDirectory({ ...testApp.services, now: () => inHours(3) });
    expect(await ends()).toEqual([]);
  });

  test('the directory knows an ended link for thirty more days, and one that an older version forgot', async () => {
    const tokenHash = hashToken(maple.ids.token);
    const key = tokenHash.toString('hex');
    const { expiresAt } = await testApp.owner
      .selectFrom('visitToken')
      .select('expiresAt')
      .where('tokenHash', '=', tokenHash)
      .executeTakeFirstOrThrow();
    const isKnown = async (days: number) => {
      await completeDirectory({ ...testApp.services, now: () => new Date(expiresAt.getTime() + days * 86_400_000) });
      return (await allEntries()).includes(`visit_link ${key} ${maple.id}`);
    };
    expect(await isKnown(29)).toBe(true);
    await sql`delete from auth.office_directory where key = ${key}`.execute(testApp.owner);
    expect(await isKnown(29)).toBe(true);
    expect(await isKnown(30)).toBe(false);
    await completeDirectory(testApp.services);
  });

  test('an ended link is looked for in the office of its entry alone', async () => {
    const token = hashToken(maple.ids.token);
    const later = new Date('2027-01-01');
    const ended = () => rowsOf('select office_name from door_ended_link($1, $2, $3)', ['visit', token, later]);
    expect(await ended()).toEqual([{ office_name: 'MAPLE-office-name' }]);
    const entry = { kind: 'visit_link', key: token } as const;
    await testApp.inOffice(maple, (tx) => removeFromDirectory(tx, { officeId: maple.id, ...entry }));
    await testApp.inOffice(harbor, (tx) => addToDirectory(tx, { officeId: harbor.id, ...entry }));
    expect(await ended()).toEqual([]);
    await testApp.inOffice(harbor, (tx) => removeFromDirectory(tx, { officeId: harbor.id, ...entry }));
    // On one machine, where it costs nothing, also without an entry: the link may have ended long ago.
    expect(await ended()).toEqual(onCitus() ? [] : [{ office_name: 'MAPLE-office-name' }]);
    await completeDirectory(testApp.services);
    expect(await ended()).toEqual([{ office_name: 'MAPLE-office-name' }]);
  });

  test('an entry is written in the same transaction as its row, or not at all', async () => {
    const entry = { officeId: maple.id, kind: 'npi', key: '1999999992' } as const;
    const undone = testApp.inOffice(maple, async (tx) => {
      await runTogether(tx, { statements: [directoryStatement(tx, entry)], hints: [] });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await allEntries()).filter((text) => text.includes(entry.key))).toEqual([]);
    await testApp.inOffice(maple, (tx) => runTogether(tx, { statements: [directoryStatement(tx, entry)], hints: [] }));
    expect((await allEntries()).filter((text) => text.includes(entry.key))).toHaveLength(1);
  });
});

test('a member of several offices is found in the one they name by id or NPI, else in their first', async () => {
  const second = await testApp.office();
  testApp.later(1);
  const personId = await testApp.addStaff({ name: 'Luis', email: 'luis@maple.test' }, [maple]);
  testApp.later(1);
  await testApp.inOffice(second, async (tx) => {
    await tx
      .insertInto('membership')
      .values({ officeId: second.id, id: testApp.services.id(), personId, createdAt: testApp.now() })
      .execute();
    await tx.updateTable('office').set({ lockMinutes: 5 }).where('id', '=', second.id).execute();
    await addToDirectory(tx, { officeId: second.id, kind: 'person', key: personId });
  });
  const hash = hashToken(await testApp.signIn(personId));
  const session = async (named: string | null) =>
    (
      await rowsOf('select office_id, member_of, lock_minutes from door_session($1, $2, $3)', [
        hash,
        named,
        testApp.now(),
      ])
    )[0];
  const both = { member_of: 2, lock_minutes: 5 };
  expect(await session(null)).toEqual({ office_id: maple.id, ...both });
  for (const named of [second.id, second.npi]) expect(await session(named)).toEqual({ office_id: second.id, ...both });
  for (const named of [harbor.id, harbor.npi, 'x']) expect(await session(named)).toEqual({ office_id: null, ...both });
});
