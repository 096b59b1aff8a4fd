import { sql } from 'kysely';
import { messagesPerPage } from '#contract/conversations/inbox.ts';
import type { Message } from '#contract/conversations/shapes.ts';
import type { Language } from '#contract/shapes.ts';
import { linkLabel, surveyLinkLabel } from '#server/features/queue/index.ts';
import { fillLink, missingPictureOf, waitingUntil } from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { ConversationRow } from './sql.ts';

/** The newest messages before a sequence and one more, the newest first. */
export function messageRows(tx: Tx, officeId: string, conversationId: string, before: number | null) {
  return messagesWithTexts(tx, officeId)
    .where('m.conversationId', '=', conversationId)
    .$if(before !== null, (q) => q.where('m.sequence', '<', before))
    .orderBy('m.sequence', 'desc')
    .limit(messagesPerPage + 1)
    .execute();
}

export function messageOfClient(tx: Tx, officeId: string, conversationId: string, clientId: string) {
  return messagesWithTexts(tx, officeId)
    .where('m.conversationId', '=', conversationId)
    .where('m.clientId', '=', clientId)
    .executeTakeFirst();
}

/** Whether the text of a message still goes out. It stays so until the end of the transaction. */
export async function lockTextOnItsWay(tx: Tx, officeId: string, messageId: string): Promise<boolean> {
  const text = await tx
    .selectFrom('text')
    .select('state')
    .where('officeId', '=', officeId)
    .where('id', '=', (q) =>
      q
        .selectFrom('message')
        .select('textId')
        .where('officeId', '=', officeId)
        .where(sql`id::text`, '=', messageId),
    )
    .forUpdate()
    .executeTakeFirst();
  return text?.state === 'queued' || text?.state === 'sending';
}

export function messageOfId(tx: Tx, officeId: string, id: string) {
  return messagesWithTexts(tx, officeId).where('m.id', '=', id).executeTakeFirstOrThrow();
}

export function messageOfConversation(tx: Tx, officeId: string, conversationId: string, id: string) {
  return messagesWithTexts(tx, officeId)
    .where('m.conversationId', '=', conversationId)
    .where('m.id', '=', id)
    .executeTakeFirst();
}

function messagesWithTexts(tx: Tx, officeId: string) {
  return tx
    .selectFrom('message as m')
    .leftJoin('text as t', (join) => join.onRef('t.officeId', '=', 'm.officeId').onRef('t.id', '=', 'm.textId'))
    .leftJoin('messageFile as f', (join) => join.onRef('f.officeId', '=', 'm.officeId').onRef('f.id', '=', 'm.fileId'))
    .select([
      'm.id',
      'm.conversationId',
      'm.visitId',
      'm.sequence',
      'm.at',
      'm.channel',
      'm.content',
      'm.sender',
      'm.kind',
      'm.byName',
      'm.body',
      'm.textId',
      't.state',
      't.errorClass',
      't.limitedUntil',
      't.sendAt',
      't.sendBy',
      'm.fileId',
      'm.pictureProblem',
      'f.width',
      'f.height',
    ])
    .where('m.officeId', '=', officeId);
}

/** Who reads messages: in which language, and when. */
interface Reader {
  language: Language;
  now(): Date;
}

export type MessageRow = Awaited<ReturnType<typeof messageRows>>[number];

/**
 * Marks a conversation's messages up to a sequence as read, if any is unread; true if so. The row is locked by a statement of its own,
 * because the count must see a message that arrived while this one waited for the lock.
 */
export async function markRead(tx: Tx, officeId: string, id: string, sequence: number): Promise<boolean> {
  const locked = await tx
    .selectFrom('conversation')
    .select(['unread', 'readSequence'])
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!locked || locked.unread === 0 || sequence <= locked.readSequence) return false;
  await tx
    .updateTable('conversation')
    .set({
      readSequence: sql<number>`least(${sequence}::int, last_sequence)`,
      unread: sql<number>`(
        select count(*)::int from message m
        where m.office_id = ${officeId} and m.conversation_id = ${id} and m.sender = 'patient' and m.sequence > ${sequence}::int
      )`,
    })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
  return true;
}

/** The number that a visit has now. */
export async function phoneOfVisit(tx: Tx, officeId: string, id: string): Promise<string | undefined> {
  const visit = await tx
    .selectFrom('visit')
    .select('phone')
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
  return visit?.phone;
}

export function toMessage(
  row: MessageRow,
  { channel }: Pick<ConversationRow, 'channel'>,
  { language, now }: Reader,
): Message {
  const sent = row.at.toISOString();
  // A link that belongs to no visit is an episode's.
  const isSurvey = row.kind === 'link' && row.visitId === null;
  const label = isSurvey ? surveyLinkLabel : linkLabel;
  return {
    _id: row.id,
    sk: sent,
    type: row.content,
    body: row.kind === 'message' ? row.body : fillLink(row.body, label[language]),
    sender: row.sender,
    sent,
    channel: row.channel ?? channel,
    pk: row.conversationId,
    conversationId: row.conversationId,
    objectKey: row.fileId,
    sequence: row.sequence,
    missingPicture: missingPictureOf(row),
    picture: row.width === null || row.height === null ? null : { width: row.width, height: row.height },
    by: row.byName,
    withSendSms: row.sendBy !== null,
    kind: isSurvey ? 'survey' : row.kind,
    textId: row.textId,
    state: row.state,
    problem: row.errorClass,
    limitedUntil: row.limitedUntil?.toISOString() ?? null,
    sendAt: waitingUntil(row, now()),
  };
}
