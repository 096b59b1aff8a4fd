import type { ThreadVisitor } from '#contract/conversations/shapes.ts';
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
    .select(['id', 'seenAt', 'leftAt', 'phone', 'language', 'handedOverAt', 'blockedAt'])
    .where('officeId', '=', officeId)
    .where('conversationId', '=', conversationId);
}

/** The website visitor of a conversation; null if it has none. */
export async function visitorOfConversation(
  tx: Tx,
  officeId: string,
  conversationId: string,
  now: Date,
): Promise<ThreadVisitor | null> {
  const row = await visitorRow(tx, officeId, conversationId).executeTakeFirst();
  if (!row) return null;
  const { seenAt, leftAt, phone, blockedAt } = row;
  const textBlock = phone === null ? null : await textBlockOf(tx, officeId, phone);
  const lastSeen = isThere(row, now) ? null : (leftAt ?? seenAt).toISOString();
  return { lastSeen, phone, textBlock, blocked: blockedAt !== null };
}

export interface AnsweredVisitor {
  /** The number they proved. */
  phone: string | null;
  language: Language;
  hasLeft: boolean;
  blocked: boolean;
  /** The conversation has said that answers go out by text. */
  handedOver: boolean;
}

/** The website visitor who gets an answer; null if the conversation has none. */
export async function answeredVisitor(
  tx: Tx,
  officeId: string,
  conversationId: string,
  now: Date,
): Promise<AnsweredVisitor | null> {
  const row = await visitorRow(tx, officeId, conversationId).executeTakeFirst();
  if (!row) return null;
  const { phone, language, handedOverAt, blockedAt } = row;
  const hasLeft = !isThere(row, now);
  return { phone, language, hasLeft, blocked: blockedAt !== null, handedOver: handedOverAt !== null };
}

/** Whether the website visitor of a conversation is blocked, which stays so until the end of the transaction; undefined without a visitor. */
export async function lockBlock(tx: Tx, officeId: string, conversationId: string): Promise<boolean | undefined> {
  const row = await visitorRow(tx, officeId, conversationId).forUpdate().executeTakeFirst();
  return row && row.blockedAt !== null;
}

export async function setBlockedAt(
  tx: Tx,
  officeId: string,
  conversationId: string,
  blockedAt: Date | null,
): Promise<void> {
  await tx
    .updateTable('visitor')
    .set({ blockedAt })
    .where('officeId', '=', officeId)
    .where('conversationId', '=', conversationId)
    .execute();
}

/** The statement that saves that the conversation says where answers go. */
export const handedOverStatement = (tx: Tx, officeId: string, conversationId: string, handedOverAt: Date) =>
  tx
    .updateTable('visitor')
    .set({ handedOverAt })
    .where('officeId', '=', officeId)
    .where('conversationId', '=', conversationId);
