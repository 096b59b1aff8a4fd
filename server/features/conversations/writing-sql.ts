import { sql } from 'kysely';
import type { Tx } from '#server/kit/db/db.ts';

/** The visit of today with this number that has not ended: its page shows the messages. */
export async function visitOfConversation(
  tx: Tx,
  officeId: string,
  phone: string,
  today: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('visit')
    .select('id')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .where('day', '=', today)
    .where('endedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** The conversation with the number of a visit, null if nobody has written yet; undefined if there is no such visit. */
export function conversationOfVisit(tx: Tx, officeId: string, visitId: string) {
  return tx
    .selectFrom('visit as v')
    .leftJoin('conversation as c', (join) =>
      join
        .onRef('c.officeId', '=', 'v.officeId')
        .onRef('c.phone', '=', 'v.phone')
        .on('c.channel', '=', sql.lit('text')),
    )
    .select('c.id as conversationId')
    .where('v.officeId', '=', officeId)
    .where('v.id', '=', visitId)
    .executeTakeFirst();
}
