import type { ThreadVisitor } from '#contract/conversations.ts';
import type { Language } from '#contract/shapes.ts';
import { textBlockOf } from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** A page asks at least this often, so a visitor who did not has closed it. */
const thereForMs = 150_000;

const isThere = ({ seenAt, leftAt }: { seenAt: Date; leftAt: Date | null }, now: Date) =>
  leftAt === null && now.getTime() - seenAt.getTime() < thereForMs;

function visitorRow(tx: Tx, officeId: string, conversationId: string) {
  return tx
    .selectFrom('visitor')
    .select(['seenAt', 'leftAt', 'phone', 'language', 'handedOverAt'])
    .where('officeId', '=', officeId)
    .where('conversationId', '=', conversationId)
    .executeTakeFirst();
}

/** The website visitor of a conversation; null if it has none. */
export async function visitorOfConversation(
  tx: Tx,
  officeId: string,
  conversationId: string,
  now: Date,
): Promise<ThreadVisitor | null> {
  const row = await visitorRow(tx, officeId, conversationId);
  if (!row) return null;
  const { seenAt, leftAt, phone } = row;
  const textBlock = phone === null ? null : await textBlockOf(tx, officeId, phone);
  return { lastSeen: isThere(row, now) ? null : (leftAt ?? seenAt).toISOString(), phone, textBlock };
}

interface LeftVisitor {
  phone: string;
  language: Language;
  /** The conversation has said that answers go out by text. */
  handedOver: boolean;
}

/** The website visitor of a conversation, if they have left and proved a number before. */
export async function leftVisitor(
  tx: Tx,
  officeId: string,
  conversationId: string,
  now: Date,
): Promise<LeftVisitor | null> {
  const row = await visitorRow(tx, officeId, conversationId);
  if (!row || row.phone === null || isThere(row, now)) return null;
  return { phone: row.phone, language: row.language, handedOver: row.handedOverAt !== null };
}

/** The statement that saves that the conversation says where answers go. */
export const handedOverStatement = (tx: Tx, officeId: string, conversationId: string, handedOverAt: Date) =>
  tx
    .updateTable('visitor')
    .set({ handedOverAt })
    .where('officeId', '=', officeId)
    .where('conversationId', '=', conversationId);
