import { sql } from 'kysely';
import { keywordOf } from '#contract/texting.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** True if this number texted STOP to this office. */
export async function hasOptedOut(tx: Tx, officeId: string, phone: string): Promise<boolean> {
  const found = await tx
    .selectFrom('optOut')
    .select('id')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  return found !== undefined;
}

/** Newest messages that are looked at for a START. */
const lookedAt = 20;

/** Whether this number texted START since then: what the carrier reports of an earlier text is out of date. */
export async function hasStartedSince(tx: Tx, officeId: string, phone: string, since: Date): Promise<boolean> {
  const messages = await tx
    .selectFrom('conversation as c')
    .innerJoin('message as m', (join) =>
      join.onRef('m.officeId', '=', 'c.officeId').onRef('m.conversationId', '=', 'c.id'),
    )
    .select(['m.sender', 'm.at', 'm.body'])
    .where('c.officeId', '=', officeId)
    .where('c.phone', '=', phone)
    .where('c.channel', '=', sql.lit('text'))
    .orderBy('m.sequence', 'desc')
    .limit(lookedAt)
    .execute();
  return messages.some(({ sender, at, body }) => sender === 'patient' && at >= since && keywordOf(body) === 'start');
}

/** False if the number had opted out before. */
export async function addOptOut(tx: Tx, scope: OfficeScope, phone: string): Promise<boolean> {
  const added = await tx
    .insertInto('optOut')
    .values({ officeId: scope.officeId, id: scope.id(), phone, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['officeId', 'phone']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export async function removeOptOut(tx: Tx, officeId: string, phone: string): Promise<void> {
  await tx.deleteFrom('optOut').where('officeId', '=', officeId).where('phone', '=', phone).execute();
}
