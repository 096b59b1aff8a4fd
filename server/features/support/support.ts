import { emailPattern } from '#contract/sign-in/code.ts';
import type { Services, OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { describeError } from '#server/kit/log.ts';
import { officeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';

const perOffice = { name: 'support', points: 20, seconds: 3600 };

/** How to reach support, as the environment says. */
export function support({ env }: Pick<Services, 'env'>): { canWrite: boolean; phone: string | null } {
  return { canWrite: env.operatorEmail !== undefined, phone: env.supportPhone ?? null };
}

/** Mails the operator while the person waits: they see at once whether it left. The answer goes to the address they gave. */
export async function writeToSupport(
  ctx: OfficeCtx,
  given: { replyTo: string; body: string },
): Promise<{ sent: boolean }> {
  const replyTo = given.replyTo.trim();
  const body = given.body.trim();
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
      text: `${ctx.caller.personName} of ${name}, NPI ${npi}, writes:\n\n${body}\n\nAnswer to ${replyTo}.`,
      // Written again within the hour, by a second press or a retry, it is the same mail.
      reference: hashToken(`${ctx.officeId} ${replyTo} ${ctx.now().toISOString().slice(0, 13)} ${body}`).toString(
        'hex',
      ),
    });
  } catch (error) {
    ctx.log.warn({ err: describeError(error as Error) }, 'a message to support was not sent');
    throw new Refusal('support_away');
  }
  await ctx.transaction((tx) => writeAuditEntry(tx, ctx, { action: 'support.write' }));
  return { sent: true };
}
