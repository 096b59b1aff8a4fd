import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#testing/app/test-app.ts';
import { addText, textRow } from '#testing/fixtures/texts.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());
const offices = [testApp.maple, testApp.other, await testApp.office()];

/** Queues so many texts in each office, in turn; returns their ids. */
async function queueTexts(each: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < each; i++)
    for (const office of offices) {
      testApp.later(1);
      ids.push(await addText(testApp, { office, toPhone: `+1646555${1000 + ids.length}` }));
    }
  return ids;
}

const claim = async (client: pg.Pool | pg.PoolClient, worker: string, limit: number) => {
  const { rows } = await client.query<{ id: string; office_id: string; tries: number; send_at: Date }>(
    `select * from door_claim_texts($1, $2, '1 minute', $3)`,
    [worker, testApp.now(), limit],
  );
  return rows;
};
const { pool } = testApp.services;

/** Runs work in a transaction that stays open until the returned function ends it. */
async function inOpenTransaction<T>(work: (client: pg.PoolClient) => Promise<T>) {
  const client = await pool.connect();
  await client.query('begin');
  const done = await work(client);
  return { done, end: async (how: 'commit' | 'rollback') => void (await client.query(how), client.release()) };
}

test('a claim takes the longest due texts of several offices, up to its limit', async () => {
  const ids = await queueTexts(3);
  const first = await claim(pool, 'first', 4);
  expect(first).toHaveLength(4);
  expect(first.map(({ id }) => id)).toContain(ids[0]);
  const rest = await claim(pool, 'second', 50);
  expect([...first, ...rest].map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(new Set(rest.map(({ office_id }) => office_id)).size).toBeGreaterThan(1);
  expect(await claim(pool, 'third', 50)).toEqual([]);
  expect(await textRow(testApp, ids[0] as string)).toMatchObject({ state: 'sending', worker: 'first', tries: 1 });
});

test('concurrent claims do not block each other and take different texts', async () => {
  const ids = await queueTexts(4);
  const first = await inOpenTransaction((client) => claim(client, 'first', 5));
  const second = await inOpenTransaction((client) => claim(client, 'second', 5));
  const third = await claim(pool, 'third', 5);
  const claimed = [...first.done, ...second.done, ...third].map(({ id }) => id);
  expect(claimed).toHaveLength(12);
  expect([...claimed].sort()).toEqual([...ids].sort());
  await first.end('commit');
  // A worker whose claim is undone leaves its texts to the others.
  await second.end('rollback');
  expect((await claim(pool, 'fourth', 50)).map(({ id }) => id).sort()).toEqual(second.done.map(({ id }) => id).sort());
});

test('20 concurrent workers claim each text once', async () => {
  const ids = await queueTexts(10);
  const claims = await Promise.all(Array.from({ length: 20 }, (_, i) => claim(pool, `worker ${i}`, 3)));
  const more = await claim(pool, 'last', 100);
  const claimed = [...claims.flat(), ...more];
  expect(claimed.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(new Set(claimed.map(({ tries }) => tries))).toEqual(new Set([1]));
});

test('texts past their lease are taken over once, in every office', async () => {
  const ids = await queueTexts(2);
  const claimed = await pool.query(`select * from door_claim_texts('dies', $1, '0 seconds', 50)`, [testApp.now()]);
  expect(claimed.rowCount).toBe(6);
  const takeOver = async (worker: string) =>
    (await pool.query<{ id: string }>(`select * from door_take_over_texts($1, '1 hour', 50)`, [worker])).rows;
  const taken = (await Promise.all([takeOver('a'), takeOver('b'), takeOver('c')])).flat().map(({ id }) => id);
  expect(taken.sort()).toEqual([...ids].sort());
  expect(await takeOver('d')).toEqual([]);
});
