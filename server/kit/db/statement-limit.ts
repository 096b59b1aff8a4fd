import { sql } from 'kysely';
import type { Tx } from './db.ts';

/** PostgreSQL ends each later statement of this transaction that runs past that time (`Date.now()`), also one that waits for a lock. */
export async function endStatementsAfter(tx: Tx, until: number): Promise<void> {
  const ms = Math.max(1, until - Date.now());
  await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(tx);
}

const queryCanceled = '57014';

/** Whether the error is such an end. */
export const isStatementTooLong = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === queryCanceled;
