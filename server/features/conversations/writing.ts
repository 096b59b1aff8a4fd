import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { dayOf } from '#server/kit/day.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { findConversation } from './sql.ts';
import { conversationOfVisit, visitOfConversation } from './writing-sql.ts';

/** Tells the other desks, and the patient's page if a visit is running or the website visitor's, that this person is writing. */
export async function noteWriting(ctx: OfficeCtx, id: string): Promise<{ noted: boolean }> {
  return ctx.transaction(async (tx) => {
    const conversation = await findConversation(tx, ctx.officeId, id);
    if (!conversation) throw new Refusal('conversation_not_found');
    const { phone } = conversation;
    const today = dayOf(ctx.now(), ctx.timeZone);
    const visit = phone === null ? undefined : await visitOfConversation(tx, ctx.officeId, phone, today);
    await sendHint(tx, {
      office: ctx.officeId,
      ...(visit && { visit }),
      ...(phone === null && { visitor: id }),
      type: 'writing',
      writing: { conversation: id, person: ctx.caller.personId },
    });
    return { noted: true };
  });
}

/** The same for a visit, whose conversation may not exist yet. */
export async function noteWritingToVisit(ctx: OfficeCtx, visitId: string): Promise<{ noted: boolean }> {
  return ctx.transaction(async (tx) => {
    const found = await conversationOfVisit(tx, ctx.officeId, visitId);
    if (!found) throw new Refusal('visit_not_found');
    await sendHint(tx, {
      office: ctx.officeId,
      visit: visitId,
      type: 'writing',
      writing: { conversation: found.conversationId, person: ctx.caller.personId },
    });
    return { noted: true };
  });
}

/** Tells the desks that a visitor of the website or an app's user is writing. */
export async function noteVisitorWriting(scope: OfficeScope, conversationId: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const conversation = await findConversation(tx, scope.officeId, conversationId);
    if (!conversation || conversation.channel === 'text') throw new Refusal('conversation_not_found');
    const writing = { conversation: conversationId, person: null };
    await sendHint(tx, { office: scope.officeId, type: 'writing', writing });
  });
}
