import type { TextErrorClass, TextState, VisitMessage } from '#contract/queue.ts';
import type { OfficeScope } from '#server/ctx.ts';
import type { Tx } from '#server/kit/db.ts';
import { write, type Change } from '#server/kit/statements.ts';
import { officeRow } from '#server/kit/office-row.ts';
import { encryptLink } from './link.ts';
import { admitText } from './budgets.ts';

export interface NewText {
  /** `notice`: an answer the carrier's rules ask for; it also goes to a number that opted out. */
  kind: VisitMessage['kind'] | 'notice';
  visitId: string | null;
  patientId: string | null;
  toPhone: string;
  /** With a `link`, the last `{link}` in it stands for that. */
  body: string;
  /** Kept encrypted while the text may still leave, then dropped; the stored body never holds it. */
  link?: string;
  /** Somebody of the practice wrote it, or part of it: not the product's own wording. */
  ownWords?: boolean;
  sendAt?: Date;
}

/** Writes a text into the ledger in the caller's transaction, and answers its id; it leaves after the commit. */
export async function queueText(tx: Tx, scope: OfficeScope, text: NewText): Promise<string> {
  const { id, ...change } = await queueing(tx, scope, text);
  await write(tx, change);
  return id;
}

/**
 * A text to be written into the ledger. A number that opted out gets none: it stands there as failed. Every text of a practice passes
 * here, so this is where its limits hold (budgets.ts): the refusal comes before anything is written.
 */
export async function queueing(
  tx: Tx,
  scope: OfficeScope,
  text: NewText,
): Promise<Change & { id: string; state: TextState; problem: TextErrorClass | null }> {
  const { officeId } = scope;
  const [office, saidStop] = await Promise.all([officeRow(tx, officeId), hasOptedOut(tx, officeId, text.toPhone)]);
  const optedOut = saidStop && text.kind !== 'notice';
  const isHeld = !optedOut && text.kind !== 'notice' && (await admitText(tx, scope, office, text)) === 'hold';
  const id = scope.id();
  const state: TextState = optedOut ? 'failed' : isHeld ? 'held' : 'queued';
  const problem = optedOut ? 'opted-out' : isHeld ? 'rate' : null;
  const adding = tx.insertInto('text').values({
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
    sendAt: text.sendAt ?? scope.now(),
    createdAt: scope.now(),
  });
  return { id, state, problem, writes: [adding], hints: [{ type: 'text' }] };
}

/** Did this number say STOP to this office? */
export async function hasOptedOut(tx: Tx, officeId: string, phone: string): Promise<boolean> {
  const found = await tx
    .selectFrom('optOut')
    .select('id')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  return found !== undefined;
}
