import { visitorMessagesPerPage, type VisitorChat } from '#contract/website-chat.ts';
import type { VisitorCtx } from '#server/context.ts';
import { auditVisitorRead, noteVisitorWriting, renameVisitor } from '#server/features/conversations/index.ts';
import { textBlockOf } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { hintAtVisitor } from '#server/visitor-token.ts';
import { chatFrontOf, requireChat } from './chat-front.ts';
import { takeVisitorLimits } from './limits.ts';
import { messagesAfter, setVisitor, toVisitorMessage, visitorFacts } from './sql.ts';
import { cleanName } from './visitor-name.ts';

/**
 * The visitor's conversation. A page that asks for what came after its newest message, and gets nothing, makes no audit entry; neither does
 * one that has the answer already.
 */
export async function readChat(
  ctx: VisitorCtx,
  after: number,
  conditional: ConditionalRequest,
): Promise<VersionedReply<VisitorChat>> {
  const { officeId, visitorId, conversationId } = ctx;
  const chat = await ctx.transaction(async (tx) => {
    const rows = await messagesAfter(tx, officeId, conversationId, after);
    const { name, phone } = await visitorFacts(tx, officeId, visitorId);
    return {
      office: await chatFrontOf(tx, ctx),
      name: name ?? '',
      phoneEnding: phone?.slice(-2) ?? null,
      textsBlocked: phone !== null && (await textBlockOf(tx, officeId, phone)) !== null,
      messages: rows.slice(0, visitorMessagesPerPage).map(toVisitorMessage),
      more: rows.length > visitorMessagesPerPage,
    };
  });
  return versionedReply(chat, conditional, {
    onSend: async () => chat.messages.length > 0 && auditVisitorRead(ctx),
    version: { ...chat, office: { ...chat.office, now: null } },
  });
}

const nameLimits = {
  perVisitor: { name: 'chat-names', points: 10, seconds: 3600 },
  perNetwork: { name: 'chat-names-network', points: 60, seconds: 3600 },
} as const;

/** Saves the visitor's name. */
export async function saveVisitorName(ctx: VisitorCtx, given: string): Promise<{ name: string }> {
  const { officeId, visitorId, conversationId } = ctx;
  const name = cleanName(given);
  await takeVisitorLimits(ctx, nameLimits);
  await ctx.transaction(async (tx) => {
    await requireChat(tx, officeId);
    const before = await visitorFacts(tx, officeId, visitorId);
    if (before.name === name) return;
    await renameVisitor(tx, ctx, { conversationId, name, phone: before.phone });
    await writeAuditEntry(tx, ctx, { action: 'chat.name', subject: conversationId });
  });
  return { name };
}

/** The page tells it every three seconds at most. */
const writingLimits = {
  perVisitor: { name: 'chat-writing', points: 30, seconds: 60 },
  perNetwork: { name: 'chat-writing-network', points: 300, seconds: 60 },
} as const;

/** Tells the desks that the visitor is writing. */
export async function noteWriting(ctx: VisitorCtx): Promise<{ noted: boolean }> {
  await takeVisitorLimits(ctx, writingLimits);
  await ctx.transaction((tx) => requireChat(tx, ctx.officeId));
  await noteVisitorWriting(ctx, ctx.conversationId);
  return { noted: true };
}

/** Each one makes every desk fetch, and so does the visitor's next call. A page whose call is refused counts as left a little later. */
const leaveLimits = {
  perVisitor: { name: 'chat-leaves', points: 6, seconds: 60 },
  perNetwork: { name: 'chat-leaves-network', points: 60, seconds: 60 },
  perOffice: { name: 'chat-leaves-office', points: 300, seconds: 60 },
} as const;

/** The visitor closed the page: the desks see it at once. Their next call, such as after a reload, says that they are back. */
export async function leaveChat(ctx: VisitorCtx): Promise<{ left: boolean }> {
  const { officeId, visitorId, conversationId } = ctx;
  await takeVisitorLimits(ctx, leaveLimits);
  await ctx.transaction(async (tx) => {
    await setVisitor(tx, officeId, visitorId, { leftAt: ctx.now() });
    await hintAtVisitor(tx, officeId, conversationId);
  });
  return { left: true };
}

/** Ends the chat for everybody who has its token. Others may use the device, and a copy of the token would open the conversation too. */
export async function endChat(ctx: VisitorCtx): Promise<{ ended: boolean }> {
  const { officeId, visitorId, conversationId } = ctx;
  await ctx.transaction(async (tx) => {
    await setVisitor(tx, officeId, visitorId, { leftAt: ctx.now(), expiresAt: ctx.now() });
    await writeAuditEntry(tx, ctx, { action: 'chat.end', subject: conversationId });
    await hintAtVisitor(tx, officeId, conversationId);
    // The visitor's other pages ask again, and are refused.
    await sendHint(tx, { visitor: conversationId, type: 'messages' });
  });
  return { ended: true };
}
