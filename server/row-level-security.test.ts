import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PoolClient } from 'pg';
import { onCitus } from '#testing/app/database-nodes.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { fillOffice } from '#testing/app/two-offices.ts';
import { entryPointsOf, type FilledOffices } from '#testing/fixtures/security-definer-functions.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());
const { pool } = testApp.services;

let maple: FilledOffices['maple'];
let harbor: FilledOffices['harbor'];
const filled = {} as FilledOffices;
beforeAll(async () => {
  maple = await fillOffice(testApp, 'MAPLE', '2100080123');
  harbor = await fillOffice(testApp, 'HARBOR', '2100080187');
  const { tokenHash: shared } = await testApp.inOffice(maple, (tx) =>
    tx.selectFrom('shareLink').select('tokenHash').executeTakeFirstOrThrow(),
  );
  const invited = await testApp.inOffice(maple, (tx) =>
    tx.selectFrom('invitation').select(['value', 'tokenHash']).executeTakeFirstOrThrow(),
  );
  Object.assign(filled, { maple, harbor, shared, invited });
});

const column = async <T>(text: string, values: unknown[] = []) =>
  (await pool.query<{ it: T }>(text, values)).rows.map(({ it }) => it);
const officeOwned = await column<string>(
  `select c.relname as it from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'office_id' and not a.attisdropped
   where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
);
const guarded = [...officeOwned, 'office'];

/** Row-level security refuses a statement with 42501. Citus refuses some before they reach it, such as a change of the office. */
const refusal = onCitus() ? /^(42501|0A000)$/ : /^42501$/;

/** Runs work as the app's role, with or without an office, in a transaction that is rolled back. */
async function asApp<T>(officeId: string | null, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (officeId) await client.query(`set local app.office_id = '${officeId}'`);
    return await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Tables that name an office without belonging to it, and why row-level security by office cannot protect them. */
const unguarded: Record<string, string> = {
  'auth.registration':
    'belongs to the person who registers: written before the office exists, and read by that person before they are a member',
  'auth.npi_claim':
    'belongs to the person who claims the NPI, who is no member of the office; the operator and a job read the claims of all offices',
};

describe('every table of an office', () => {
  test('every table with an office has forced row-level security in any schema, or a listed reason why not', async () => {
    const found = await column<string>(
      `select n.nspname || '.' || c.relname as it from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'office_id' and not a.attisdropped
       where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
         and not (c.relrowsecurity and c.relforcerowsecurity) order by 1`,
    );
    expect(found).toEqual(Object.keys(unguarded).sort());
  });

  test('every table without an office is listed', async () => {
    const rest = await column<string>(
      `select tablename as it from pg_tables where schemaname = 'public' and not tablename = any($1) order by 1`,
      [guarded],
    );
    expect(rest).toEqual([
      'built_in_form',
      'demo_request',
      'global_setting',
      'kysely_migration_lock',
      'partner_application',
      'rate_limit',
      'schema_migration',
    ]);
    expect(guarded.length).toBeGreaterThan(15);
  });

  test.each(guarded)(
    '%s: forced row-level security, for all four commands, and a key that begins with the office',
    async (table) => {
      const [forced] = await column<boolean>(
        `select relrowsecurity and relforcerowsecurity as it from pg_class where oid = $1::regclass`,
        [table],
      );
      expect(forced).toBe(true);
      const commands = await column<string>(
        `select cmd as it from pg_policies where schemaname = 'public' and tablename = $1
       and roles && array['public', 'anteroom_app']::name[] and qual like '%current_office()%' and with_check = qual`,
        [table],
      );
      expect(
        commands.includes('ALL') || ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].every((c) => commands.includes(c)),
      ).toBe(true);
      const others = await column<string>(
        `select policyname as it from pg_policies where schemaname = 'public' and tablename = $1
       and roles && array['public', 'anteroom_app']::name[] and qual not like '%current_office()%'`,
        [table],
      );
      expect(others).toEqual([]);
      const key = await column<string>(
        `select a.attname as it from pg_index i cross join unnest(i.indkey) with ordinality k(n, place)
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n
       where i.indrelid = $1::regclass and i.indisprimary order by place`,
        [table],
      );
      expect(key).toEqual(table === 'office' ? ['id'] : ['office_id', 'id']);
    },
  );

  test.each(guarded)('%s: without an office, no row can be read, changed or written', async (table) => {
    const id = table === 'office' ? 'id' : 'office_id';
    await asApp(null, async (client) => {
      expect((await client.query(`select * from ${table}`)).rowCount).toBe(0);
      for (const write of [`update ${table} set ${id} = ${id}`, `delete from ${table}`]) {
        await client.query('savepoint here');
        const done = await client.query(write).catch((error: { code: string }) => error.code);
        if (typeof done === 'string') expect(done).toMatch(refusal);
        else expect(done.rowCount).toBe(0);
        await client.query('rollback to savepoint here');
      }
      const copied = await client
        .query(`insert into ${table} (${id}) select $1::uuid`, [maple.id])
        .catch((error: { code: string }) => error.code);
      expect(copied).toMatch(refusal);
    });
  });

  test.each(guarded)("%s: each of two offices sees its own rows, and cannot write the other's", async (table) => {
    const id = table === 'office' ? 'id' : 'office_id';
    await asApp(maple.id, async (client) => {
      const { rows } = await client.query<{ it: string }>(`select distinct ${id} as it from ${table}`);
      expect(rows).toEqual([{ it: maple.id }]);
      for (const write of [
        `update ${table} set ${id} = '${harbor.id}'`,
        `insert into ${table} (${id}) values ('${harbor.id}')`,
      ]) {
        await client.query('savepoint here');
        expect(await client.query(write).catch((error: { code: string }) => error.code), write).toMatch(refusal);
        await client.query('rollback to savepoint here');
      }
      const gone = await client
        .query(`delete from ${table} where ${id} = '${harbor.id}'`)
        .catch((error: { code: string }) => error.code);
      if (typeof gone === 'string') expect(gone).toMatch(refusal);
      else expect(gone.rowCount).toBe(0);
    });
  });

  test("views run with the caller's rights", async () => {
    const views = await column<string>(
      `select relname as it from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
       and not coalesce('security_invoker=true' = any(reloptions), false)`,
    );
    expect(views).toEqual([]);
    // Citus takes the view for one office only.
    const ofMaple = onCitus() ? `where office_id = '${maple.id}'` : '';
    await asApp(null, async (client) =>
      expect((await client.query(`select * from queue_entry ${ofMaple}`)).rowCount).toBe(0),
    );
  });

  test('an office set in one transaction does not carry over to the next on the same connection', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(`set local app.office_id = '${maple.id}'`);
    expect((await client.query('select * from visit')).rowCount).toBeGreaterThan(0);
    await client.query('commit');
    expect((await client.query('select * from visit')).rowCount).toBe(0);
    client.release();
  });
});

describe("the app's role", () => {
  test("the app's role may log in, but is no superuser, bypasses and creates nothing, and belongs to no other role", async () => {
    const [role] = await column<Record<string, boolean>>(
      `select to_jsonb(r) - 'oid' - 'rolname' as it from (select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
       rolreplication from pg_roles where rolname = current_user) r`,
    );
    expect(new Set(Object.values(role ?? {}))).toEqual(new Set([false]));
    expect(await column(`select current_user::text as it union all select session_user::text`)).toEqual([
      'anteroom_app',
      'anteroom_app',
    ]);
    expect(await column(`select 1 as it from pg_auth_members where member = 'anteroom_app'::regrole`)).toEqual([]);
  });

  test("the app's role owns nothing", async () => {
    const owned = await column(
      `select relname::text as it from pg_class where relowner = 'anteroom_app'::regrole
       union all select proname::text from pg_proc where proowner = 'anteroom_app'::regrole
       union all select nspname::text from pg_namespace where nspowner = 'anteroom_app'::regrole`,
    );
    expect(owned).toEqual([]);
  });

  test.each([
    'update audit_entry set outcome = outcome',
    'delete from audit_entry',
    'truncate audit_entry',
    'update audit_seal set hmac = hmac',
    'delete from audit_seal',
    'truncate audit_seal',
    'insert into office (id) values (gen_random_uuid())',
    'delete from office',
    'create table mine (id int)',
    'alter table visit disable row level security',
    'drop policy own_office on visit',
    'select * from schema_migration',
    'update kysely_migration_lock set is_locked = 1',
    'set session_replication_role = replica',
  ])("the app's role may not: %s", async (statement) => {
    await asApp(maple.id, async (client) => {
      expect(await client.query(statement).catch((error: { code: string }) => error.code)).toBe('42501');
    });
  });
});

const entryPoints = entryPointsOf(testApp, filled);
const rows = async <T extends object>(text: string, values: unknown[] = []) => (await pool.query<T>(text, values)).rows;

describe('security-definer functions, used before the office is known', () => {
  test('the security-definer functions are exactly the settled ones, with a fixed search path and a separate owner', async () => {
    const found = await rows<{ name: string; path: string; owner: string; everyone: boolean }>(
      `select replace(p.oid::regprocedure::text, ',', ', ') as name, array_to_string(proconfig, ',') as path, proowner::regrole::text as owner,
       has_function_privilege('public', p.oid, 'execute') as everyone
       from pg_proc p where prosecdef and pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) order by 1`,
    );
    expect(found.map(({ name }) => name)).toEqual(Object.keys(entryPoints).sort());
    for (const { name, path, owner, everyone } of found) {
      expect(path, name).toMatch(/^search_path=pg_catalog, .*pg_temp$/);
      expect(owner, name).toBe('anteroom_door');
      expect(everyone, name).toBe(false);
    }
  });

  test("only the owner may replace the queue's functions", async () => {
    const allowed = await column<boolean>(
      `select has_function_privilege('public', 'make_queue_functions()', 'execute') as it`,
    );
    expect(allowed).toEqual([false]);
  });

  test.each(Object.entries(entryPoints))('%s returns only what it is meant to return', async (_name, entryPoint) => {
    expect(await entryPoint.opens()).toEqual(entryPoint.to());
    expect(await entryPoint.stays()).toEqual([]);
  });

  test('the role of the security-definer functions reads just what they need, and can only claim texts and pushes', async () => {
    const grants = await column<string>(
      `select c.relname || ' ' || a.privilege_type as it from pg_class c, aclexplode(c.relacl) a
       where a.grantee = 'anteroom_door'::regrole and a.privilege_type <> 'SELECT' order by 1`,
    );
    expect(grants).toEqual(['push_subscription UPDATE', 'text UPDATE']);
    const [role] = await column<boolean>(
      `select rolsuper or rolbypassrls or rolcreaterole or (rolcanlogin and not $1) as it from pg_roles where rolname = 'anteroom_door'`,
      // The coordinator of a Citus cluster logs in to the other nodes as the role of the statement.
      [onCitus()],
    );
    expect(role).toBe(false);
  });
});
