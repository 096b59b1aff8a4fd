import { emailPattern } from '#contract/email.ts';
import { markedNpi } from '#contract/practice/provisional-npi.ts';
import type { Services, OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { describeError } from '#server/kit/log.ts';
import { officeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';

const perOffice = { name: 'support', points: 20, seconds: 3600 };

/** How to reach support, from the environment. */
export function support({ env }: Pick<Services, 'env'>): { canWrite: boolean; phone: string | null } {
  return { canWrite: env.operatorEmail !== undefined, phone: env.supportPhone ?? null };
}

/** Emails the operator while the person waits, so that they see whether it was sent. Replies go to the address they entered. */
export async function writeToSupport(
  ctx: OfficeCtx,
  message: { replyTo: string; body: string },
): Promise<{ sent: boolean }> {
  const replyTo = message.replyTo.trim();
  const body = message.body.trim();
  if (!emailPattern.test(replyTo) || /\p{Cc}/u.test(replyTo))
    throw new Refusal('invalid_input', { errors: [{ path: 'body.replyTo', message: 'Invalid email' }] });
  if (body === '') throw new Refusal('empty_message');
  const { operatorEmail } = ctx.env;
  if (!operatorEmail) throw new Refusal('support_away');
  await ctx.limits.take(perOffice, ctx.officeId);

  const { name, npi } = await ctx.transaction((tx) => officeRow(tx, ctx.officeId));
  try {
    await ctx.providers.email.send({
      to: operatorEmail,
      replyTo,
      subject: `${ctx.env.productName}: ${name} (${npi})`,
      text: `${ctx.caller.personName} of ${name}, NPI ${markedNpi(npi, 'provisional')}, writes:\n\n${body}\n\nAnswer to ${replyTo}.`,
      // A second press or retry within the hour is the same email.
      reference: hashToken(`${ctx.officeId} ${replyTo} ${ctx.now().toISOString().slice(0, 13)} ${body}`).toString(
        'hex',
      ),
    });
  } catch (error) {
    ctx.log.warn({ err: describeError(error as Error) }, 'support message not sent');
    throw new Refusal('support_away');
  }
  await ctx.transaction((tx) => writeAuditEntry(tx, ctx, { action: 'support.write' }));
  return { sent: true };
}
