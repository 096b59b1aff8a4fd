import { emailLimits } from '#contract/email.ts';
import type { OfficeCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { takeInTransaction, type Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { isLimited } from '#server/office-row.ts';

/** Used up from the practice's second email of the day to an address on. */
const firstToRecipient = { name: 'emails-first', points: 1, seconds: 86_400 };

/**
 * Counts an email of the practice in the caller's transaction, so that parallel emails are counted one after another. Returns the refusal
 * if a limit is reached. Other practices cannot keep this one from writing to an address: its first email of the day is sent anyway.
 */
export async function countEmail(tx: Tx, ctx: OfficeCtx, to: string): Promise<Refusal | null> {
  const { perOffice, perLimitedOffice, perOfficeAndRecipient, perRecipient, limitedFirst } = emailLimits;
  const recipient = to.toLowerCase();
  const officeAndRecipient = `${ctx.officeId} ${recipient}`;
  const isUnconfirmed = await isLimited(tx, ctx.officeId);
  const budgets: [Limit, string][] = [
    [perOffice, ctx.officeId],
    [firstToRecipient, officeAndRecipient],
    [perOfficeAndRecipient, officeAndRecipient],
    [perRecipient, recipient],
  ];
  if (isUnconfirmed) budgets.push([perLimitedOffice, ctx.officeId]);
  const usedUp = await takeInTransaction(tx, ctx.now(), budgets);
  const waitFor = (...limits: Limit[]) => usedUp.find(({ limit }) => limits.includes(limit))?.seconds;

  const practiceWait = waitFor(perOffice, perLimitedOffice);
  if (practiceWait !== undefined) return new Refusal('too_many_emails', undefined, practiceWait);
  const ownWait = waitFor(perOfficeAndRecipient);
  const isFirst = waitFor(firstToRecipient) === undefined;
  let recipientWait = waitFor(perRecipient);
  if (recipientWait !== undefined && isFirst)
    recipientWait = isUnconfirmed
      ? (await takeInTransaction(tx, ctx.now(), [[limitedFirst, recipient]]))[0]?.seconds
      : undefined;
  const wait = ownWait ?? recipientWait;
  return wait === undefined ? null : new Refusal('too_many_emails_to_address', undefined, wait);
}

/** Counts an invitation by text. It goes to a stranger too, so it shares the limit with email. Returns the seconds to wait, if any. */
export async function countTextInvitation(tx: Tx, ctx: OfficeCtx): Promise<number | null> {
  const [usedUp] = await takeInTransaction(tx, ctx.now(), [[emailLimits.perOffice, ctx.officeId]]);
  return usedUp?.seconds ?? null;
}
