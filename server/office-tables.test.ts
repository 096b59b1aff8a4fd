import type { PoolClient } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openOwnerPool } from '#server/kit/db/db.ts';
import { onCitus } from '#testing/app/database-nodes.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const testApp = await openTestApp();
const owner = openOwnerPool(testApp.url);
afterAll(async () => {
  await owner.end();
  await testApp.close();
});

/**
 * The tables that belong to an office: `office`, and everything in the schema `public` with an `office_id`. A table of another schema
 * that names an office belongs to a person (see row-level-security.test.ts).
 */
const officeTables = `
  select c.oid, (select a.attnum from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
                 and a.attname = case c.relname when 'office' then 'id' else 'office_id' end) as office_column
  from pg_class c
  where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    and (c.relname = 'office' or exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'office_id' and not a.attisdropped))`;

const rules = {
  uniqueKeys: `
    select t.oid::regclass || ': ' || i.indexrelid::regclass as problem
    from (${officeTables}) t join pg_index i on i.indrelid = t.oid
    where i.indisunique and not t.office_column = any (i.indkey[0:i.indnkeyatts - 1])
    order by 1`,
  /** Both ends name the office, at the same position. */
  foreignKeys: `
    select k.conrelid::regclass || ': ' || k.conname as problem
    from pg_constraint k
    left join (${officeTables}) own on own.oid = k.conrelid
    left join (${officeTables}) other on other.oid = k.confrelid
    where k.contype = 'f' and (own.oid is not null or other.oid is not null)
      and (own.oid is null or other.oid is null or not exists (
        select from unnest(k.conkey, k.confkey) as pair(own, other)
        where pair.own = own.office_column and pair.other = other.office_column))
    order by 1`,
  triggers: `
    select t.oid::regclass || ': ' || g.tgname as problem
    from (${officeTables}) t join pg_trigger g on g.tgrelid = t.oid
    where not g.tgisinternal
    order by 1`,
  /** A statement that locks rows names one office. */
  locks: `
    select p.oid::regproc::text as problem
    from pg_proc p, regexp_matches(p.prosrc, 'from (?:(?!\\mfrom\\M).)*? for (?:no key )?update', 'g') as part
    where p.pronamespace = 'public'::regnamespace and part[1] !~ 'office_id = '
    order by 1`,
};

type Rule = keyof typeof rules;
async function problemsOf(rule: Rule, client?: PoolClient): Promise<string[]> {
  const { rows } = await (client ?? owner).query<{ problem: string }>(rules[rule]);
  return rows.map(({ problem }) => problem);
}

describe('every table of an office', () => {
  test('every office table has office_id in its primary key and in each unique key', async () => {
    expect(await problemsOf('uniqueKeys')).toEqual([]);
  });

  test('every office table has office_id on both sides of each foreign key, and no other table refers to it', async () => {
    expect(await problemsOf('foreignKeys')).toEqual([]);
  });

  test('functions lock the rows of one office at a time', async () => {
    expect(await problemsOf('locks')).toEqual([]);
  });

  test('no office table has a trigger, which a distributed table cannot have', async () => {
    expect(await problemsOf('triggers')).toEqual([]);
  });
});

const badStatements: [Rule, string, string][] = [
  ['uniqueKeys', 'alter table visit add constraint bad unique (id)', 'visit: bad'],
  ['uniqueKeys', 'create unique index bad on patient (phone) include (office_id)', 'patient: bad'],
  ['uniqueKeys', 'create table bad (office_id uuid, id uuid primary key)', 'bad: bad_pkey'],
  ['foreignKeys', 'alter table visit add constraint bad foreign key (acted_id) references auth.person', 'visit: bad'],
  ['foreignKeys', 'create table bad (visit_office uuid, office_id uuid, visit uuid)', 'bad: bad'],
  [
    'foreignKeys',
    'alter table auth.registration add constraint bad foreign key (office_id) references office',
    'auth.registration: bad',
  ],
  [
    'locks',
    'create function bad() returns setof uuid language sql as $$ select id from text where tries = 0 for update skip locked $$',
    'bad',
  ],
  [
    'triggers',
    'create trigger bad before insert on visit for each row execute function suppress_redundant_updates_trigger()',
    'visit: bad',
  ],
];

test.each(badStatements)(
  'the rule for %s reports, if Citus does not refuse it itself: %s',
  async (rule, statement, problem) => {
    const client = await owner.connect();
    try {
      await client.query('begin');
      if (onCitus()) await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
      await client.query('alter table visit add column acted_id uuid');
      const refusal = await client.query(statement).then(
        () => undefined,
        (error: Error & { code?: string }) => error.code,
      );
      if (onCitus() && ['0A000', '42P16', 'XX000'].includes(refusal ?? '')) return;
      expect(refusal).toBeUndefined();
      if (problem === 'bad: bad')
        await client.query(
          'alter table bad add constraint bad foreign key (visit_office, visit) references visit (office_id, id)',
        );
      expect(await problemsOf(rule, client)).toEqual([problem]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  },
);
