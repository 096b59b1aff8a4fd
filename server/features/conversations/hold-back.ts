import { createHash } from 'node:crypto';
import type { OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { firstWordsElsewhere, firstWordsStatement, setHeld, spamFacts } from './held-sql.ts';

/** Only how a conversation begins is judged: messages of visitors and the automatic answers between them. */
const mostMessages = 5;
const mostLinks = 1;
/** This many visitors may begin with the same words in a day. Short ones, such as a greeting, are common. */
const mostWithSameWords = 2;
const leastLetters = 30;

export interface Suspicion {
  conversationId: string;
  /** A hash of the words it began with, to be saved. */
  firstWords: string | null;
  /** Why it is to be held back; null if it is not. */
  because: 'links' | 'same-words' | null;
}

/**
 * Whether a website visitor's message looks like advertising: several links, or the words with which many others began. Null for a conversation
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
  const firstWords = facts.lastSequence === 0 ? hashOfWords(body) : null;
  const since = new Date(scope.now().getTime() - 86_400_000);
  const others = firstWords === null ? 0 : await firstWordsElsewhere(tx, officeId, { firstWords, since });
  const because = countLinks(body) > mostLinks ? 'links' : others >= mostWithSameWords ? 'same-words' : null;
  return { conversationId, firstWords, because };
}

/** The statements that save how the conversation began. Run them after the message's own statement. */
export function suspicionStatements(tx: Tx, { officeId }: OfficeScope, suspicion: Suspicion | null) {
  const { conversationId, firstWords = null } = suspicion ?? {};
  return conversationId === undefined || firstWords === null
    ? []
    : [firstWordsStatement(tx, officeId, conversationId, firstWords)];
}

/** Holds the conversation back, unless a desk answered or judged it since it was suspected. */
export async function holdBack(tx: Tx, scope: OfficeScope, { conversationId, because }: Suspicion): Promise<void> {
  if (because === null || !(await setHeld(tx, scope.officeId, conversationId))) return;
  await writeAuditEntry(tx, scope, { action: 'conversation.hold', subject: conversationId, details: { because } });
}

const countLinks = (body: string) => new Set(body.match(/(?:https?:\/\/|www\.)[^\s<>"]+/gi) ?? []).size;

/** Null for words that many people begin with. */
function hashOfWords(body: string): string | null {
  const words = body.toLowerCase().replace(/\s+/g, ' ').trim();
  return words.length < leastLetters ? null : createHash('sha256').update(words).digest('hex');
}
