import type { TextProblem, TextState } from '#contract/queue.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether, type Statements } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow, type OfficeRow } from '#server/office-row.ts';
import { encryptLink } from './link-in-text.ts';
import type { NewText } from './new-text.ts';
import { textBlockOf } from './blocked-numbers-sql.ts';
import { newTextStatement } from './ledger-sql.ts';
import { admitText } from './text-limits.ts';

/** Adds a text to the ledger in the caller's transaction and returns its id; it is sent after the commit. */
export async function queueText(tx: Tx, scope: OfficeScope, text: NewText): Promise<string> {
  const { id, ...change } = await textStatements(tx, scope, text);
  await runTogether(tx, change);
  return id;
}

/**
 * The statement that adds a text to the ledger. The limits (text-limits.ts) are checked first; a refusal is thrown before anything is
 * written. A text to a number that opted out or is a landline, or from a practice without a number, is stored as failed. Send SMS adds
 * its texts in one statement (`insertTexts`).
 */
export async function textStatements(
  tx: Tx,
  scope: OfficeScope,
  text: NewText,
): Promise<Statements & { id: string; state: TextState; problem: TextProblem | null; limitedUntil: Date | null }> {
  const { officeId } = scope;
  const [office, block] = await Promise.all([officeRow(tx, officeId), textBlockOf(tx, officeId, text.toPhone)]);
  const blocked = text.kind === 'notice' ? null : block;
  // A practice without a number writes rows too, so its texts count towards the limits although none is sent.
  // Anybody can request a link, and must not learn from the limits that the number sent STOP.
  const isCounted = blocked === null || (blocked === 'opted-out' && isRequestedLink(scope, text));
  const limit = text.kind !== 'notice' && isCounted ? await admitText(tx, scope, office, text) : null;
  const failure = blocked ?? (office.textNumber === null ? 'sender' : null);
  const id = scope.id();
  const state: TextState = failure ? 'failed' : limit ? 'held' : 'queued';
  const problem = failure ?? limit?.name ?? null;
  const limitedUntil = failure ? null : (limit?.until ?? null);
  const textStatement = newTextStatement(tx, {
    officeId,
    id,
    kind: text.kind,
    visitId: text.visitId,
    patientId: text.patientId,
    fromPhone: office.textNumber,
    toPhone: text.toPhone,
    body: text.body,
    needsLink: text.link !== undefined,
    sealedLink: text.link === undefined || state === 'failed' ? null : encryptLink(scope, id, text.link),
    state,
    errorClass: problem,
    limitedUntil,
    sendAt: text.sendAt ?? scope.now(),
    daytimeOnly: text.daytimeOnly ?? false,
    createdAt: scope.now(),
  });
  return { id, state, problem, limitedUntil, statements: [textStatement], hints: [{ type: 'text' }] };
}

const isRequestedLink = ({ actor }: OfficeScope, { kind }: NewText) => actor.kind === 'patient' && kind === 'link';

/** The number that the office's texts come from; refuses if it has none until it is confirmed. */
export function requireTextNumber({ textNumber }: Pick<OfficeRow, 'textNumber'>): string {
  if (textNumber === null) throw new Refusal('no_text_number');
  return textNumber;
}
