import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Env } from '#server/env.ts';
import { Mistake } from '#server/kit/command.ts';
import { startEmbeddedPostgres } from '#server/kit/embedded-postgres.ts';
import type { BackupHeader } from './description.ts';

/** The database to back up, reached with its owner's login. */
export interface SourceDatabase {
  ownerUrl: string;
  kind: BackupHeader['database']['kind'];
  release(): Promise<void>;
}

/** The one place that knows which login copies the database. Migrates nothing: the backup before an upgrade is of the old schema. */
export async function openSourceDatabase(env: Env): Promise<SourceDatabase> {
  if (env.databaseUrl !== undefined) return { ownerUrl: env.databaseUrl, kind: 'dump', release: async () => undefined };
  if (!existsSync(join(env.dataDir, 'postgres/data')))
    throw new Mistake(`There is nothing to back up: ${env.dataDir} holds no database. Is DATA_DIR right?`);
  const embedded = await startEmbeddedPostgres({ dataDir: env.dataDir });
  return { ownerUrl: embedded.url, kind: 'folder', release: () => embedded.release() };
}

export interface DatabaseFacts {
  postgres: string;
  major: number;
  schema: string;
  offices: number;
  newestAuditEntry: string | null;
}

/** What the first and the last entry of a backup say of the database. Throws Mistake when it is not one of this program. */
export async function readFacts(ownerUrl: string): Promise<DatabaseFacts> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ found: boolean }>(
      "select to_regclass('public.schema_migration') is not null and to_regclass('public.office') is not null as found",
    );
    if (!tables[0]?.found)
      throw new Mistake('There is nothing to back up: the database holds no tables of this program.');
    const { rows } = await client.query<{
      postgres: string;
      num: string;
      schema: string;
      offices: number;
      newest: Date | null;
    }>(`select current_setting('server_version') as postgres, current_setting('server_version_num') as num,
          (select max(name) from schema_migration) as schema, (select count(*)::int from office) as offices,
          (select max(at) from audit_entry) as newest`);
    const [row] = rows;
    if (!row) throw new Error('PostgreSQL answered without a row');
    return {
      postgres: row.postgres,
      major: Math.floor(Number(row.num) / 10_000),
      schema: row.schema,
      offices: row.offices,
      newestAuditEntry: row.newest?.toISOString() ?? null,
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}
