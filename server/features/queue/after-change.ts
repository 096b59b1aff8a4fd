import type { OfficeScope } from '#server/context.ts';
import { arrivalPushStatement } from '#server/features/push/index.ts';
import { auditStatement, type NewAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether, type Statements } from '#server/kit/db/statements.ts';
import { queueVersionStatement } from '#server/queue-version.ts';

type VisitChange = Omit<NewAuditEntry, 'subject'> & { hint?: 'checkin' | 'message' };

/** What each change of a visit ends with, in its transaction: a new version of the queue, the audit entry, the hint, an arrival's push. */
export function visitChangeStatements(
  tx: Tx,
  scope: OfficeScope,
  visit: { id: string; day: string },
  entry: VisitChange,
): Statements {
  const { hint = 'checkin', ...written } = entry;
  const arrived = written.action === 'visit.arrive' || written.details?.move === 'arrive';
  return {
    statements: [
      queueVersionStatement(tx, scope.officeId, visit.day, [visit.id]),
      auditStatement(tx, scope, { ...written, subject: visit.id }),
    ],
    ...(arrived && { last: [arrivalPushStatement(tx, scope.officeId, scope.now())] }),
    hints: [{ office: scope.officeId, visit: visit.id, type: hint, ...(arrived && { arrived }) }],
  };
}

/** Executes `visitChangeStatements`. */
export function announceVisitChange(
  tx: Tx,
  scope: OfficeScope,
  visit: { id: string; day: string },
  entry: VisitChange,
): Promise<void> {
  return runTogether(tx, visitChangeStatements(tx, scope, visit, entry));
}
