import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { queue } from '#contract/index.ts';
import { onCitus } from '#testing/app/database-nodes.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import { freshDatabase, openTestApp } from '#testing/app/test-app.ts';
import { startProcess } from '#testing/app/process.ts';
import { checkAppLogin } from './app-login.ts';
import { openPool } from './db.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { migrate } from './migrate.ts';

const testApp = await openTestApp();
testApp.services.log.level = 'silent';
afterAll(() => testApp.close());

describe("a connection of the app's pool", () => {
  const ownerName = decodeURIComponent(new URL(testApp.url).username);

  test.each([
    `set role ${ownerName}`,
    `set session authorization ${ownerName}`,
    `set local role ${ownerName}`,
    'set role anteroom_door',
    `select 1; set role ${ownerName}`,
    `select set_config('role', '${ownerName}', false)`,
    `copy visit to program 'true'`,
    'alter role anteroom_app superuser',
    'alter role anteroom_app bypassrls',
    `grant ${ownerName} to anteroom_app`,
  ])("the app's connection may not: %s", async (statement) => {
    const client = await testApp.services.pool.connect();
    try {
      await expect(client.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|22023)$/) });
    } finally {
      client.release(true);
    }
  });

  test("reset role and reset session authorization leave the app's connection as the app", async () => {
    const client = await testApp.services.pool.connect();
    try {
      await client.query('reset role; reset session authorization; set role none');
      const { rows } = await client.query<object>('select current_user::text as role, session_user::text as login');
      expect(rows).toEqual([{ role: 'anteroom_app', login: 'anteroom_app' }]);
      expect((await client.query('select * from visit')).rowCount).toBe(0);
    } finally {
      client.release(true);
    }
  });

  test("the app's connection uses generic plans without a startup option, but on Citus, which finds a shard by values", async () => {
    const { rows } = await testApp.services.pool.query<object>('show plan_cache_mode');
    expect(rows).toEqual([{ plan_cache_mode: onCitus() ? 'auto' : 'force_generic_plan' }]);
    expect(testApp.services.pool.options.options).toBeUndefined();
  });
});

