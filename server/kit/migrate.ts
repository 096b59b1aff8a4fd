import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
    for (const role of [appRole, 'anteroom_door']) await sql.raw(makeRole(role)).execute(db);
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

/** Roles belong to the whole cluster, so another database may be making the same one right now. */
const makeRole = (role: string) => `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${role}') then
      begin
        create role ${role} nologin noinherit nobypassrls;
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    if not pg_has_role(current_user, '${role}', 'member') or not (select rolsuper from pg_roles where rolname = current_user) then
      begin
        grant ${role} to current_user;
      exception when unique_violation or object_in_use then null;
      end;
    end if;
  end $$`;
