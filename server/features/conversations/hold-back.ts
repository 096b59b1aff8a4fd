import { createHash } from 'node:crypto';
import type { OfficeScope } from '#server/context.ts';
import { auditStatement } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { Statements } from '#server/kit/db/statements.ts';
import { firstWordsElsewhere, setHeld, spamFacts } from './held-sql.ts';

/** Only how a conversation begins is judged: messages of visitors and the automatic answers between them. */
const mostMessages = 5;
const mostLinks = 1;
/** This many visitors may begin with the same words in a day. Short ones, such as a greeting, are common. */
const mostWithSameWords = 2;
const leastLetters = 30;

/**
 * The statements that hold back a website visitor's conversation if this message looks like advertising: several links, or the words with which
 * many others began. Not once the desk has answered, or has said that it is none. Run `last` after the message's own statement.
 */
export async function holdStatements(
  tx: Tx,
  scope: OfficeScope,
  { conversationId, body }: { conversationId: string; body: string },
): Promise<Required<Pick<Statements, 'statements' | 'last'>>> {
  const { officeId } = scope;
  const facts = await spamFacts(tx, officeId, conversationId);
  const nothing = { statements: [], last: [] };
  if (!facts || facts.state === 'held' || facts.judgedAt !== null || facts.lastSequence >= mostMessages) return nothing;
  if (facts.isAnswered) return nothing;
  const firstWords = facts.lastSequence === 0 ? hashOfWords(body) : null;
  const since = new Date(scope.now().getTime() - 86_400_000);
  const others = firstWords === null ? 0 : await firstWordsElsewhere(tx, officeId, { firstWords, since });
  const because = countLinks(body) > mostLinks ? 'links' : others >= mostWithSameWords ? 'same-words' : null;
  if (firstWords === null && because === null) return nothing;
  const audit = { action: 'conversation.hold', subject: conversationId, details: { because } } as const;
  return {
    statements: because === null ? [] : [auditStatement(tx, scope, audit)],
    last: [setHeld(tx, officeId, conversationId, { firstWords, isHeld: because !== null })],
  };
}

const countLinks = (body: string) => new Set(body.match(/(?:https?:\/\/|www\.)[^\s<>"]+/gi) ?? []).size;

/** Null for words that many people begin with. */
function hashOfWords(body: string): string | null {
  const words = body.toLowerCase().replace(/\s+/g, ' ').trim();
  return words.length < leastLetters ? null : createHash('sha256').update(words).digest('hex');
}