describe('a login that could bypass row-level security is refused at the first connection', () => {
  const roles: string[] = [];
  afterEach(async () => {
    for (const role of roles.splice(0))
      await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(testApp.owner);
  });

  /** Creates a login with these attributes; returns its URL of the test's database. */
  async function login(attributes: string, ...grants: string[]): Promise<string> {
    const name = `login_${randomBytes(6).toString('hex')}`;
    roles.push(name);
    await sql.raw(`create role ${name} login password 'a-password' ${attributes}`).execute(testApp.owner);
    for (const grant of grants) await sql.raw(grant.replace('$', name)).execute(testApp.owner);
    return Object.assign(new URL(testApp.url), { username: name, password: 'a-password' }).toString();
  }

  const refusedFor = async (url: string, reason: RegExp) => {
    await expect(checkAppLogin(url)).rejects.toThrow(reason);
    const pool = openPool(url);
    await expect(pool.query('select 1')).rejects.toThrow(reason);
    expect(pool.totalCount).toBe(0);
    await pool.end();
  };

  test('the owner of the tables', () => refusedFor(testApp.url, /is a superuser|owns tables/));

  test('the owner of the tables that starts each connection as the app', () =>
    refusedFor(`${testApp.url}?options=-c%20role%3Danteroom_app`, /is a superuser|owns tables/));

  test('a superuser', async () => refusedFor(await login('superuser'), /is a superuser/));

  test('a login with BYPASSRLS', async () => refusedFor(await login('bypassrls'), /bypasses row-level security/));

  test('a login that may create roles', async () => refusedFor(await login('createrole'), /may create roles/));

  test('a member of the role that owns the functions before an office is known', async () =>
    refusedFor(await login('noinherit', 'grant anteroom_door to $'), /can become anteroom_door, which owns functions/));

  test('a member of a role with BYPASSRLS, although it does not inherit', async () => {
    await login('');
    const powerful = roles[0] as string;
    await sql.raw(`alter role ${powerful} bypassrls`).execute(testApp.owner);
    await refusedFor(await login('noinherit', `grant ${powerful} to $`), /bypasses row-level security as login_/);
  });

  test('the owner of the database', async () => {
    const url = await login('');
    const { database } = (await sql<{ database: string }>`select current_database() as database`.execute(testApp.owner))
      .rows[0] as { database: string };
    const [before] = (
      await sql<{
        owner: string;
      }>`select datdba::regrole::text as owner from pg_database where datname = ${database}`.execute(testApp.owner)
    ).rows;
    await sql.raw(`alter database ${database} owner to ${roles[0]}`).execute(testApp.owner);
    try {
      await refusedFor(url, /owns schemas of the database|pg_database_owner/);
    } finally {
      await sql.raw(`alter database ${database} owner to ${before?.owner}`).execute(testApp.owner);
    }
  });

  describe('a login’s own settings', () => {
    const asLogin = async (url: string, ...statements: string[]) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        let last: pg.QueryResult = await client.query('select 1');
        for (const statement of statements) last = await client.query(statement);
        return last;
      } finally {
        await client.end();
      }
    };

    test('a login with row_security = off fails to read, and shows no row of any office', async () => {
      await testApp.visit();
      await testApp.visit({ office: testApp.other });
      const url = await login('', 'grant anteroom_app to $');
      await asLogin(url, `alter role ${roles[0]} set row_security = off`);
      await expect(
        asLogin(url, "select * from visit where office_id = '019f3333-3333-7333-8333-333333333333'"),
      ).rejects.toMatchObject({
        code: '42501',
        message: expect.stringContaining('row-level security') as string,
      });
      // On Citus the other nodes keep the role's setting, so this one cannot undo it.
      if (onCitus()) return;
      const shown = await asLogin(url, 'set row_security = on', 'select * from visit');
      expect(shown.rowCount).toBe(0);
    });

    test("app.office_id cannot be set as a login's own setting", async () => {
      const url = await login('', 'grant anteroom_app to $');
      await expect(
        asLogin(url, `alter role ${roles[0]} set app.office_id = '${testApp.other.id}'`),
      ).rejects.toMatchObject({
        code: '42501',
      });
    });

    test.each(['row_security = off', 'search_path = pg_temp, public', 'default_transaction_read_only = on'])(
      "a login's own setting is refused at the next connection: %s",
      async (setting) => {
        const url = await login('', 'grant anteroom_app to $');
        await checkAppLogin(url);
        await asLogin(url, `alter role ${roles[0]} set ${setting}`);
        await refusedFor(url, /has settings that the app cannot work with: \w+\. Remove them as the owner: alter role/);
        await sql.raw(`alter role ${roles[0]} reset all`).execute(testApp.owner);
        await checkAppLogin(url);
      },
    );

    test.each([
      'lock_timeout = 5',
      "statement_timeout = '999ms'",
      "statement_timeout = '999000us'",
      "idle_session_timeout = '0500'",
      "idle_in_transaction_session_timeout = '0x1'",
    ])("a login's own time limit below a second is refused at the next connection: %s", async (setting) => {
      const url = await login('', 'grant anteroom_app to $');
      await asLogin(url, `alter role ${roles[0]} set ${setting}`);
      await refusedFor(url, /has settings that the app cannot work with: \w+_timeout\. Remove them as the owner/);
    });

    test('a time limit that stops even the check of the login is refused with what to do', async () => {
      const url = await login('', 'grant anteroom_app to $');
      await asLogin(url, `alter role ${roles[0]} set statement_timeout = 1`);
      await refusedFor(url, /statement_timeout/);
      await sql.raw(`alter role ${roles[0]} reset all`).execute(testApp.owner);
      await checkAppLogin(url);
    });

    test.each(['statement_timeout = 0', 'lock_timeout = 1000', "statement_timeout = '2 s'", "lock_timeout = '1min'"])(
      "a login's own time limit of a second or more, or none, is accepted: %s",
      async (setting) => {
        const url = await login('', 'grant anteroom_app to $');
        await asLogin(url, `alter role ${roles[0]} set ${setting}`);
        await checkAppLogin(url);
      },
    );

    test("a login's own settings of time and speed are accepted", async () => {
      const url = await login('', 'grant anteroom_app to $');
      await asLogin(
        url,
        `alter role ${roles[0]} set statement_timeout = '30s'`,
        `alter role ${roles[0]} set work_mem = '8MB'`,
      );
      await checkAppLogin(url);
    });
  });

  test("a login without the rights of the app's role", async () =>
    refusedFor(await login(''), /is neither anteroom_app nor a member of it.*grant anteroom_app to/s));

  test("a login that is only a member of the app's role is accepted", async () => {
    const url = await login('', 'grant anteroom_app to $');
    await checkAppLogin(url);
    const pool = openPool(url);
    expect((await pool.query('select * from visit')).rowCount).toBe(0);
    await pool.end();
  });
});

