import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patient, queue } from '#contract/index.ts';
import { inviteDueVisits } from '#server/features/queue/jobs.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { addRowsBefore, firstRelease } from '#testing/fixtures/first-release-rows.ts';
import { releaseHeldTexts, sendDueTexts, textsTakenByCarrier } from '#testing/fixtures/texts.ts';
import { checkAppLogin } from './app-login.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { migrate } from './migrate.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'anteroom-migrate-'));
  postgres = await startEmbeddedPostgres({ dataDir, major: process.env.TEST_POSTGRES === '15' ? 15 : 18 });
});
afterAll(async () => {
  await postgres.release();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs statements as the superuser; returns a new login's URL of its own database. */
async function asSuperuser(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
async function loginWithDatabase(name: string, attributes = ''): Promise<string> {
  await asSuperuser(
    `create role ${name} login password 'a-password' ${attributes}`,
    `create database ${name} owner ${name}`,
  );
  return Object.assign(new URL(postgres.url), {
    username: name,
    password: 'a-password',
    pathname: `/${name}`,
  }).toString();
}

/** The app's login to the database of an owner's URL. */
function appUrlOn(ownerUrl: string): string {
  return Object.assign(new URL(postgres.appUrl), { pathname: new URL(ownerUrl).pathname }).toString();
}

/** The main flow on this database: a patient checks in, is invited by hand and by the timer, and sees it on the phone. */
async function mainJobWorks(url: string): Promise<void> {
  const testApp = await openTestApp({ url, appUrl: appUrlOn(url) });
  try {
    const visit = await testApp.visit();
    expect((await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } })).status).toBe(200);
    expect((await testApp.call(queue.listQueue, { query: {} })).body).toHaveLength(1);
    const page = await testApp.call(patient.readPatientVisit, { params: { token: visit.token } }, { as: null });
    expect(page.body.statusCode).toBe('INVITED');
    const timed = await testApp.office({ queueSettings: { autoInviteEnabled: true, autoInviteWaitTime: 60 } });
    await testApp.visit({ office: timed });
    testApp.later(2);
    await inviteDueVisits(testApp.services);
    expect((await testApp.call(queue.listQueue, { query: {} }, { as: timed })).body[0]?.statusCode).toBe('INVITED');
    expect(await testApp.texts()).toHaveLength(1);
    const { rows } = await testApp.services.pool.query<{ me: string; all: number }>(
      'select current_user::text as me, (select count(*)::int from visit) as all',
    );
    expect(rows).toEqual([{ me: 'anteroom_app', all: 0 }]);
  } finally {
    await testApp.close();
  }
}

test('a login that may create roles and databases migrates a fresh server and runs the product', async () => {
  const url = await loginWithDatabase('clinic', 'createrole createdb');
  await Promise.all([migrate(url), migrate(url), migrate(url)]);
  await mainJobWorks(url);
  await migrate(url);
});

test('a login that may not create roles works with existing ones', async () => {
  const url = await loginWithDatabase('modest');
  await asSuperuser('grant anteroom_door to modest');
  await Promise.all([migrate(url), migrate(url)]);
  await mainJobWorks(url);
});

test('a login without those roles gets an error that says so', async () => {
  const url = await loginWithDatabase('stranger');
  await expect(migrate(url)).rejects.toThrow(/permission denied|must have admin option/);
});

test('an owner who may create roles creates the login of DATABASE_URL, and leaves a working login unchanged', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'anteroom-login-'));
  const fresh = await startEmbeddedPostgres({ dataDir: dir, major: process.env.TEST_POSTGRES === '15' ? 15 : 18 });
  try {
    const superuser = new pg.Client({ connectionString: fresh.url });
    await superuser.connect();
    await superuser.query('drop role anteroom_app');
    await superuser.query(`create role clinic login password 'a-password' createrole`);
    await superuser.query('create database clinic owner clinic');
    const login = (username: string, password: string) =>
      Object.assign(new URL(fresh.url), { username, password, pathname: '/clinic' }).toString();
    const owner = login('clinic', 'a-password');
    const app = login('anteroom_app', 'p%40ss wörd');
    await Promise.all([migrate(owner, app), migrate(owner, app)]);
    await checkAppLogin(app);
    await migrate(owner, login('anteroom_app', 'mistyped'));
    await checkAppLogin(app);
    const { rows } = await superuser.query<{ settings: string[] }>(
      `select rolconfig as settings from pg_roles where rolname = 'anteroom_app'`,
    );
    expect(rows).toEqual([{ settings: ['plan_cache_mode=force_generic_plan'] }]);
    await superuser.end();
  } finally {
    await fresh.release();
    await rm(dir, { recursive: true, force: true });
  }
});

