import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { appRole, entryPointRole, harmlessSettings, isRefusedLogin, loginStatement } from './app-login.ts';
import { openOwnerPool } from './db.ts';
import { afterMigration, beforeMigration, distributeNewTables } from './distribute.ts';
import { splitStatements } from './split-statements.ts';
import { projectRoot } from '#server/kit/project-root.ts';

interface MigrateOptions {
  last?: string;
  say?: (line: string) => void;
  /** How long a statement waits for a lock. Meanwhile everybody else who needs the table waits behind it. */
  lockSeconds?: number;
}

const lockNotAvailable = '55P03';

/**
 * Migrates the database at `ownerUrl` to the newest `db/migrations/*.sql`, under a lock, so that two processes can start at once. Creates
 * missing roles, and with `appUrl` the app's login, if the owner may; otherwise throws PostgreSQL's error. `last` names an older migration
 * to stop at, `say` receives the current one. All migrations are one transaction; new tables of a distributed database are distributed after it.
 */
export async function migrate(
  ownerUrl: string,
  appUrl?: string,
  { last, say = () => undefined, lockSeconds = 10 }: MigrateOptions = {},
): Promise<void> {
  const db = openOwner(ownerUrl);
  try {
    await haveRoles(db, appUrl, say);
    let current = '';
    const begin = (file: string) => say(`Migrating the database: ${(current = file)}`);
    const provider = { getMigrations: () => getMigrations(lockSeconds, begin) };
    const migrator = new Migrator({ db, provider, migrationTableName: 'schema_migration' });
    const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
    if ((error as { code?: string } | undefined)?.code === lockNotAvailable)
      throw new Error(
        `the migration ${current} waited ${lockSeconds} s for a table that another query or transaction uses. Nothing was changed. ` +
          `Stop the servers that still run, or wait for the query to end, then start again.`,
        { cause: error },
      );
    if (error) throw error;
    const citus = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
    if (citus.rows.length > 0) await distributeNewTables(ownerUrl, { say });
    const version = last ?? (await newestMigration());
    await retryRace(() => sql.raw(`comment on schema auth is '${version}'`).execute(db));
  } finally {
    await db.destroy();
  }
}

/**
 * For a process without the owner's login: throws unless `database migrate` was run for this version. The app may not read the table of
 * migrations, but everybody may read a schema's comment, and only its owner may change it.
 */
export async function expectMigrated(appUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: appUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string | null }>(
      `select obj_description(to_regnamespace('auth'), 'pg_namespace') as version`,
    );
    const version = rows[0]?.version ?? 'nothing';
    const newest = await newestMigration();
    if (version === 'nothing' || version < newest)
      throw new Error(
        `the database is at ${version}, this version needs ${newest}. Run "script/anteroom database migrate" ` +
          `with the owner's login in MIGRATE_DATABASE_URL, or give MIGRATE_DATABASE_URL to the server.`,
      );
  } finally {
    await client.end().catch(() => undefined);
  }
}

const folder = join(projectRoot, 'db/migrations');
/** The names of this version's migrations, oldest first. */
export const migrationFiles = async () => (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
const newestMigration = async () => (await migrationFiles()).at(-1) ?? '';

async function getMigrations(lockSeconds: number, begin: (file: string) => void) {
  return Object.fromEntries(
    (await migrationFiles()).map((file) => [
      file,
      {
        async up(db: Kysely<unknown>) {
          begin(file);
          // Set only now: waiting for another process's migration, before the first one here, may take any time.
          await sql.raw(`set local lock_timeout = '${lockSeconds}s'`).execute(db);
          await sql.raw(beforeMigration).execute(db);
          for (const statement of splitStatements(await readFile(join(folder, file), 'utf8')))
            await sql.raw(statement).execute(db);
          await sql.raw(afterMigration).execute(db);
        },
      },
    ]),
  );
}

/** Creates the roles that a dump names, before it is restored. */
export async function ensureRoles(ownerUrl: string, appUrl?: string): Promise<void> {
  const db = openOwner(ownerUrl);
  await haveRoles(db, appUrl).finally(() => db.destroy());
}

const openOwner = (connectionString: string) =>
  new Kysely<unknown>({ dialect: new PostgresDialect({ pool: openOwnerPool(connectionString) }) });

async function haveRoles(
  db: Kysely<unknown>,
  appUrl: string | undefined,
  say: (line: string) => void = () => undefined,
): Promise<void> {
  try {
    await retryRace(() => sql.raw(makeAppRole).execute(db));
    await retryRace(() => sql.raw(makeEntryPointRole).execute(db));
    if (appUrl !== undefined) await haveAppLogin(db, appUrl);
    for (const setting of await resetSettings(db))
      say(`Removed a setting of the login ${appRole} that nobody should make: ${setting}.`);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== '42501') throw error;
    throw new Error(`${message}. The owner's login may not make the roles: docs/operating.md (Logins) has the SQL.`, {
      cause: error,
    });
  }
}

