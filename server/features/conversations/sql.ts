import { sql } from 'kysely';
import { conversationsPerPage, type InboxCounts, type InboxFilter } from '#contract/conversations/inbox.ts';
import type { Conversation, ConversationChannel } from '#contract/conversations/shapes.ts';
import type { Language } from '#contract/shapes.ts';
import { anyLinkLabel } from '#server/features/queue/index.ts';
import { fillLink, textBlockColumn } from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Conversations as the inbox shows them. */
function conversationRows(tx: Tx, officeId: string) {
  return tx
    .selectFrom('conversation as c')
    .leftJoin('patient as p', (join) => join.onRef('p.officeId', '=', 'c.officeId').onRef('p.id', '=', 'c.patientId'))
    .leftJoin('text as t', (join) => join.onRef('t.officeId', '=', 'c.officeId').onRef('t.id', '=', 'c.lastTextId'))
    .select([
      'c.id',
      'c.channel',
      'c.phone',
      'c.patientId',
      'c.state',
      'c.assigneeId',
      'c.assigneeName',
      'c.lastAt',
      'c.lastBody',
      'c.lastSender',
      'c.lastContent',
      'c.visitorName',
      'c.lastSequence',
      'c.unread',
      'c.unanswered',
      'c.failed',
      'p.userCode',
      'p.firstName',
      'p.lastName',
      'p.language',
      't.state as lastState',
    ])
    .select(textBlockColumn('c', officeId))
    .where('c.officeId', '=', officeId);
}

export type ConversationRow = Awaited<ReturnType<ReturnType<typeof conversationRows>['executeTakeFirstOrThrow']>>;

/** Written as in the partial indexes: with parameters the planner could not use them. */
const conditions: Record<InboxFilter, ReturnType<typeof sql<boolean>>> = {
  unanswered: sql<boolean>`c.unanswered and c.state = 'open'`,
  unread: sql<boolean>`c.unread > 0 and c.state <> 'held'`,
  failed: sql<boolean>`c.failed and c.state = 'open'`,
  all: sql<boolean>`c.state <> 'held'`,
};

export interface InboxQuery {
  filter: InboxFilter;
  /** Beginnings of words of the name, or digits of the number. */
  words: readonly string[];
  after: { at: Date; id: string } | null;
}

/** Written out for each word: a subquery over the words took seven times as long for 50,000 conversations. Words have letters and digits only. */
function matches(word: string) {
  if (/^[0-9]{3,}$/.test(word)) return sql`c.search_name like ${`%${word}%`}`;
  return sql`(c.search_name like ${`${word}%`} or c.search_name like ${`% ${word}%`})`;
}

/** A website's visitor who has not written yet is nobody's work. */
const hasBegun = sql<boolean>`(c.last_sequence > 0 or c.channel <> 'web')`;

/**
 * One page of conversations and one more row, the newest first. They are found first: a search reads only the index `conversation_listed`, and
 * the rows of what it found. Reading every row took three times as long for 50,000 conversations.
 */
