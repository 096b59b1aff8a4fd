import { sql } from 'kysely';
import type pg from 'pg';
import type { TextBlock, VisitStatus } from '#contract/queue.ts';
import type { Language } from '#contract/shapes.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** A due text that a worker has claimed. */
export interface ClaimedText {
  officeId: string;
  id: string;
  from: string;
  to: string;
  body: string;
  needsLink: boolean;
  sealedLink: Buffer | null;
  sendAt: Date;
  tries: number;
  /** Why its number gets no texts; null for a notice, which goes out all the same. */
  block: TextBlock | null;
  /** The appointment before which it must go out. */
  appointmentAt: Date | null;
}

/** Claims due texts. The claims are committed when this returns. */
export async function claimTexts(
  pool: pg.Pool,
  claim: { worker: string; now: Date; leaseMs: number; limit: number },
): Promise<ClaimedText[]> {
  const { rows } = await pool.query<{
    office_id: string;
    id: string;
    from_phone: string;
    to_phone: string;
    body: string;
    needs_link: boolean;
    sealed_link: Buffer | null;
    send_at: Date;
    tries: number;
    block: TextBlock | null;
    appointment_at: Date | null;
  }>({
    name: 'door_claim_texts',
    text: 'select * from door_claim_texts($1, $2, $3, $4)',
    values: [claim.worker, claim.now, `${claim.leaseMs} milliseconds`, claim.limit],
  });
  return rows.map((row) => ({
    officeId: row.office_id,
    id: row.id,
    from: row.from_phone,
    to: row.to_phone,
    body: row.body,
    needsLink: row.needs_link,
    sealedLink: row.sealed_link,
    sendAt: row.send_at,
    tries: row.tries,
    block: row.block,
    appointmentAt: row.appointment_at,
  }));
}

/** A text in `sending` whose lease is over: its outcome must be looked up. */
export interface AbandonedText {
  officeId: string;
  id: string;
  from: string;
  to: string;
  claimedAt: Date;
  claimedMsAgo: number;
}

/** Takes over texts past their lease. Committed when this returns. */
export async function takeOverTexts(
  pool: pg.Pool,
  claim: { worker: string; leaseMs: number; limit: number },
): Promise<AbandonedText[]> {
  const { rows } = await pool.query<{
    office_id: string;
    id: string;
    from_phone: string;
    to_phone: string;
    claimed_at: Date;
    claimed_ms_ago: number;
  }>({
    name: 'door_take_over_texts',
    text: 'select * from door_take_over_texts($1, $2, $3)',
    values: [claim.worker, `${claim.leaseMs} milliseconds`, claim.limit],
  });
  return rows.map((row) => ({
    officeId: row.office_id,
    id: row.id,
    from: row.from_phone,
    to: row.to_phone,
    claimedAt: row.claimed_at,
    claimedMsAgo: row.claimed_ms_ago,
  }));
}

/** What is needed to know the body of a text as it left. */
export async function bodyOfText(tx: Tx, officeId: string, id: string) {
  return tx
    .selectFrom('text')
    .select(['body', 'needsLink', 'sealedLink'])
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What decides about a text that is late: whether somebody sent it with Send SMS, and whether it may leave at night. */
export async function lateRuleOf(tx: Tx, officeId: string, id: string) {
  return tx
    .selectFrom('text')
    .select((eb) => [eb('sendBy', 'is not', null).as('isOfList'), 'daytimeOnly'])
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** How much earlier than a message at the carrier its claim may be: clocks differ, and a message is claimed before it is sent. */
const claimedBefore = '1 hour';

/** The other texts between the same two numbers that were claimed since then, or a little before. `isTwin`: the same body. */
export async function textsBetween(
  tx: Tx,
  { officeId, id, from, to }: AbandonedText,
  since: Date,
): Promise<{ providerId: string | null; isTwin: boolean }[]> {
  const own = tx
    .selectFrom('text as own')
    .select('own.body')
    .where('own.officeId', '=', officeId)
    .where('own.id', '=', id);
  return tx
    .selectFrom('text')
    .select(({ eb }) => ['providerId', eb('state', 'in', ['sending', 'unknown']).and('body', '=', own).as('isTwin')])
    .where('officeId', '=', officeId)
    .where('id', '!=', id)
    .where('fromPhone', '=', from)
    .where('toPhone', '=', to)
    .where('claimedAt', '>=', sql<Date>`${since}::timestamptz - ${claimedBefore}::interval`)
    .execute() as Promise<{ providerId: string | null; isTwin: boolean }[]>;
}

/** Notes in a conversation whether its newest text reached the patient. Older texts change nothing. */
export async function noteTextOutcomes(
  tx: Tx,
  officeId: string,
  textIds: readonly string[],
  isTroubled: boolean,
): Promise<void> {
  if (textIds.length === 0) return;
  await tx
    .updateTable('conversation')
    .set({ failed: isTroubled })
    .where('officeId', '=', officeId)
    .where('lastTextId', 'in', textIds)
    .where('failed', '!=', isTroubled)
    .execute();
}

/**
 * Whether a conversation waits for an answer, after one was canceled or restored: its newest message is the patient's. Keywords, what was canceled
 * and texts of Send SMS do not count.
 */
export async function refreshUnanswered(tx: Tx, officeId: string, conversationId: string): Promise<void> {
  await sql`
    update conversation c set unanswered = (
      select m.sender = 'patient'
      from message m left join text t on t.office_id = m.office_id and t.id = m.text_id
      where m.office_id = ${officeId} and m.conversation_id = c.id and m.sender in ('doctor', 'patient') and m.keyword is null
        and t.state is distinct from 'cancelled' and t.send_by is null
      order by m.sequence desc limit 1
    ) is true
    where c.office_id = ${officeId} and c.id = ${conversationId}`.execute(tx);
}

/** The same for the conversation that shows a text, if one does. */
export async function refreshUnansweredOfText(tx: Tx, officeId: string, textId: string): Promise<void> {
  const message = await tx
    .selectFrom('message')
    .select('conversationId')
    .where('officeId', '=', officeId)
    .where('textId', '=', textId)
    .executeTakeFirst();
  if (message) await refreshUnanswered(tx, officeId, message.conversationId);
}

/** The visit that a text from a number belongs to. */
export interface VisitOfNumber {
  id: string;
  day: string;
  language: Language;
  status: VisitStatus;
}

/**
 * The visit that a text belongs to: today's, an open one first; else an earlier one that was left open. Its row is locked as the message's
 * foreign key will lock it: locked only then, after the conversation, it would deadlock with a move, which locks the visit first. A text that may
 * move the visit (`mayMove`) takes the move's lock at once: two that both hold the weaker one would wait for each other.
 */
export async function visitOfPhone(
  tx: Tx,
  officeId: string,
  phone: string,
  today: string,
  { mayMove = false } = {},
): Promise<VisitOfNumber | undefined> {
  return tx
    .selectFrom('visit')
    .select(['id', 'day', 'language', 'status'])
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .where((q) => q.or([q('day', '=', today), q('endedAt', 'is', null)]))
    .orderBy('day', 'desc')
    .orderBy(sql`ended_at is not null`)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .$if(mayMove, (q) => q.forUpdate())
    .$if(!mayMove, (q) => q.forKeyShare())
    .executeTakeFirst();
}
