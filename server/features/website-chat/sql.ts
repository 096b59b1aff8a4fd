import type { Insertable, Selectable } from 'kysely';
import type { Language } from '#contract/shapes.ts';
import { visitorMessagesPerPage, type VisitorMessage } from '#contract/website-chat.ts';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export async function insertVisitor(tx: Tx, visitor: Insertable<DB['visitor']>): Promise<void> {
  await tx.insertInto('visitor').values(visitor).execute();
}

/** The visitor, locked: one message or one try of a code at a time. */
export function lockVisitor(tx: Tx, officeId: string, id: string): Promise<Selectable<DB['visitor']>> {
  return tx
    .selectFrom('visitor')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function visitorLanguage(tx: Tx, officeId: string, id: string): Promise<Language> {
  const { language } = await tx
    .selectFrom('visitor')
    .select('language')
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return language;
}

type VisitorColumns = Partial<
  Pick<
    Selectable<DB['visitor']>,
    'phone' | 'leftAt' | 'expiresAt' | 'codePhone' | 'codeHash' | 'codeExpiresAt' | 'codeTries'
  >
>;

export async function setVisitor(tx: Tx, officeId: string, id: string, columns: VisitorColumns): Promise<void> {
  await tx.updateTable('visitor').set(columns).where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** The name and the verified number of a visitor. */
export function visitorFacts(tx: Tx, officeId: string, id: string) {
  return tx
    .selectFrom('visitor as v')
    .innerJoin('conversation as c', (join) =>
      join.onRef('c.officeId', '=', 'v.officeId').onRef('c.id', '=', 'v.conversationId'),
    )
    .select(['v.phone', 'c.visitorName as name'])
    .where('v.officeId', '=', officeId)
    .where('v.id', '=', id)
    .executeTakeFirstOrThrow();
}

function visitorMessages(tx: Tx, officeId: string, conversationId: string) {
  return tx
    .selectFrom('message as m')
    .leftJoin('messageFile as f', (join) => join.onRef('f.officeId', '=', 'm.officeId').onRef('f.id', '=', 'm.fileId'))
    .select(['m.id', 'm.sequence', 'm.at', 'm.sender', 'm.body', 'm.clientId', 'm.fileId', 'f.width', 'f.height'])
    .where('m.officeId', '=', officeId)
    .where('m.conversationId', '=', conversationId);
}

/** The messages after a sequence and one more, oldest first. */
export function messagesAfter(tx: Tx, officeId: string, conversationId: string, after: number) {
  return visitorMessages(tx, officeId, conversationId)
    .where('m.sequence', '>', after)
    .orderBy('m.sequence')
    .limit(visitorMessagesPerPage + 1)
    .execute();
}

/** The message that the visitor sent with this id. */
export function messageOfVisitor(tx: Tx, officeId: string, conversationId: string, clientId: string) {
  return visitorMessages(tx, officeId, conversationId)
    .where('m.sender', '=', 'patient')
    .where('m.clientId', '=', clientId)
    .executeTakeFirst();
}

type MessageRow = Awaited<ReturnType<typeof messagesAfter>>[number];

/** A message as the visitor sees it: without the names of the staff. */
export function toVisitorMessage(row: MessageRow): VisitorMessage {
  const { id, sequence, at, sender, body, clientId, fileId, width, height } = row;
  const isOwn = sender === 'patient';
  return {
    id,
    sequence,
    at: at.toISOString(),
    from: isOwn ? 'visitor' : sender === 'doctor' ? 'office' : 'note',
    body,
    picture: fileId === null || width === null || height === null ? null : { id: fileId, width, height },
    clientId: isOwn ? clientId : null,
  };
}

/** Deletes the conversations that a visitor agreed to and never wrote in, once their token has ended; returns how many. */
export async function deleteEmptyChats(tx: Tx, officeId: string, now: Date): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('conversation as c')
    .using('visitor as v')
    .where('c.officeId', '=', officeId)
    .where('v.officeId', '=', officeId)
    .whereRef('c.id', '=', 'v.conversationId')
    .where('v.expiresAt', '<=', now)
    .where('c.lastSequence', '=', 0)
    // A picture that was never sent is deleted with its file first.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messageFile as f')
            .select('f.id')
            .where('f.officeId', '=', officeId)
            .whereRef('f.conversationId', '=', 'c.id'),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the codes that expired before a time, with the numbers they went to. */
export async function clearCodes(tx: Tx, officeId: string, before: Date): Promise<void> {
  await tx
    .updateTable('visitor')
    .set({ codePhone: null, codeHash: null, codeExpiresAt: null, codeTries: 0 })
    .where('officeId', '=', officeId)
    .where('codeExpiresAt', '<', before)
    .execute();
}
