import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { savePaymentsAnswer } from './sql.ts';

interface PaymentsAnswer {
  paymentsQuestionCompleted: boolean;
}

/** No card payments for now: the question is answered and does not come back. */
export async function skipPayments(ctx: OfficeCtx): Promise<PaymentsAnswer> {
  return answer(ctx, 'skipped');
}

/** The office wants card payments. The request is stored; this installation has no hosted forms yet, so there is no link. */
export async function openMerchantForms(ctx: OfficeCtx): Promise<PaymentsAnswer & { onboarding_link: null }> {
  return { onboarding_link: null, ...(await answer(ctx, 'wanted')) };
}

/** The office's first answer counts. Repeating it changes nothing, and a late skip does not revoke a yes. */
async function answer(ctx: OfficeCtx, said: 'wanted' | 'skipped'): Promise<PaymentsAnswer> {
  return ctx.transaction(async (tx) => {
    const wantedAt = said === 'wanted' ? ctx.now() : null;
    const changed = await savePaymentsAnswer(tx, ctx.officeId, wantedAt);
    if (changed)
      await writeAuditEntry(tx, ctx, {
        action: 'settings.change',
        subject: 'payments',
        details: { changed: 'cardPayments', said },
      });
    return { paymentsQuestionCompleted: true };
  });
}
