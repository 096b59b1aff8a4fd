import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Tx } from '#server/kit/db/db.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { shownVisitsOf } from './landline-sql.ts';
import { visitOfPhone } from './sql.ts';
import { isKnownNumber, isProvedNumber } from './text-limit-sql.ts';

const t = await openTestApp();
afterAll(() => t.close());

const phone = '+16465558001';
const today = '2026-03-02';

test('a text that comes in reads the visits of its number only, however many the practice has', async () => {
  const { id } = await t.visit({ phone });
  await t.inOffice(t.maple, (tx) =>
    sql`
      insert into visit (office_id, id, patient_id, phone, day, status, first_name, last_name, created_at, status_at, ended_at)
      select office_id, gen_random_uuid(), patient_id, '+1646556' || lpad(n::text, 4, '0'), day - n, 'PATIENT_DONE', 'Ada', 'Byron',
        created_at, created_at, created_at
      from visit, generate_series(1, 500) n where office_id = ${t.maple.id} and id = ${id}
      returning 1`.execute(tx),
  );
  await sql`analyze visit`.execute(t.owner);
  const looks: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => visitOfPhone(tx, t.maple.id, phone, today),
    (tx) => shownVisitsOf(tx, t.maple.id, phone, today),
    (tx) => isKnownNumber(tx, t.maple.id, phone),
    (tx) => isProvedNumber(tx, t.maple.id, phone, today),
  ];
  for (const look of looks) expect(await visitsRead(look)).toBeLessThanOrEqual(2);
});

/** How many rows of `visit` a look reads. The few rows of a test would be read from end to end, so that is forbidden. */
async function visitsRead(look: (tx: Tx) => Promise<unknown>): Promise<number> {
  return t.inOffice(t.maple, async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    const count = async () => {
      const { rows } = await sql<{ n: string }>`
        select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as n from pg_stat_xact_user_tables where relname = 'visit'`.execute(
        tx,
      );
      return Number(rows[0]?.n);
    };
    const before = await count();
    await look(tx);
    return (await count()) - before;
  });
}
