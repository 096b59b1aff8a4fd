import type { VisitorCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { takeInTransaction, type Limit } from '#server/kit/http/rate-limits.ts';

/** A visitor reads only their own words and the answers, so one entry says it for five minutes: strangers must not fill the audit log. */
const entries = { name: 'chat-read-entries', points: 1, seconds: 300 } as const satisfies Limit;

/** Records that the visitor read their conversation. Call it before anything is disclosed, outside of a transaction. */
export async function auditVisitorRead(ctx: VisitorCtx): Promise<void> {
  const { officeId, visitorId, conversationId } = ctx;
  await ctx.transaction(async (tx) => {
    const [usedUp] = await takeInTransaction(tx, ctx.now(), [[entries, `${officeId} ${visitorId}`]]);
    if (!usedUp) await writeAuditEntry(tx, ctx, { action: 'chat.read', subject: conversationId });
  });
}