test('a migration blocked by a long query stops at its lock timeout, names itself and changes nothing', async () => {
  const url = await loginWithDatabase('busy', 'createrole');
  await asSuperuser('grant anteroom_door to busy');
  const [first, second] = ['0121_ready_items.sql', '0122_lock_minutes.sql'];
  await migrate(url, undefined, { last: first });
  const reader = new pg.Client({
    connectionString: Object.assign(new URL(postgres.url), { pathname: '/busy' }).toString(),
  });
  await reader.connect();
  const lines: string[] = [];
  const upgrade = () => migrate(url, undefined, { last: second, lockSeconds: 1, say: (line) => void lines.push(line) });
  try {
    await reader.query(
      `begin; do $$ declare name text; begin
         for name in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname in ('public', 'auth') and tablename <> 'schema_migration'
         loop execute 'lock table ' || name || ' in access share mode'; end loop;
       end $$`,
    );
    await expect(upgrade()).rejects.toThrow(new RegExp(`migration ${second} waited 1 s .* Nothing was changed`));
    const { rows } = await reader.query<{ newest: string }>('select max(name) as newest from schema_migration');
    expect(rows).toEqual([{ newest: first }]);
    await reader.query('rollback');
    lines.length = 0;
    await upgrade();
    expect(lines).toEqual([`Migrating the database: ${second}`]);
  } finally {
    await reader.end();
  }
});

test('the next start resets settings that the app’s login gave itself', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'anteroom-settings-'));
  const fresh = await startEmbeddedPostgres({ dataDir: dir, major: process.env.TEST_POSTGRES === '15' ? 15 : 18 });
  try {
    await migrate(fresh.url, fresh.appUrl);
    const app = new pg.Client({ connectionString: fresh.appUrl });
    await app.connect();
    await app.query('alter role anteroom_app set row_security = off');
    await app.query('alter role anteroom_app in database anteroom set search_path = pg_temp');
    await app.query('alter role anteroom_app set lock_timeout = 1');
    await app.end();
    await expect(checkAppLogin(fresh.appUrl)).rejects.toThrow(/lock_timeout, row_security, search_path/);
    const lines: string[] = [];
    await migrate(fresh.url, fresh.appUrl, { say: (line) => void lines.push(line) });
    expect(lines.join()).toMatch(/row_security.*search_path|search_path.*row_security/);
    expect(lines.join()).toContain('lock_timeout');
    await checkAppLogin(fresh.appUrl);
  } finally {
    await fresh.release();
    await rm(dir, { recursive: true, force: true });
  }
});

