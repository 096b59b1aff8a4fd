import type { Conversation } from '#contract/conversations/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { requireConversation } from './send-message.ts';
import { changeConversation, toConversation } from './sql.ts';
import { lockBlock, setBlockedAt } from './visitors-sql.ts';

/** Blocks the website visitor of a conversation and closes it, or undoes both. Two desks that do the same change it once. */
export async function blockVisitor(ctx: OfficeCtx, id: string, wanted: boolean): Promise<Conversation> {
  const { officeId } = ctx;
  return ctx.transaction(async (tx) => {
    const isBlocked = await lockBlock(tx, officeId, id);
    if (isBlocked === undefined) throw new Refusal('conversation_not_found');
    if (isBlocked !== wanted) {
      await setBlockedAt(tx, officeId, id, wanted ? ctx.now() : null);
      await changeConversation(tx, officeId, id, { state: wanted ? 'closed' : 'open', judgedAt: ctx.now() });
      await writeAuditEntry(tx, ctx, { action: wanted ? 'conversation.block' : 'conversation.unblock', subject: id });
      // The visitor's page asks again, and is refused or works again.
      await sendHint(tx, { office: officeId, visitor: id, type: 'messages' });
    }
    return toConversation(await requireConversation(tx, ctx, id), ctx.language);
  });
}
