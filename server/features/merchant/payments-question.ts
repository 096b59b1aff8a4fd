import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { savePaymentsAnswer } from './sql.ts';

/** No card payments for now: the question is answered and does not come back. */
export async function skipPayments(ctx: OfficeCtx): Promise<{ paymentsQuestionCompleted: boolean }> {
  await ctx.transaction((tx) => answerQuestion(tx, ctx, 'skipped'));
  return { paymentsQuestionCompleted: true };
}

/** The office's first answer counts. Repeating it changes nothing, and a late skip does not revoke a yes. */
export async function answerQuestion(tx: Tx, scope: OfficeScope, answer: 'wanted' | 'skipped'): Promise<void> {
  const changed = await savePaymentsAnswer(tx, scope.officeId, answer === 'wanted' ? scope.now() : null);
  if (changed)
    await writeAuditEntry(tx, scope, {
      action: 'settings.change',
      subject: 'payments',
      details: { changed: 'cardPayments', said: answer },
    });
}
