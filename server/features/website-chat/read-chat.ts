import { visitorMessagesPerPage, type VisitorChat } from '#contract/website-chat.ts';
import type { VisitorCtx } from '#server/context.ts';
import { renameVisitor } from '#server/features/conversations/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { chatFrontOf } from './chat-front.ts';
import { messagesAfter, setVisitor, toVisitorMessage, visitorFacts } from './sql.ts';

/** The visitor's conversation. A page that asks for what came after its newest message, and gets nothing, makes no audit entry. */
export async function readChat(ctx: VisitorCtx, after: number): Promise<VisitorChat> {
  const { officeId, visitorId, conversationId } = ctx;
  return ctx.transaction(async (tx) => {
    const rows = await messagesAfter(tx, officeId, conversationId, after);
    const { name, phone } = await visitorFacts(tx, officeId, visitorId);
    if (rows.length > 0) await writeAuditEntry(tx, ctx, { action: 'chat.read', subject: conversationId });
    return {
      office: await chatFrontOf(tx, ctx),
      name: name ?? '',
      phoneEnding: phone?.slice(-2) ?? null,
      messages: rows.slice(0, visitorMessagesPerPage).map(toVisitorMessage),
      more: rows.length > visitorMessagesPerPage,
    };
  });
}

/** Saves the visitor's name. */
export async function saveVisitorName(ctx: VisitorCtx, name: string): Promise<{ name: string }> {
  const { officeId, visitorId, conversationId } = ctx;
  await ctx.transaction(async (tx) => {
    const before = await visitorFacts(tx, officeId, visitorId);
    if (before.name === name) return;
    await renameVisitor(tx, ctx, { conversationId, name, phone: before.phone });
    await writeAuditEntry(tx, ctx, { action: 'chat.name', subject: conversationId });
  });
  return { name };
}

/** The visitor closed the page. Their next call, such as after a reload, says that they are back. */
export async function leaveChat(ctx: VisitorCtx): Promise<{ left: boolean }> {
  await ctx.transaction((tx) => setVisitor(tx, ctx.officeId, ctx.visitorId, { leftAt: ctx.now() }));
  return { left: true };
}
