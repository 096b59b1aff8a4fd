import type { ThreadVisitor } from '#contract/conversations.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** A page asks at least this often, so a visitor who did not has closed it. */
const thereForMs = 150_000;

/** The website visitor of a conversation; null if it has none. */
export async function visitorOfConversation(
  tx: Tx,
  officeId: string,
  conversationId: string,
  now: Date,
): Promise<ThreadVisitor | null> {
  const row = await tx
    .selectFrom('visitor')
    .select(['seenAt', 'leftAt', 'phone'])
    .where('officeId', '=', officeId)
    .where('conversationId', '=', conversationId)
    .executeTakeFirst();
  if (!row) return null;
  const { seenAt, leftAt, phone } = row;
  const isThere = leftAt === null && now.getTime() - seenAt.getTime() < thereForMs;
  return { lastSeen: isThere ? null : (leftAt ?? seenAt).toISOString(), phone };
}
