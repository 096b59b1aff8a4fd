import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '#server/env.ts';
import { UsageError } from '#server/kit/command.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { runStatement } from './run-statement.ts';
import type { BackupHeader } from './backup-format.ts';

/** The database to back up, reached with its owner's login. */
export interface SourceDatabase {
  ownerUrl: string;
  kind: BackupHeader['database']['kind'];
  release(): Promise<void>;
}

/** Opens the database with the login that copies it. Does not migrate: the backup before an upgrade has the old schema. */
export async function openSourceDatabase(env: Env): Promise<SourceDatabase> {
  if (env.databaseUrl !== undefined) {
    if (env.migrateDatabaseUrl === undefined)
      throw new UsageError(
        "This command needs the owner's login: give it as MIGRATE_DATABASE_URL. The login of DATABASE_URL cannot read all practices' rows.",
      );
    return { ownerUrl: env.migrateDatabaseUrl, kind: 'dump', release: async () => undefined };
  }
  if (!existsSync(join(env.dataDir, 'postgres/data')))
    throw new UsageError(`There is nothing to back up: ${env.dataDir} holds no database. Is DATA_DIR right?`);
  const embedded = await startEmbeddedPostgres({ dataDir: env.dataDir });
  return { ownerUrl: embedded.url, kind: 'folder', release: () => embedded.release() };
}

/** Throws UsageError unless the login can read and write the rows of all practices: forced row-level security binds the owner as well. */
export async function expectAllRows(ownerUrl: string): Promise<void> {
  const [login] = await runStatement<{ name: string; all: boolean }>(
    ownerUrl,
    'select rolname as name, rolsuper or rolbypassrls as all from pg_roles where rolname = current_user',
  );
  if (!login?.all)
    throw new UsageError(
      `The login "${login?.name}" of MIGRATE_DATABASE_URL cannot read all practices' rows, because row-level security restricts it. ` +
        `Give the owner's login, and as an administrator allow it to: alter role "${login?.name}" bypassrls.`,
    );
}

export interface DatabaseFacts {
  postgres: string;
  major: number;
  schema: string;
  /** The role that the tables belong to. */
  owner: string;
  offices: number;
  newestAuditEntry: string | null;
}

/** Reads the database facts for a backup's first and last entry. Throws UsageError if it is not a database of this program. */
export async function readFacts(ownerUrl: string): Promise<DatabaseFacts> {
  const [tables] = await runStatement<{ found: boolean }>(
    ownerUrl,
    "select to_regclass('public.schema_migration') is not null and to_regclass('public.office') is not null as found",
  );
  if (!tables?.found)
    throw new UsageError('There is nothing to back up: the database holds no tables of this program.');
  const [row] = await runStatement<{
    postgres: string;
    num: string;
    schema: string;
    owner: string;
    offices: number;
    newest: Date | null;
  }>(
    ownerUrl,
    `select current_setting('server_version') as postgres, current_setting('server_version_num') as num,
       (select max(name) from schema_migration) as schema,
       (select pg_get_userbyid(relowner)::text from pg_class where oid = 'public.office'::regclass) as owner,
       (select count(*)::int from office) as offices, (select max(at) from audit_entry) as newest`,
  );
  if (!row) throw new Error('PostgreSQL answered without a row');
  return {
    postgres: row.postgres,
    major: Math.floor(Number(row.num) / 10_000),
    schema: row.schema,
    owner: row.owner,
    offices: row.offices,
    newestAuditEntry: row.newest?.toISOString() ?? null,
  };
}
