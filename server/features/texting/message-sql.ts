import type { Tx } from '#server/kit/db/db.ts';

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
