import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { appRole } from './db.ts';
import { projectRoot } from './project-root.ts';

/**
 * Brings the database at `url` (an owner's login) to the newest `db/migrations/*.sql`, under a lock: two processes starting at once are fine.
 * Makes the roles when the login may; throws what PostgreSQL says when it may not.
 */
export async function migrate(url: string): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 2 }) }),
  });
  try {
    for (const role of [appRole, 'anteroom_door']) await haveRole(db, role);
    const { error } = await new Migrator({
      db,
      provider: { getMigrations },
      migrationTableName: 'schema_migration',
    }).migrateToLatest();
    if (error) throw error;
  } finally {
    await db.destroy();
  }
}

async function getMigrations() {
  const folder = join(projectRoot, 'db/migrations');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Object.fromEntries(
    files.map((file) => [
      file,
      {
        up: async (db: Kysely<unknown>) => void (await sql.raw(await readFile(join(folder, file), 'utf8')).execute(db)),
      },
    ]),
  );
}

/** Roles belong to the whole cluster, so another database may be making the same one right now: then it is looked at again. */
async function haveRole(db: Kysely<unknown>, role: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await sql.raw(makeRole(role)).execute(db);
      return;
    } catch (error) {
      if (tries === 5 || !madeMeanwhile.has((error as { code?: string }).code ?? '')) throw error;
      await sleep(50);
    }
  }
}

/** It is there already, not yet seen here, or its row was changed under us. */
const madeMeanwhile = new Set(['42710', '23505', '42704', '22023', 'XX000']);

/** Makes the role and lets this login act as it, unless it may already. */
const makeRole = (role: string) => `
  do $$ begin
    perform pg_advisory_xact_lock(7306094);
    if not exists (select from pg_roles where rolname = '${role}') then
      create role ${role} nologin noinherit nobypassrls;
    end if;
    begin
      set local role ${role};
      reset role;
    exception when insufficient_privilege then
      grant ${role} to current_user;
    end;
  end $$`;
