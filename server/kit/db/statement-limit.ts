import { sql } from 'kysely';
import type { Tx } from './db.ts';

/** From here on PostgreSQL cancels a statement of this transaction that runs past `until` (ms, like `Date.now()`), also while it waits for a lock. */
export async function endStatementsAfter(tx: Tx, until: number): Promise<void> {
  const ms = Math.max(1, until - Date.now());
  await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(tx);
}

const queryCanceled = '57014';

/** Whether PostgreSQL canceled the statement because of that limit. */
export const isStatementTooLong = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === queryCanceled;
