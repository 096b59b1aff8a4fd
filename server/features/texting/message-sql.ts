import { sql } from 'kysely';
import type { ConversationChannel, MessageContent, MessageWriter } from '#contract/conversations/shapes.ts';
import type { MessageKind, MissingPicture, TextState } from '#contract/queue.ts';
import type { Keyword } from '#contract/texting.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** A message addressed by phone number, or by the id of a conversation without a number. */
export type NewMessage = MessageContents & ({ phone: string } | { conversationId: string });

interface MessageContents {
  id?: string;
  /** The visit that shows it too. */
  visitId: string | null;
  sender: MessageWriter;
  kind: MessageKind;
  body: string;
  byName?: string | null;
  title?: string | null;
  /** The text that carries it, as `textStatements` returned it. */
  text?: { id: string; state: TextState } | null;
  askedForm?: string | null;
  /** The sender's own id of the message. A second one with the same id violates `message_client`. */
  clientId?: string | null;
  /** The carrier's id of an incoming text. A second one violates `message_provider`. */
  providerId?: string | null;
  keyword?: Keyword | null;
  /** The picture that this message shows; its body describes the picture. */
  fileId?: string | null;
  /** Where it was written, if not by the conversation's own way: on the visit's page. */
  channel?: ConversationChannel | null;
  /** It will show a picture that came by text, or says why it cannot. */
  missingPicture?: MissingPicture | null;
  /** False for a text to a list: it answers nobody's question and opens no closed conversation. */
  isAnswer?: boolean;
}

/** Outcomes of a text that the desk should know of: it did not arrive, it was held back, or nobody can tell. */
export const troubledStates: readonly TextState[] = ['failed', 'held', 'unknown'];

/**
 * The statement of one message. `place_message` finds or creates the conversation, locks it and gives the message its sequence. Run it as a
 * `last` statement: two transactions that lock a conversation and the queue's version in different orders would deadlock. It returns a
 * row because a distributed PostgreSQL would otherwise copy the row to its node, which row-level security refuses.
 */
export function messageStatement(tx: Tx, scope: OfficeScope, message: NewMessage) {
  const { officeId } = scope;
  const { sender, body, text = null, keyword = null, fileId = null, missingPicture = null, isAnswer = true } = message;
  const content: MessageContent = fileId === null && missingPicture === null ? 'text' : 'image';
  const pictureProblem = missingPicture === 'fetching' ? null : missingPicture;
  const at = scope.now();
  const isTroubled = text !== null && troubledStates.includes(text.state);
  const place =
    'conversationId' in message
      ? sql`place_in_conversation(${officeId}::uuid, ${message.conversationId}::uuid, ${at}::timestamptz, ${sender}, ${body}, ${content})`
      : sql`place_message(${officeId}::uuid, ${scope.id()}::uuid, ${message.phone}, ${at}::timestamptz, ${sender}, ${body},
          ${text?.id ?? null}::uuid, ${isTroubled}, ${keyword}, ${content}, ${isAnswer})`;
  return tx
    .insertInto('message')
    .columns([
      'officeId',
      'id',
      'visitId',
      'conversationId',
      'sequence',
      'at',
      'sender',
      'kind',
      'byName',
      'title',
      'body',
      'textId',
      'askedForm',
      'clientId',
      'providerId',
      'keyword',
      'content',
      'fileId',
      'pictureProblem',
      'channel',
    ])
    .expression(
      sql`select ${officeId}::uuid, ${message.id ?? scope.id()}::uuid, ${message.visitId}::uuid, c.conversation_id, c.sequence,
        ${at}::timestamptz, ${sender}, ${message.kind}, ${message.byName ?? null}, ${message.title ?? null}, ${body}, ${text?.id ?? null}::uuid,
        ${message.askedForm ?? null}, ${message.clientId ?? null}, ${message.providerId ?? null}, ${keyword},
        ${content}, ${fileId}::uuid, ${pictureProblem}, ${message.channel ?? null}
        from ${place} as c` as never,
    )
    .returning('id');
}

/** Whether a conversation has the message of this text. */
export async function hasMessage(tx: Tx, officeId: string, textId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('message')
    .select('id')
    .where('officeId', '=', officeId)
    .where('textId', '=', textId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether this incoming text was saved before. */
export async function hasReply(tx: Tx, officeId: string, providerId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('message')
    .select('id')
    .where('officeId', '=', officeId)
    .where('providerId', '=', providerId)
    .executeTakeFirst();
  return found !== undefined;
}