export function inboxPage(tx: Tx, officeId: string, { filter, words, after }: InboxQuery): Promise<ConversationRow[]> {
  const found = tx
    .selectFrom('conversation as c')
    .select('c.id')
    .where('c.officeId', '=', officeId)
    .where(conditions[filter])
    .where(hasBegun)
    .$if(words.length > 0, (q) => q.where(sql<boolean>`${sql.join(words.map(matches), sql` and `)}`))
    .$if(after !== null, (q) =>
      q.where(sql<boolean>`(c.last_at, c.id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('c.lastAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(conversationsPerPage + 1);
  return conversationRows(tx, officeId)
    .where('c.id', 'in', found)
    .orderBy('c.lastAt', 'desc')
    .orderBy('c.id', 'desc')
    .execute();
}

interface WantedDays {
  from?: Date | undefined;
  to?: Date | undefined;
  /** All with unread messages too. */
  unreadToo: boolean;
}

/** A conversation belongs to each day on which somebody wrote in it. The newest message decides for most without a look at the others. */
function isOfDays(officeId: string, { from, to, unreadToo }: WantedDays) {
  const after = from === undefined ? sql<boolean>`true` : sql<boolean>`c.last_at >= ${from}`;
  const before =
    to === undefined
      ? sql<boolean>`true`
      : sql<boolean>`(c.last_at < ${to} or exists (
          select from message m
          where m.office_id = ${officeId} and m.conversation_id = c.id and m.at < ${to} ${from === undefined ? sql`` : sql`and m.at >= ${from}`}
        ))`;
  return unreadToo ? sql<boolean>`((${after} and ${before}) or c.unread > 0)` : sql<boolean>`${after} and ${before}`;
}

/** The conversations of some days, or those with a patient (named by their code), the newest first. */
export function conversationsBetween(
  tx: Tx,
  officeId: string,
  {
    days,
    patient,
    chatsOnly,
    isHeld,
    limit,
    offset,
  }: {
    days: WantedDays;
    patient?: string | undefined;
    chatsOnly: boolean;
    isHeld: boolean;
    limit: number;
    offset: number;
  },
): Promise<ConversationRow[]> {
  return conversationRows(tx, officeId)
    .where(hasBegun)
    .where(isOfDays(officeId, days))
    .where(isHeld ? sql<boolean>`c.state = 'held'` : sql<boolean>`c.state <> 'held'`)
    .$if(chatsOnly, (q) => q.where('c.channel', '<>', sql.lit('text')))
    .$if(patient !== undefined, (q) => q.where('p.userCode', '=', patient as string))
    .orderBy('c.lastAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The visits that show patient's messages up to a sequence which no desk has read. */
export async function visitsWithUnread(tx: Tx, officeId: string, id: string, sequence: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('message as m')
    .innerJoin('conversation as c', (join) =>
      join.onRef('c.officeId', '=', 'm.officeId').onRef('c.id', '=', 'm.conversationId'),
    )
    .select('m.visitId')
    .distinct()
    .where('m.officeId', '=', officeId)
    .where('m.conversationId', '=', id)
    .where('m.sender', '=', 'patient')
    .whereRef('m.sequence', '>', 'c.readSequence')
    .where('m.sequence', '<=', sequence)
    .where('m.visitId', 'is not', null)
    .execute();
  return rows.flatMap(({ visitId }) => visitId ?? []);
}

export async function inboxCounts(tx: Tx, officeId: string): Promise<InboxCounts> {
  const { rows } = await sql<InboxCounts>`
    select
      (select count(*)::int from conversation c where c.office_id = ${officeId} and ${conditions.unanswered}) as unanswered,
      (select count(*)::int from conversation c where c.office_id = ${officeId} and ${conditions.unread}) as unread,
      (select count(*)::int from conversation c
        where c.office_id = ${officeId} and ${conditions.unread} and c.channel <> 'text') as "unreadChats",
      (select count(*)::int from conversation c
        where c.office_id = ${officeId} and ${conditions.unanswered} and c.channel <> 'text') as "unansweredChats",
      (select coalesce(sum(c.unread), 0)::int from conversation c where c.office_id = ${officeId} and ${conditions.unread}) as "unreadMessages",
      (select count(*)::int from conversation c where c.office_id = ${officeId} and ${conditions.failed}) as failed
  `.execute(tx);
  return rows[0] as InboxCounts;
}

export function findConversation(tx: Tx, officeId: string, id: string): Promise<ConversationRow | undefined> {
  return conversationRows(tx, officeId).where('c.id', '=', id).executeTakeFirst();
}

export async function changeConversation(
  tx: Tx,
  officeId: string,
  id: string,
  change: { state: 'open' | 'closed'; judgedAt: Date } | { assigneeId: string | null; assigneeName: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('conversation')
    .set(change)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The conversation with a patient; an empty one is created if there is none. Undefined if the patient is unknown. */
export async function conversationOfPatient(
  tx: Tx,
  officeId: string,
  userCode: string,
  created: { id: string; at: Date },
): Promise<string | undefined> {
  const patient = await tx
    .selectFrom('patient')
    .select(['id', 'phone', 'firstName', 'lastName'])
    .where('officeId', '=', officeId)
    .where('userCode', '=', userCode)
    .executeTakeFirst();
  if (!patient) return undefined;
  const { phone, firstName, lastName } = patient;
  const found = await tx
    .insertInto('conversation')
    .values({
      officeId,
      id: created.id,
      phone,
      patientId: patient.id,
      searchName: sql<string>`search_words(${`${firstName} ${lastName} ${phone.slice(2)}`})`,
      lastAt: created.at,
      lastSender: 'system',
      createdAt: created.at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['officeId', 'phone'])
        .where('channel', '=', sql.lit('text'))
        .doUpdateSet({ patientId: patient.id }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return found.id;
}

export async function insertVisitorConversation(
  tx: Tx,
  visitor: {
    officeId: string;
    id: string;
    channel: ConversationChannel;
    name: string;
    patientId: string | null;
    at: Date;
  },
): Promise<void> {
  const { officeId, id, channel, name, patientId, at } = visitor;
  await tx
    .insertInto('conversation')
    .values({
      officeId,
      id,
      channel,
      visitorName: name,
      patientId,
      searchName: sql<string>`search_words(${name})`,
      lastAt: at,
      lastSender: 'system',
      createdAt: at,
    })
    .execute();
}

/**
 * Saves the name that a visitor gave; the search finds them by it and by the digits of the number they proved. Returns whether the conversation
 * has a message: only then do the desks show it.
 */
export async function setVisitorName(
  tx: Tx,
  officeId: string,
  id: string,
  { name, phone }: { name: string; phone: string | null },
): Promise<boolean> {
  const { lastSequence } = await tx
    .updateTable('conversation')
    .set({ visitorName: name, searchName: sql<string>`search_words(${`${name} ${phone?.slice(2) ?? ''}`})` })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .returning('lastSequence')
    .executeTakeFirstOrThrow();
  return lastSequence > 0;
}

export function toConversation(row: ConversationRow, language: Language): Conversation {
  return {
    pk: row.id,
    conversationId: row.id,
    channel: row.channel,
    lastSent: row.lastAt.toISOString(),
    lastBody: row.lastSender === 'patient' ? row.lastBody : fillLink(row.lastBody, anyLinkLabel[language]),
    doctorUnread: row.unread,
    properties: {
      patientName: [row.firstName, row.lastName].filter(Boolean).join(' ') || (row.visitorName ?? ''),
      patientCode: row.userCode,
    },
    phone: row.phone,
    state: row.state,
    assignee: row.assigneeId === null ? null : { id: row.assigneeId, name: row.assigneeName ?? '' },
    lastSender: row.lastSender,
    lastType: row.lastContent,
    lastSequence: row.lastSequence,
    unanswered: row.unanswered,
    failed: row.failed,
    lastState: row.lastState,
    textBlock: row.textBlock,
    language: row.language,
  };
}
