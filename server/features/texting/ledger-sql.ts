/** Every statement that writes rows of the text ledger, except the claims of workers (sql.ts), which are functions of the database. */
import { sql, type Insertable } from 'kysely';
import type { TextBlock, TextProblem, TextState } from '#contract/queue.ts';
import { textMoves, type TextMove } from '#contract/texting.ts';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { linkPlaceholder, ownLinkPattern } from './link-in-text.ts';
import { noteTextOutcomes } from './sql.ts';

/** Adds one text. */
export const newTextStatement = (tx: Tx, text: Insertable<DB['text']>) => tx.insertInto('text').values(text);

/** Adds texts with the same body to the ledger, in one statement. */
export async function insertTexts(
  tx: Tx,
  officeId: string,
  texts: {
    from: string;
    body: string;
    at: Date;
    /** Who sends them. */
    by: string;
    /** The send to several people that they belong to. */
    sendId: string | null;
    ids: string[];
    phones: string[];
    sendAt: number[];
    appointmentAt: (number | null)[];
  },
): Promise<void> {
  await sql`
    insert into text (office_id, id, kind, from_phone, to_phone, body, needs_link, state, send_by, send_id, send_at, appointment_at, created_at)
    select ${officeId}::uuid, r.id, 'message', ${texts.from}, r.phone, ${texts.body}, false, 'queued', ${texts.by}, ${texts.sendId}::uuid,
      to_timestamp(r.send_at / 1000), to_timestamp(r.appointment_at / 1000), ${texts.at}::timestamptz
    from unnest(${texts.ids}::uuid[], ${texts.phones}::text[], ${texts.sendAt}::float8[], ${texts.appointmentAt}::float8[])
      as r (id, phone, send_at, appointment_at)
    returning 1`.execute(tx);
}

export interface TextChanges {
  providerId?: string;
  errorClass?: TextProblem | null;
  retryAt?: Date;
  sendAt?: Date;
  sentAt?: Date;
  deliveredAt?: Date;
}

/** Only a text that may still be sent keeps its link; a held text may be released. */
const mayStillLeave = (move: TextMove) => ['queued', 'sending', 'held'].includes(textMoves[move].to);
/**
 * Texts queued by a release without encrypted links have their link in the body. Those were our own words: a `message` stays as staff wrote it,
 * because it may be sent again and may have a link of another website that looks like ours.
 */
const withoutLink = {
  sealedLink: null,
  body: sql<string>`case when kind = 'message' then body else regexp_replace(body, ${ownLinkPattern}, ${linkPlaceholder}, 'g') end`,
};

export interface MovedText {
  visitId: string | null;
  toPhone: string;
  body: string;
  /** Who sent it with Send SMS. */
  sendBy: string | null;
  sendAt: Date;
  state: TextState;
}

/** Moves a text if its state allows it and, if `worker` is set, that worker still holds it; else returns undefined. */
export async function moveText(
  tx: Tx,
  text: { officeId: string; id: string; worker?: string | undefined },
  move: TextMove,
  changes: TextChanges = {},
): Promise<MovedText | undefined> {
  const { providerId, sentAt, ...plain } = changes;
  const { worker } = text;
  return tx
    .updateTable('text')
    .set({
      ...plain,
      state: textMoves[move].to,
      leaseUntil: null,
      // A text that a person released and that is late again is held for its lateness, not by the limit.
      ...(move === 'hold' && { errorClass: changes.errorClass ?? null, limitedUntil: null }),
      ...(mayStillLeave(move) ? {} : withoutLink),
      ...(providerId !== undefined && { providerId: sql<string>`coalesce(provider_id, ${providerId})` }),
      ...(sentAt && { sentAt: sql<Date>`coalesce(sent_at, ${sentAt})` }),
    })
    .where('officeId', '=', text.officeId)
    .where('id', '=', text.id)
    .where('state', 'in', textMoves[move].from)
    .$if(worker !== undefined, (q) => q.where('worker', '=', worker as string))
    .returning(['visitId', 'toPhone', 'body', 'sendBy', 'sendAt', 'state'])
    .executeTakeFirst();
}

/** Changes what is not the state of a text. */
export async function setTextColumns(
  tx: Tx,
  officeId: string,
  id: string,
  columns: {
    body?: string;
    sendAt?: Date;
    retriedAt?: Date;
    errorClass?: TextProblem;
    limitedUntil?: null;
    retryAt?: null;
  },
): Promise<void> {
  await tx.updateTable('text').set(columns).where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** Sends a waiting text now; false if it does not wait (any more). */
export async function sendWaitingText(tx: Tx, officeId: string, messageId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('text')
    .set({ sendAt: now, retryAt: null })
    .where('officeId', '=', officeId)
    .where('id', '=', (q) =>
      q.selectFrom('message').select('textId').where('officeId', '=', officeId).where('id', '=', messageId),
    )
    .where('state', '=', 'queued')
    .where('sendAt', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Fails all unsent texts to this number: it sent STOP, or is a landline. */
export function failUnsentTexts(
  tx: Tx,
  officeId: string,
  phone: string,
  errorClass: TextBlock,
): Promise<{ id: string; visitId: string | null }[]> {
  return tx
    .updateTable('text')
    .set({ ...withoutLink, state: textMoves.optOut.to, errorClass })
    .where('officeId', '=', officeId)
    .where('toPhone', '=', phone)
    .where('kind', '!=', 'notice')
    .where('state', 'in', textMoves.optOut.from)
    .returning(['id', 'visitId'])
    .execute();
}

/** Cancels all unsent texts of a visit. */
export async function cancelUnsentTexts(tx: Tx, officeId: string, visitId: string): Promise<void> {
  const cancelled = await tx
    .updateTable('text')
    .set({ ...withoutLink, state: textMoves.cancel.to })
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where('state', 'in', textMoves.cancel.from)
    .returning('id')
    .execute();
  await noteTextOutcomes(
    tx,
    officeId,
    cancelled.map(({ id }) => id),
    false,
  );
}

/**
 * Cancels the texts of a send that have not gone out; returns how many. A text that a worker claims at the same moment is one or the other,
 * because each waits for the other's lock.
 */
export async function cancelTextsOfSend(tx: Tx, officeId: string, sendId: string): Promise<number> {
  const unsent = tx
    .selectFrom('text')
    .select('id')
    .where('officeId', '=', officeId)
    .where('sendId', '=', sendId)
    .where('state', 'in', textMoves.cancel.from)
    .orderBy('id')
    .forUpdate();
  const { numUpdatedRows } = await tx
    .updateTable('text')
    .set({ ...withoutLink, state: textMoves.cancel.to })
    .where('officeId', '=', officeId)
    .where('id', 'in', unsent)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Holds the texts that staff wrote and that wait to be sent, because the practice was limited; returns how many. */
export async function holdCustomTexts(tx: Tx, officeId: string): Promise<number> {
  const held = await tx
    .updateTable('text')
    .set({ state: textMoves.limit.to, errorClass: 'practice-limited' })
    .where('officeId', '=', officeId)
    .where('state', 'in', textMoves.limit.from)
    .where('kind', '=', 'message')
    .returning('id')
    .execute();
  return held.length;
}
