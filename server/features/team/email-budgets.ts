import { emailLimits } from '#contract/email.ts';
import type { OfficeCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { takeIn, type Limit } from '#server/kit/http/rate-limits.ts';
import { isLimited } from '#server/office-row.ts';

/**
 * Counts an email of the practice in the caller's transaction, so that parallel emails are counted one after another. Returns the seconds
 * to wait if a limit is reached, else null.
 */
export async function countEmail(tx: Tx, ctx: OfficeCtx, to: string): Promise<number | null> {
  const limits: [Limit, string][] = [
    [emailLimits.perOffice, ctx.officeId],
    [emailLimits.perRecipient, to.toLowerCase()],
  ];
  if (await isLimited(tx, ctx.officeId)) limits.push([emailLimits.perLimitedOffice, ctx.officeId]);
  return (await takeIn(tx, ctx.now(), limits))?.seconds ?? null;
}

/** Counts an invitation by text. It goes to a stranger too, so it shares the limit with email. */
export async function countTextInvitation(tx: Tx, ctx: OfficeCtx): Promise<number | null> {
  return (await takeIn(tx, ctx.now(), [[emailLimits.perOffice, ctx.officeId]]))?.seconds ?? null;
}
