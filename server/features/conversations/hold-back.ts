import { createHash } from 'node:crypto';
import type { OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { countSameOpenings, openingStatement, setHeld, spamFacts } from './held-sql.ts';

/** Only how a conversation begins is judged: messages of visitors and the automatic answers between them. */
const mostMessages = 5;
const mostLinks = 1;
/** This many visitors may begin with the same message in a day. Short ones, such as a greeting, are common. */
const mostWithSameOpening = 2;
const leastLetters = 30;

export interface Suspicion {
  conversationId: string;
  /** A hash of its first message, to be saved. */
  openingHash: string | null;
  /** Why it is to be held back; null if it is not. */
  because: 'links' | 'same-words' | null;
}

/**
 * Whether a website visitor's message looks like advertising: several links, or the message with which many others began. Null for a conversation
 * that is not judged: the desk has answered, or has said that it is not advertising.
 */
export async function suspicionOf(
  tx: Tx,
  scope: OfficeScope,
  { conversationId, body }: { conversationId: string; body: string },
): Promise<Suspicion | null> {
  const { officeId } = scope;
  const facts = await spamFacts(tx, officeId, conversationId);
  if (!facts || facts.state === 'held' || facts.judgedAt !== null || facts.lastSequence >= mostMessages) return null;
  if (facts.isAnswered) return null;
  const openingHash = facts.lastSequence === 0 ? hashOfOpening(body) : null;
  const since = new Date(scope.now().getTime() - 86_400_000);
  const others = openingHash === null ? 0 : await countSameOpenings(tx, officeId, { openingHash, since });
  const because = countLinks(body) > mostLinks ? 'links' : others >= mostWithSameOpening ? 'same-words' : null;
  return { conversationId, openingHash, because };
}

/** The statements that save how the conversation began. Run them after the message's own statement. */
export function suspicionStatements(tx: Tx, { officeId }: OfficeScope, suspicion: Suspicion | null) {
  const { conversationId, openingHash = null } = suspicion ?? {};
  return conversationId === undefined || openingHash === null
    ? []
    : [openingStatement(tx, officeId, conversationId, openingHash)];
}

/** Holds the conversation back, unless a desk answered or judged it since it was suspected. */
export async function holdBack(tx: Tx, scope: OfficeScope, { conversationId, because }: Suspicion): Promise<void> {
  if (because === null || !(await setHeld(tx, scope.officeId, conversationId))) return;
  await writeAuditEntry(tx, scope, { action: 'conversation.hold', subject: conversationId, details: { because } });
}

const countLinks = (body: string) => new Set(body.match(/(?:https?:\/\/|www\.)[^\s<>"]+/gi) ?? []).size;

/** Null for a message so short that many people begin with it. */
function hashOfOpening(body: string): string | null {
  const opening = body.toLowerCase().replace(/\s+/g, ' ').trim();
  return opening.length < leastLetters ? null : createHash('sha256').update(opening).digest('hex');
}
