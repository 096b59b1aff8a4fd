import { sendShownDays, sendsShown, type SmsSend } from '#contract/sms.ts';
import type { OfficeCtx } from '#server/context.ts';
import { cancelTextsOfSend } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest } from '#server/kit/http/versioned-reply.ts';
import { findSend, newestSends, type SendRow } from './sends-sql.ts';
import { lockSends } from './sql.ts';

/** The newest sends to several people. */
export async function listSmsSends(ctx: OfficeCtx, conditional: ConditionalRequest) {
  const since = new Date(ctx.now().getTime() - sendShownDays * 86_400_000);
  const rows = await ctx.transaction((tx) => newestSends(tx, ctx.officeId, { count: sendsShown, since }));
  return versionedReply({ sends: rows.map(toSmsSend) }, conditional);
}

/** Cancels the texts of a send that have not gone out. Whatever a worker has claimed by then goes out and is counted as gone. */
export async function cancelSmsSend(ctx: OfficeCtx, id: string): Promise<{ canceled: number; send: SmsSend }> {
  return ctx.transaction(async (tx) => {
    // Another desk may be changing one of its texts.
    await lockSends(tx, ctx.officeId);
    if (!(await findSend(tx, ctx.officeId, id))) throw new Refusal('send_not_found');
    const canceled = await cancelTextsOfSend(tx, ctx.officeId, id);
    const send = await findSend(tx, ctx.officeId, id);
    if (!send) throw new Refusal('send_not_found');
    await writeAuditEntry(tx, ctx, {
      action: 'text.cancel-send',
      subject: id,
      details: { canceled, gone: send.gone },
    });
    await sendHint(tx, { office: ctx.officeId, type: 'outbox' });
    return { canceled, send: toSmsSend(send) };
  });
}

const toSmsSend = ({ startedAt, lastSendAt, ...counts }: SendRow): SmsSend => ({
  ...counts,
  startedAt: startedAt.toISOString(),
  lastSendAt: lastSendAt?.toISOString() ?? null,
});