test('an owner without BYPASSRLS upgrades a database with rows, and no row is lost', async () => {
  const url = await loginWithDatabase('upgrading');
  await asSuperuser(
    `do $$ begin create role anteroom_door nologin noinherit nobypassrls; exception when duplicate_object then null; end $$`,
    'grant anteroom_door to upgrading',
  );
  await migrate(url, undefined, { last: firstRelease });
  const client = new pg.Client({
    connectionString: Object.assign(new URL(postgres.url), { pathname: '/upgrading' }).toString(),
  });
  await client.connect();
  const all = async <Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []) =>
    (await client.query<Row>(statement, values)).rows;
  const before = await addRowsBefore(client);
  const tables = await all<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema in ('public', 'auth') and table_type = 'BASE TABLE' and table_name not in ('schema_migration', 'queue_version', 'text_reply')`,
  );
  const counts = () =>
    all(tables.map(({ name }) => `select '${name}' as name, count(*)::int as n from ${name}`).join(' union all '));
  const countsBefore = await counts();

  await migrate(url, undefined, { last: '0122_lock_minutes.sql' });
  await migrate(url);
  try {
    expect(await counts()).toEqual(countsBefore);
    expect(
      await all(
        `select (select office_id from door_invitation_by_token($1, now())) as invitation,
         (select office_id from door_share_by_token($2)) as share,
         (select id from door_text_by_provider($3)) as text,
         (select office_id from door_agreement_by_request('local', 'request-1')) as agreement`,
        [hashToken(before.invitationToken), hashToken(before.shareToken), `SM-${before.today.texted.id}`],
      ),
    ).toEqual([
      {
        invitation: before.offices[0],
        share: before.offices[0],
        text: before.today.texted.id,
        agreement: before.offices[0],
      },
    ]);
    expect(await all('select confirmed_by, confirmed_at = created_at as at_once from office')).toEqual(
      before.offices.map(() => ({ confirmed_by: 'migration', at_once: true })),
    );
    expect(await all('select email, phone from membership')).toEqual([{ email: before.email, phone: null }]);
    expect(
      await all(
        'select kind, count(*)::int as n, count(expires_at)::int as ending from auth.office_directory group by kind order by kind',
      ),
    ).toEqual([
      { kind: 'agreement', n: 1, ending: 0 },
      { kind: 'invitation_link', n: 1, ending: 1 },
      { kind: 'invited', n: 1, ending: 1 },
      { kind: 'npi', n: 2, ending: 0 },
      { kind: 'person', n: 1, ending: 0 },
      { kind: 'share_link', n: 1, ending: 0 },
      { kind: 'text_number', n: 2, ending: 0 },
      { kind: 'visit_link', n: 7, ending: 7 },
    ]);
    const { today, longAgo, waiting } = before;
    const bodies = await all<{ body: string; state: string }>(
      `select m.body, 'sent' as state from message m union all select body, state from text`,
    );
    for (const { body, state } of bodies)
      expect(body).toMatch(state === 'queued' || state === 'held' ? /\/visit\// : /^Please come in now. \{link\}$/);
    expect(await all('select token_id from form_submission order by token_id')).toEqual(
      [today, longAgo, waiting]
        .map(({ poster }) => ({ token_id: poster.id }))
        .sort((a, b) => (a.token_id < b.token_id ? -1 : 1)),
    );

    const testApp = await openTestApp({ url, appUrl: appUrlOn(url), at: new Date(before.now) });
    try {
      const look = async (token: string) =>
        (await testApp.call(patient.readPatientVisit, { params: { token } }, { as: null })).body.access;
      // A patient filling a form on the poster's link continues until the texted link is opened.
      expect(await look(today.poster.token)).toBe('own');
      expect(await look(today.texted.token)).toBe('all');
      expect(await look(today.poster.token)).toBe('status');
      expect(await look(longAgo.poster.token)).toBe('status');
      expect(await look(longAgo.texted.token)).toBe('all');

      await releaseHeldTexts(testApp.services);
      await sendDueTexts(testApp.services);
      const sent = (await textsTakenByCarrier(testApp, waiting.phone)).map(({ body }) => body);
      for (const { token } of [waiting.queued, waiting.held])
        expect(sent).toContain(`Please come in now. http://localhost:3000/visit/${token}`);
      expect(await all(`select distinct state, body from text`)).not.toContainEqual(
        expect.objectContaining({ body: expect.stringContaining('/visit/') as string }),
      );

      const [npi, headers] = ['2345678901', { 'x-office': before.offices[0] ?? '' }];
      const asStaff = { as: { token: before.staffToken }, headers };
      const listed = await testApp.call(queue.listQueue, { query: {} }, asStaff);
      expect(listed.body.map((entry) => [entry.npi, entry.id]).sort()).toEqual(
        [today, waiting].map(({ id }) => [npi, id]).sort(),
      );
    } finally {
      await testApp.close();
    }
  } finally {
    await client.end();
  }
});
