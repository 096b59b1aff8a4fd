import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { appUrlOf } from '#testing/app/app-url.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { asOffice, openDb, openPool } from './db.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

/** The statements that the database has prepared on the pool's only connection, after one of each kind. */
async function preparedBy(prepares: boolean): Promise<number> {
  const pool = openPool(appUrlOf(testApp.url), { max: 1, prepares });
  const db = openDb(pool);
  await asOffice(db, testApp.maple.id, (tx) =>
    tx.selectFrom('visit').select('id').where('officeId', '=', testApp.maple.id).execute(),
  );
  expect((await pool.query({ name: 'named', text: 'select $1::int as n', values: [7] })).rows).toEqual([{ n: 7 }]);
  const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db);
  await db.destroy();
  return rows[0]?.count ?? -1;
}

test('with DATABASE_PREPARE=0 no statement stays prepared on a connection', async () => {
  expect(await preparedBy(true)).toBeGreaterThan(1);
  expect(await preparedBy(false)).toBe(0);
});

test('a connection that read whole rows before a migration adds a column reads them after it', async () => {
  const pool = openPool(appUrlOf(testApp.url), { max: 1 });
  const db = openDb(pool);
  const owner = new pg.Client({ connectionString: testApp.url });
  await owner.connect();
  const readOffice = () =>
    asOffice(db, testApp.maple.id, (tx) =>
      tx.selectFrom('office').selectAll().where('id', '=', testApp.maple.id).executeTakeFirstOrThrow(),
    );
  const renameOffice = () =>
    asOffice(db, testApp.maple.id, (tx) =>
      tx.updateTable('office').set({ name: 'Maple' }).where('id', '=', testApp.maple.id).returningAll().execute(),
    );
  expect((await readOffice()).id).toBe(testApp.maple.id);
  await renameOffice();
  await owner.query('alter table office add column of_the_next_version text');
  expect((await readOffice()).id).toBe(testApp.maple.id);
  expect(await renameOffice()).toHaveLength(1);
  await owner.query('alter table office drop column of_the_next_version');
  await owner.end();
  await db.destroy();
});
