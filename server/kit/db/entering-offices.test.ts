import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#testing/app/test-app.ts';
import { asOffice, enterOffice, openDb, openPool, type Db } from './db.ts';
import { appUrlOf } from '#testing/app/app-url.ts';

const testApp = await openTestApp();
const opened: Db[] = [];
afterAll(async () => {
  for (const db of opened) await db.destroy();
  await testApp.close();
});
await testApp.visit();
await testApp.visit({ office: testApp.other });

const isEntering = (text: unknown) => typeof text === 'string' && text.startsWith('set local app.office_id');

/** The app's database with a driver that treats the statement entering an office differently. */
function openWith(send: (query: (...args: unknown[]) => unknown, text: string) => unknown): Db {
  const pool = openPool(appUrlOf(testApp.url), { max: 4 });
  const changed = new WeakSet<object>();
  pool.on('connect', (client: pg.PoolClient) => {
    if (changed.has(client)) return;
    changed.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) =>
      isEntering(args[0]) ? send(query, args[0] as string) : query(...args)) as typeof client.query;
  });
  const db = openDb(pool);
  opened.push(db);
  return db;
}

const officesSeen = async (db: Db, officeId: string) => {
  const rows = await asOffice(db, officeId, (tx) => tx.selectFrom('visit').select('officeId').execute());
  return [...new Set(rows.map((row) => row.officeId))];
};

test("many transactions of two offices on few connections each see only their own office's rows", async () => {
  const db = openWith((query, text) => query(text));
  const wanted = Array.from({ length: 200 }, (_, i) => (i % 2 ? testApp.maple.id : testApp.other.id));
  const seen = await Promise.all(wanted.map((id) => officesSeen(db, id)));
  expect(seen).toEqual(wanted.map((id) => [id]));
});

test('the first statement of the work is sent after the one that enters the office, however the work starts', async () => {
  const sent: string[] = [];
  const pool = openPool(appUrlOf(testApp.url), { max: 1 });
  pool.on('connect', (client: pg.PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [text] = args as [string | { text: string }];
      sent.push(typeof text === 'string' ? text : text.text);
      return query(...args);
    }) as typeof client.query;
  });
  const db = openDb(pool);
  opened.push(db);
  const readVisits = (tx: Db) => tx.selectFrom('visit').select('id').execute();
  const works: ((tx: Db) => Promise<unknown>)[] = [
    readVisits,
    async (tx) => readVisits(tx),
    (tx) => Promise.all([readVisits(tx), readVisits(tx)]),
  ];
  for (const work of works) {
    await asOffice(db, testApp.maple.id, work);
    const [first, second, third] = sent.splice(0).filter((text) => !/pg_has_role/.test(text));
    expect([first, second]).toEqual(['begin', `set local app.office_id = '${testApp.maple.id}'`]);
    expect(third).toMatch(/^select "id" from "visit"/);
  }
});

test('if the statement that enters the office fails, the work reads and writes nothing', async () => {
  const db = openWith((query) => query(`set local app.office_id = 'x' 'y'`));
  let rows: unknown[] | undefined;
  const work = asOffice(db, testApp.maple.id, async (tx) => {
    rows = await tx.selectFrom('visit').select('id').execute();
  });
  await expect(work).rejects.toMatchObject({ code: '25P02' });
  expect(rows).toBeUndefined();
});

test('if the statement that enters the office never reaches PostgreSQL, the work sees and writes no rows', async () => {
  const db = openWith(() => Promise.resolve({ command: 'SET', rowCount: null, rows: [] }));
  expect(await officesSeen(db, testApp.maple.id)).toEqual([]);
  const write = asOffice(db, testApp.maple.id, (tx) =>
    tx
      .insertInto('optOut')
      .values({ officeId: testApp.maple.id, id: testApp.services.id(), phone: '+12125550100', at: testApp.now() })
      .execute(),
  );
  await expect(write).rejects.toMatchObject({ code: '42501' });
});

test('asOffice refuses an office id that is not a UUID', async () => {
  const sent: string[] = [];
  const db = openWith((query, text) => {
    sent.push(text);
    return query(text);
  });
  for (const id of [`'; reset app.office_id; --`, `${testApp.maple.id}'`, ''])
    await expect(asOffice(db, id, (tx) => tx.selectFrom('visit').select('id').execute())).rejects.toThrow('UUID');
  expect(sent).toEqual([]);
});

test('without pipelining, the office is entered before the work starts', async () => {
  await asOffice(testApp.owner, testApp.maple.id, async (tx) => {
    await enterOffice(tx, testApp.other.id);
    await enterOffice(tx, testApp.maple.id);
  });
  expect(await officesSeen(testApp.services.db, testApp.maple.id)).toEqual([testApp.maple.id]);
});
