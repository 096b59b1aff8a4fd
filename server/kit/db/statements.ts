import { ExpressionWrapper, sql, type OperationNodeSource } from 'kysely';
import type { Tx } from './db.ts';
import { isDirectoryStatement } from './office-directory.ts';
import { hintAfterCommit, hintChannel, isPartOfTransaction, type Hint } from '#server/kit/live/hint.ts';

/** Statements that are not executed yet, and the hints about them. Several can be run as one statement by `runTogether`. */
export interface Statements {
  statements: OperationNodeSource[];
  /** Run after all other statements, in this order: they lock rows that every transaction must lock last, such as a conversation's. */
  last?: OperationNodeSource[];
  hints: Hint[];
}

/**
 * Executes statements that do not read each other's rows, and sends their hints, as one statement: one round trip, one plan. Entries of the
 * office directory are separate statements, because the directory belongs to no office; `last` statements follow.
 */
export async function runTogether(tx: Tx, ...changes: Statements[]): Promise<void> {
  const all = changes.flatMap((change) => change.statements);
  const statements = all.filter((statement) => !isDirectoryStatement(statement));
  const entries = all.filter(isDirectoryStatement);
  const last = changes.flatMap((change) => change.last ?? []);
  const hints = changes.flatMap((change) => change.hints);
  const notifications = hints
    .filter(isPartOfTransaction)
    .map((hint) => sql`pg_notify(${hintChannel}, ${JSON.stringify(hint)})`);
  const steps = statements.map(
    (step, i) => sql`${sql.ref(`w${i}`)} as (${new ExpressionWrapper(step.toOperationNode())})`,
  );
  const rows = steps.length > 0 ? sql`with ${sql.join(steps)} ` : sql``;
  const laterHints = hints.filter((hint) => !isPartOfTransaction(hint));
  await Promise.all([
    ...(steps.length + notifications.length > 0
      ? [sql`${rows}select ${notifications.length > 0 ? sql.join(notifications) : sql`1`}`.execute(tx)]
      : []),
    ...laterHints.map((hint) => sql`${sql.raw(hintAfterCommit)}${JSON.stringify(hint)})`.execute(tx)),
    ...[...entries, ...last].map((entry) => sql`${new ExpressionWrapper(entry.toOperationNode())}`.execute(tx)),
  ]);
}

/** Sends a hint to every process, and from there to the open screens, once the transaction has committed. */
export function sendHint(tx: Tx, hint: Hint): Promise<void> {
  return runTogether(tx, { statements: [], hints: [hint] });
}
