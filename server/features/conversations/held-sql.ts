import { sql } from 'kysely';
import type { Tx } from '#server/kit/db/db.ts';

/** What decides whether a website visitor's conversation may be held back. */
export function spamFacts(tx: Tx, officeId: string, id: string) {
  return tx
    .selectFrom('conversation as c')
    .select(['c.state', 'c.judgedAt', 'c.lastSequence'])
    .select(
      sql<boolean>`exists (
        select from message m where m.office_id = ${officeId} and m.conversation_id = ${id} and m.sender = 'doctor'
      )`.as('isAnswered'),
    )
    .where('c.officeId', '=', officeId)
    .where('c.id', '=', id)
    .where('c.channel', '=', 'web')
    .executeTakeFirst();
}

/** How many conversations since then began with the same message. */
export async function countSameOpenings(
  tx: Tx,
  officeId: string,
  { openingHash, since }: { openingHash: string; since: Date },
): Promise<number> {
  const { count } = await tx
    .selectFrom('conversation')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('officeId', '=', officeId)
    .where('firstWords', '=', openingHash)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** The statement that saves how a conversation began. */
export const openingStatement = (tx: Tx, officeId: string, id: string, openingHash: string) =>
  tx.updateTable('conversation').set({ firstWords: openingHash }).where('officeId', '=', officeId).where('id', '=', id);

/**
 * Holds a conversation back; false if a desk has answered or judged it by now. Run it after the visitor's own message, which locks the
 * conversation: then it sees what a desk did in the same moment.
 */
export async function setHeld(tx: Tx, officeId: string, id: string): Promise<boolean> {
  const held = await tx
    .updateTable('conversation as c')
    .set({ state: 'held' })
    .where('c.officeId', '=', officeId)
    .where('c.id', '=', id)
    .where('c.judgedAt', 'is', null)
    .where(
      sql<boolean>`not exists (
        select from message m where m.office_id = ${officeId} and m.conversation_id = ${id} and m.sender = 'doctor'
      )`,
    )
    .returning('c.id')
    .executeTakeFirst();
  return held !== undefined;
}
