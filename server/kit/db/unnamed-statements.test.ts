import { sql } from 'kysely';
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
