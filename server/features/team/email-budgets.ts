import { emailLimits } from '#contract/email.ts';
import type { OfficeCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { takeIn, type Limit } from '#server/kit/http/rate-limits.ts';
import { isLimited } from '#server/office-row.ts';

/**
 * Counts an email of the practice, in the transaction that decides on it: parallel emails are counted one after the other. Answers the
 * seconds to wait when a limit is reached, or null.
 */
export async function countEmail(tx: Tx, ctx: OfficeCtx, to: string): Promise<number | null> {
  const limits: [Limit, string][] = [
    [emailLimits.perOffice, ctx.officeId],
    [emailLimits.perRecipient, to.toLowerCase()],
  ];
  if (await isLimited(tx, ctx.officeId)) limits.push([emailLimits.perLimitedOffice, ctx.officeId]);
  return (await takeIn(tx, ctx.now(), limits))?.seconds ?? null;
}

/** An invitation by text goes to a stranger too, so it counts with those by email. */
export async function countTextInvitation(tx: Tx, ctx: OfficeCtx): Promise<number | null> {
  return (await takeIn(tx, ctx.now(), [[emailLimits.perOffice, ctx.officeId]]))?.seconds ?? null;
}
