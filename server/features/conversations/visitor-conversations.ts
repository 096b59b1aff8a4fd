import type { ConversationChannel } from '#contract/conversations.ts';
import type { OfficeScope } from '#server/context.ts';
import { closedAnswerStatements, messageStatement } from '#server/features/texting/index.ts';
import { auditStatement } from '#server/kit/audit.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { findConversation, insertVisitorConversation } from './sql.ts';

/** Opens a conversation with somebody who has no phone number here: a website's visitor, or an app's user. Returns its id. */
export async function openVisitorConversation(
  scope: OfficeScope,
  visitor: { channel: Exclude<ConversationChannel, 'text'>; name: string; patientId?: string },
): Promise<string> {
  const { channel, name, patientId = null } = visitor;
  const id = scope.id();
  const at = scope.now();
  await scope.transaction((tx) =>
    insertVisitorConversation(tx, { officeId: scope.officeId, id, channel, name: name.trim(), patientId, at }),
  );
  return id;
}

/** Adds what the visitor wrote. A second message with the same client id violates `message_client`. */
export async function receiveVisitorMessage(
  scope: OfficeScope,
  { conversationId, body, clientId }: { conversationId: string; body: string; clientId: string },
): Promise<void> {
  const { officeId } = scope;
  await scope.transaction(async (tx) => {
    const conversation = await findConversation(tx, officeId, conversationId);
    if (!conversation || conversation.channel === 'text') throw new Refusal('conversation_not_found');
    const message = { conversationId, visitId: null, sender: 'patient', kind: 'message', body, clientId } as const;
    await runTogether(
      tx,
      {
        statements: [auditStatement(tx, scope, { action: 'message.receive', subject: conversationId })],
        last: [messageStatement(tx, scope, message)],
        hints: [{ office: officeId, type: 'messages' }],
      },
      await closedAnswerStatements(tx, scope, { conversationId }),
    );
  });
}
