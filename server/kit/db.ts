import { CamelCasePlugin, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from '#db/tables.ts';

export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, String);

/** The role every request runs as: it owns nothing and cannot bypass row-level security. */
export const appRole = 'anteroom_app';

/**
 * Opens the pool of the app's role on `url` (whatever login the address holds, each connection starts as that role).
 * `max` connections; a lost connection is dropped and made again, never thrown.
 */
export function openPool(url: string, max = 20): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    options: `-c role=${appRole}`,
    application_name: 'anteroom',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
  });
  pool.on('error', () => undefined);
  return pool;
}

/** A small pool of the owner's login: migrations, the operator's commands, the demo's offices. */
export function openOwnerPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'anteroom-owner' });
  pool.on('error', () => undefined);
  return pool;
}

/** Kysely on a pool, camelCase in TypeScript and snake_case in the database. */
export function openDb(pool: pg.Pool): Db {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** The one door to an office's rows: a transaction in which row-level security shows that office and no other. */
export function asOffice<T>(db: Db, officeId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('app.office_id', ${officeId}, true)`.execute(tx);
    return work(tx);
  });
}

/** True for errors that mean "the database is away right now", answered 503 with Retry-After. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  return (
    /^(57P0[1-5]|08\w{3}|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND)$/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  );
}
