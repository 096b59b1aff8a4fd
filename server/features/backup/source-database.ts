import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '#server/env.ts';
import { UsageError } from '#server/kit/command.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import type { BackupHeader } from './backup-format.ts';
import { databaseFacts, hasDistributedTables, hasTables, loginOf } from './sql.ts';

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
  const login = await loginOf(ownerUrl);
  if (!login?.readsAllRows)
    throw new UsageError(
      `The login "${login?.name}" of MIGRATE_DATABASE_URL cannot read all practices' rows, because row-level security restricts it. ` +
        `Give the owner's login, and as an administrator allow it to: alter role "${login?.name}" bypassrls.`,
    );
}

/**
 * Throws UsageError for a Citus database with distributed tables. pg_dump reads the nodes at different moments there: a copy could hold a
 * patient without the visit, and would be refused only when it is restored.
 */
export async function expectOneServer(ownerUrl: string): Promise<void> {
  if (await hasDistributedTables(ownerUrl))
    throw new UsageError(
      'This database is on several nodes, and a copy through one of them would not be of one moment. ' +
        'Back up each node with the tools of PostgreSQL: docs/growing.md (Backups of several nodes).',
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
  if (!(await hasTables(ownerUrl)))
    throw new UsageError('There is nothing to back up: the database holds no tables of this program.');
  const row = await databaseFacts(ownerUrl);
  return {
    postgres: row.postgres,
    major: Math.floor(Number(row.versionNumber) / 10_000),
    schema: row.schema,
    owner: row.owner,
    offices: row.offices,
    newestAuditEntry: row.newestAuditEntry?.toISOString() ?? null,
  };
}
