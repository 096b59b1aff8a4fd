import type { ConversationChannel } from '#contract/conversations/shapes.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeScope } from '#server/context.ts';
import { closedAnswerStatements, messageStatement, withoutOwnLinks } from '#server/features/texting/index.ts';
import { auditStatement } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether, sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { holdBack, suspicionOf, suspicionStatements } from './hold-back.ts';
import type { StoredPicture } from './pictures.ts';
import { pictureUsedStatement } from './pictures-sql.ts';
import { findConversation, insertVisitorConversation, setVisitorName } from './sql.ts';

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

interface VisitorMessage {
  conversationId: string;
  /** The text; of a picture, its description. */
  body: string;
  clientId: string;
  picture?: StoredPicture | undefined;
}

/** Adds what the visitor wrote, or a picture. A second message with the same client id violates `message_client`. */
export async function receiveVisitorMessage(scope: OfficeScope, received: VisitorMessage): Promise<void> {
  const { officeId } = scope;
  const { conversationId, body, clientId, picture } = received;
  await scope.transaction(async (tx) => {
    const conversation = await findConversation(tx, officeId, conversationId);
    if (!conversation || conversation.channel === 'text') throw new Refusal('conversation_not_found');
    const message = {
      conversationId,
      visitId: null,
      sender: 'patient',
      kind: 'message',
      body: withoutOwnLinks(body),
      clientId,
      fileId: picture?.id ?? null,
    } as const;
    const suspicion = await suspicionOf(tx, scope, { conversationId, body: message.body });
    const used = picture ? [pictureUsedStatement(tx, officeId, picture.id, scope.now())] : [];
    await runTogether(
      tx,
      {
        statements: [...used, auditStatement(tx, scope, { action: 'message.receive', subject: conversationId })],
        last: [messageStatement(tx, scope, message), ...suspicionStatements(tx, scope, suspicion)],
        hints: [{ office: officeId, visitor: conversationId, type: 'messages' }],
      },
      await closedAnswerStatements(tx, scope, { conversationId }),
    );
    if (suspicion) await holdBack(tx, scope, suspicion);
  });
}

/** Saves the name under which the desks see and find a visitor. */
export async function renameVisitor(
  tx: Tx,
  scope: OfficeScope,
  { conversationId, name, phone }: { conversationId: string; name: string; phone: string | null },
): Promise<void> {
  const isShown = await setVisitorName(tx, scope.officeId, conversationId, { name, phone });
  if (isShown) await sendHint(tx, { office: scope.officeId, type: 'messages' });
}

const otherNumber = {
  en: (ending: string) =>
    `The visitor confirmed another number. Answers by text now go to the number ending in ${ending}.`,
  es: (ending: string) =>
    `El visitante confirmó otro número. Las respuestas por mensaje de texto llegan ahora al número que termina en ${ending}.`,
} as const satisfies Record<Language, (ending: string) => string>;

interface OtherNumber {
  conversationId: string;
  phone: string;
  language: Language;
}

/** Says in the conversation that the visitor proved another number than before: on a shared device it may be somebody else's. */
export async function noteOtherNumber(
  tx: Tx,
  scope: OfficeScope,
  { conversationId, phone, language }: OtherNumber,
): Promise<void> {
  const body = otherNumber[language](phone.slice(-2));
  await runTogether(tx, {
    statements: [],
    last: [messageStatement(tx, scope, { conversationId, visitId: null, sender: 'bot', kind: 'message', body })],
    hints: [{ office: scope.officeId, visitor: conversationId, type: 'messages' }],
  });
}
