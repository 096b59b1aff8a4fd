import type { Message } from '#contract/conversations.ts';
import type { OfficeCtx } from '#server/context.ts';
import { visitChangeStatements } from '#server/features/queue/index.ts';
import { messageStatement, refuseProblem, textStatements, visitOfPhone } from '#server/features/texting/index.ts';
import { auditStatement } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { runTogether, type Statements } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { findConversation, messageOfClient, messageOfId, toMessage, type ConversationRow } from './sql.ts';

interface Outgoing {
  conversationId: string;
  body: string;
  clientId?: string | undefined;
}

/** Texts a message to the person of a conversation. Of two calls with the same client id the second gets the first one's message. */
export async function sendMessage(ctx: OfficeCtx, outgoing: Outgoing): Promise<Message> {
  const body = outgoing.body.trim();
  if (body === '') throw new Refusal('empty_message');
  const send = () => ctx.transaction((tx) => sendOnce(tx, ctx, { ...outgoing, body }));
  return send().catch((error: unknown) => {
    // The other call committed while this one waited for the conversation, so its message is there now.
    if (isViolationOf(error, 'message_client')) return send();
    throw error;
  });
}

async function sendOnce(tx: Tx, ctx: OfficeCtx, { conversationId, body, clientId }: Outgoing): Promise<Message> {
  const { officeId } = ctx;
  const conversation = await findConversation(tx, officeId, conversationId);
  if (!conversation) throw new Refusal('conversation_not_found');
  const { phone } = conversation;
  // Only text conversations exist so far.
  if (phone === null) throw new Refusal('conversation_not_found');
  const sent = clientId === undefined ? undefined : await messageOfClient(tx, officeId, conversationId, clientId);
  if (sent) return toMessage(sent, conversation, ctx.language);

  const visit = await visitOfPhone(tx, officeId, phone, dayOf(ctx.now(), ctx.timeZone));
  const text = await textStatements(tx, ctx, {
    kind: 'message',
    visitId: visit?.id ?? null,
    patientId: conversation.patientId,
    toPhone: phone,
    body,
    ownWords: true,
  });
  refuseProblem(text.problem);
  const id = ctx.id();
  const message = messageStatement(tx, ctx, {
    id,
    phone,
    visitId: visit?.id ?? null,
    sender: 'doctor',
    kind: 'message',
    body,
    byName: ctx.actor.name,
    text,
    clientId: clientId ?? null,
  });
  const inbox: Statements = { statements: [], last: [message], hints: [{ office: officeId, type: 'messages' }] };
  await runTogether(tx, text, changeOf(tx, ctx, conversation, visit), inbox);
  return toMessage(await messageOfId(tx, officeId, id), conversation, ctx.language);
}

/** What else a message changes: the card of today's visit shows it, and the audit log names the visit or the conversation. */
function changeOf(
  tx: Tx,
  ctx: OfficeCtx,
  conversation: ConversationRow,
  visit: { id: string; day: string } | undefined,
): Statements {
  if (visit) return visitChangeStatements(tx, ctx, visit, { action: 'message.send', hint: 'message' });
  return { statements: [auditStatement(tx, ctx, { action: 'message.send', subject: conversation.id })], hints: [] };
}