describe('the server', () => {
  test('the server refuses to start if DATABASE_URL is the owner, and says what to set instead', async () => {
    const started = startProcess(testApp.url, { DATABASE_URL: testApp.url, MIGRATE_DATABASE_URL: '' });
    await expect(started).rejects.toThrow(/did not start: the login .* of DATABASE_URL .* MIGRATE_DATABASE_URL/s);
  });

  test('the server starts without the owner’s login on a current database, and refuses an older one', async () => {
    const withoutOwner = { MIGRATE_DATABASE_URL: '', NODE_ENV: 'production', LOCAL_PROVIDERS: '1', DEMO: '' };
    const server = await startProcess(testApp.url, withoutOwner);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop();
    const older = await freshDatabase();
    const owner = new pg.Client(older.url);
    await owner.connect();
    await owner.query(`comment on schema auth is '0001_house.sql'`);
    await owner.end();
    await expect(startProcess(older.url, withoutOwner)).rejects.toThrow(
      /the database is at 0001_house.sql, this version needs .*database migrate/s,
    );
    await older.drop();
  });

  test('the server refuses to create the demo without the owner’s login', async () => {
    await expect(startProcess(testApp.url, { MIGRATE_DATABASE_URL: '', DEMO: '1' })).rejects.toThrow(
      /did not start: the demo's offices .* MIGRATE_DATABASE_URL/,
    );
  });
});

describe('a database that takes no writes', () => {
  test('a write to a read-only database is answered 503 with Retry-After, and its connection is dropped', async () => {
    const visit = await testApp.visit();
    const database = new URL(testApp.url).pathname.slice(1);
    await sql.raw(`alter database ${database} set default_transaction_read_only = on`).execute(testApp.owner);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'anteroom_app'`.execute(
      testApp.owner,
    );
    await expect.poll(() => testApp.services.pool.totalCount).toBe(0);
    const refused = await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } });
    expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // As after a promotion: new connections can write, and the read-only ones are gone.
    await sql.raw(`alter database ${database} set default_transaction_read_only = off`).execute(testApp.owner);
    await expect
      .poll(async () => (await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } })).status)
      .toBe(200);
  });

  describe('a real standby', () => {
    let dataDir: string;
    let postgres: Awaited<ReturnType<typeof start>>;
    const start = () => startEmbeddedPostgres({ dataDir, major: process.env.TEST_POSTGRES === '15' ? 15 : 18 });
    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'anteroom-standby-'));
      postgres = await start();
      await migrate(postgres.url, postgres.appUrl);
    });
    afterAll(async () => {
      await postgres.release();
      await rm(dataDir, { recursive: true, force: true });
    });

    test('calls to a standby get 503 until it is promoted, and then work without a restart', async () => {
      const clinic = await openTestApp({ url: postgres.url, appUrl: postgres.appUrl });
      clinic.services.log.level = 'silent';
      const visit = await clinic.visit();
      const move = () => clinic.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } });
      await postgres.release();
      await writeFile(join(dataDir, 'postgres/data/standby.signal'), '');
      postgres = await start();
      await expect.poll(async () => (await move()).status).toBe(503);
      for (const answer of [await move(), await clinic.call(queue.listQueue, { query: {} })]) {
        expect(answer.status).toBe(503);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      // What a call still does after its answer has a connection for a moment longer.
      await expect.poll(() => clinic.services.pool.totalCount).toBe(0);
      const superuser = new pg.Client(postgres.url);
      await superuser.connect();
      await superuser.query('select pg_promote()');
      await superuser.end();
      await expect.poll(async () => (await move()).status).toBe(200);
      await clinic.close();
    });
  });
});

test('the app’s login gets the password of DATABASE_URL only while it cannot log in', async () => {
  const other = appUrlOf(testApp.url).replace(/:[^:@]+@/, ':another-password@');
  await migrate(testApp.url, other);
  await expect(checkAppLogin(other)).rejects.toThrow(/DATABASE_URL cannot log in/);
  await checkAppLogin(appUrlOf(testApp.url));
});
