/** The messages of one visit. Their number has no limit: anybody who knows the practice's number can text it. */
import { messagesPerVisit } from '#contract/visit-messages.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type VisitMessageRow = Awaited<ReturnType<typeof messageRows>>[number];

/** A visit's newest messages, the oldest of them first, and whether there are older ones. */
export async function newestMessagesOf(
  tx: Tx,
  officeId: string,
  visitId: string,
): Promise<{ messages: VisitMessageRow[]; hasOlder: boolean }> {
  const rows = await messageRows(tx, officeId, visitId);
  return { messages: rows.slice(0, messagesPerVisit).reverse(), hasOlder: rows.length > messagesPerVisit };
}

/** The newest messages and one more, the newest first. */
function messageRows(tx: Tx, officeId: string, visitId: string) {
  return messagesWithTexts(tx, officeId, visitId)
    .leftJoin('messageFile as f', (join) => join.onRef('f.officeId', '=', 'm.officeId').onRef('f.id', '=', 'm.fileId'))
    .select([
      'm.id',
      'm.at',
      'm.sender',
      'm.byName',
      'm.kind',
      'm.body',
      'm.askedForm',
      'm.conversationId',
      'm.sequence',
      'm.textId',
      't.state',
      't.errorClass',
      't.limitedUntil',
      't.sendAt',
      'm.content',
      'm.fileId',
      'm.pictureProblem',
      'f.width',
      'f.height',
    ])
    .orderBy('m.at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(messagesPerVisit + 1)
    .execute();
}

/** Whether the desk wrote a message of this visit whose text was sent or will be. */
export async function hasTextOfDesk(tx: Tx, officeId: string, visitId: string): Promise<boolean> {
  const found = await messagesWithTexts(tx, officeId, visitId)
    .select('m.id')
    .where('m.kind', '=', 'message')
    .where('m.sender', '!=', 'patient')
    .where('t.state', 'not in', ['failed', 'held', 'cancelled'])
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The texts with the visit's link since then, the oldest first. */
export function linkTextsSince(tx: Tx, officeId: string, visitId: string, since: Date) {
  return messagesWithTexts(tx, officeId, visitId)
    .select(['t.state', 't.errorClass'])
    .where('m.kind', 'in', ['link', 'payment'])
    .where('m.at', '>', since)
    .orderBy('m.at')
    .orderBy('m.id')
    .execute();
}

/** The newest message since then that requested this form. */
export function formRequestSince(tx: Tx, officeId: string, visitId: string, askedForm: string, since: Date) {
  return messagesWithTexts(tx, officeId, visitId)
    .select(['m.at', 't.state', 't.errorClass'])
    .where('m.askedForm', '=', askedForm)
    .where('m.at', '>', since)
    .orderBy('m.at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

function messagesWithTexts(tx: Tx, officeId: string, visitId: string) {
  return tx
    .selectFrom('message as m')
    .leftJoin('text as t', (join) => join.onRef('t.officeId', '=', 'm.officeId').onRef('t.id', '=', 'm.textId'))
    .where('m.officeId', '=', officeId)
    .where('m.visitId', '=', visitId);
}
