import { ExpressionWrapper, sql, type OperationNodeSource } from 'kysely';
import type { Tx } from './db.ts';
import { isDirectoryStatement } from './office-directory.ts';
import { hintChannel, type Hint } from '#server/kit/live/hint.ts';

/** Rows to write and the hints about them. Not executed yet, so that several changes can share one statement. */
export interface Change {
  writes: OperationNodeSource[];
  hints: Hint[];
}

/**
 * Executes changes that do not read each other, and sends their hints, as one statement: one round trip, one plan. Entries of the directory
 * are statements of their own beside it, because the directory belongs to no office.
 */
export async function write(tx: Tx, ...changes: Change[]): Promise<void> {
  const all = changes.flatMap((change) => change.writes);
  const writes = all.filter((statement) => !isDirectoryStatement(statement));
  const entries = all.filter(isDirectoryStatement);
  const hints = changes.flatMap((change) => change.hints);
  const notifications = hints.map((hint) => sql`pg_notify(${hintChannel}, ${JSON.stringify(hint)})`);
  const steps = writes.map((step, i) => sql`${sql.ref(`w${i}`)} as (${new ExpressionWrapper(step.toOperationNode())})`);
  const rows = steps.length > 0 ? sql`with ${sql.join(steps)} ` : sql``;
  await Promise.all([
    sql`${rows}select ${notifications.length > 0 ? sql.join(notifications) : sql`1`}`.execute(tx),
    ...entries.map((entry) => sql`${new ExpressionWrapper(entry.toOperationNode())}`.execute(tx)),
  ]);
}

/** Sends a hint to every process, and through it to the open screens. It leaves with the commit, or not at all. */
export function sendHint(tx: Tx, hint: Hint): Promise<void> {
  return write(tx, { writes: [], hints: [hint] });
}