/**
 * The app may change its own role's settings, and would then refuse to work. If the owner may reset them, each start does so. Returns their
 * names.
 */
async function resetSettings(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ setting: string; database: string | null }>`
    select split_part(setting, '=', 1) as setting, d.datname as database
    from pg_db_role_setting s cross join unnest(s.setconfig) setting left join pg_database d on d.oid = s.setdatabase
    where s.setrole = ${appRole}::regrole and (s.setdatabase = 0 or d.datname = current_database())
      and setting !~ ${harmlessSettings}`.execute(db);
  const removed: string[] = [];
  for (const { setting, database } of rows) {
    const where = database === null ? sql`` : sql`in database ${sql.id(database)}`;
    const reset = sql`alter role ${sql.id(appRole)} ${where} reset ${sql.id(...setting.split('.'))}`.execute(db);
    // If the owner may not, the app's own check says what to do.
    await reset
      .then(() => removed.push(setting))
      .catch((error: { code?: string }) => {
        if (error.code !== '42501') throw error;
      });
  }
  return removed;
}

/** Gives `anteroom_app` the password in `appUrl` while it cannot log in yet; never touches a login that works. */
async function haveAppLogin(db: Kysely<unknown>, appUrl: string): Promise<void> {
  const { username, password } = new URL(appUrl);
  if (decodeURIComponent(username) !== appRole || password === '') return;
  const { rows } = await sql<{
    can: boolean;
  }>`select rolcanlogin as can from pg_roles where rolname = ${appRole}`.execute(db);
  if (rows[0]?.can) return;
  await retryRace(() => sql.raw(loginStatement(decodeURIComponent(password))).execute(db));
}

/** The embedded PostgreSQL's password file decides: sets the login again if it does not work (a folder from before it existed). */
export async function haveEmbeddedAppLogin(superuser: pg.ClientBase, appUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: appUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    if (!isRefusedLogin(error)) throw error;
    await superuser.query(makeAppRole);
    await superuser.query(loginStatement(new URL(appUrl).password));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Roles belong to the whole server, so another database may be creating or changing the same one concurrently: retry. */
async function retryRace(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === 5 || !raced.has((error as { code?: string }).code ?? '')) throw error;
      await sleep(50);
    }
  }
}

/** It already exists, is not visible here yet, or its row was changed concurrently. */
const raced = new Set(['42710', '23505', '42704', '22023', 'XX000']);

/**
 * Every connection runs the same few statements many times, and a generic plan saves planning them. It is a setting of the role because
 * connection poolers drop startup options. An owner who may not alter the role leaves it as it is: slower, but correct.
 */
const makeAppRole = `
  do $$ begin
    perform pg_advisory_xact_lock(7306094);
    if not exists (select from pg_roles where rolname = '${appRole}') then
      create role ${appRole} nologin noinherit nobypassrls;
    end if;
    if not exists (select from pg_db_role_setting s where s.setrole = '${appRole}'::regrole and s.setdatabase = 0
                   and 'plan_cache_mode=force_generic_plan' = any(s.setconfig)) then
      begin
        alter role ${appRole} set plan_cache_mode = force_generic_plan;
      exception when insufficient_privilege then null;
      end;
    end if;
  end $$`;

/** Creates the role that owns the functions called before an office is known, and lets this login act as it, if needed. */
const makeEntryPointRole = `
  do $$ begin
    perform pg_advisory_xact_lock(7306094);
    if not exists (select from pg_roles where rolname = '${entryPointRole}') then
      create role ${entryPointRole} nologin noinherit nobypassrls;
    end if;
    begin
      set local role ${entryPointRole};
      reset role;
    exception when insufficient_privilege then
      grant ${entryPointRole} to current_user;
    end;
  end $$`;
