import {
  conversationsPerPage,
  messagesPerPage,
  type InboxCounts,
  type InboxFilter,
  type InboxPage,
  type Thread,
} from '#contract/conversations/inbox.ts';
import { goesByText, type Conversation } from '#contract/conversations/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { quietHoursNow } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { searchWordsOf } from '#server/search-words.ts';
import { bumpQueueForVisits } from '#server/queue-version.ts';
import { markRead, messageRows, toMessage } from './messages-sql.ts';
import {
  changeConversation,
  findConversation,
  inboxCounts,
  inboxPage,
  toConversation,
  visitsWithUnread,
  type ConversationRow,
} from './sql.ts';
import { visitorOfConversation } from './visitors-sql.ts';

/** One page of the inbox. */
export async function readInbox(
  ctx: OfficeCtx,
  {
    filter = 'all',
    cursor,
    search,
  }: { filter?: InboxFilter | undefined; cursor?: string | undefined; search?: string },
  conditional: ConditionalRequest | null = null,
): Promise<VersionedReply<InboxPage>> {
  const words = searchWordsOf(search ?? '');
  return ctx.transaction(async (tx) => {
    const rows = await inboxPage(tx, ctx.officeId, { filter, words, after: cursor ? readCursor(cursor) : null });
    const shown = rows.slice(0, conversationsPerPage);
    const body = {
      conversations: shown.map((row) => toConversation(row, ctx.language)),
      next: rows.length > conversationsPerPage ? cursorOf(shown.at(-1) as ConversationRow) : null,
    };
    const details = { filter, search: words.length > 0 };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'conversation.list', details });
    return versionedReply(body, conditional, { onSend });
  });
}

const cursorOf = ({ lastAt, id }: Pick<ConversationRow, 'lastAt' | 'id'>) =>
  Buffer.from(`${lastAt.toISOString()} ${id}`).toString('base64url');

function readCursor(cursor: string): { at: Date; id: string } {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const time = new Date(at);
  const isTime = time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9999;
  if (!isTime || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new Refusal('invalid_input');
  return { at: time, id };
}

/** How many conversations wait; holds no patient data, so it is not audited. */
export async function readInboxCounts(
  ctx: OfficeCtx,
  conditional: ConditionalRequest,
): Promise<VersionedReply<InboxCounts>> {
  return versionedReply(await ctx.transaction((tx) => inboxCounts(tx, ctx.officeId)), conditional);
}

/** A conversation with its newest messages. `marks`: the desk has read what this returns. */
export async function readConversation(
  ctx: OfficeCtx,
  id: string,
  { marks, before }: { marks: boolean; before: number | null },
  conditional: ConditionalRequest | null = null,
): Promise<VersionedReply<Thread>> {
  return ctx.transaction(async (tx) => {
    const rows = await messageRows(tx, ctx.officeId, id, before);
    const newest = rows[0]?.sequence;
    if (marks && newest !== undefined) await markAndTell(tx, ctx, id, newest);
    const row = await existing(tx, ctx, id);
    const shown = rows.slice(0, messagesPerPage).reverse();
    const visitor = row.channel === 'web' ? await visitorOfConversation(tx, ctx.officeId, id, ctx.now()) : null;
    const textedNumber = row.phone ?? (goesByText(visitor) ? visitor?.phone : null) ?? null;
    const quiet = textedNumber === null ? null : await quietHoursNow(tx, ctx, textedNumber);
    const body = {
      conversation: toConversation(row, ctx.language),
      messages: shown.map((message) => toMessage(message, row, ctx)),
      more: rows.length > messagesPerPage,
      quiet,
      visitor,
    };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'conversation.read', subject: id });
    return versionedReply(body, conditional, { onSend });
  });
}

/** Marks messages as read on every desk. */
export async function markConversationRead(ctx: OfficeCtx, id: string, sequence: number): Promise<Conversation> {
  return ctx.transaction(async (tx) => {
    await markAndTell(tx, ctx, id, sequence);
    return toConversation(await existing(tx, ctx, id), ctx.language);
  });
}

/** The queue's version is locked before the conversation, as everywhere (decision 0040). */
async function markAndTell(tx: Tx, { officeId }: OfficeCtx, id: string, sequence: number): Promise<void> {
  const visits = await visitsWithUnread(tx, officeId, id, sequence);
  if (visits.length > 0) await bumpQueueForVisits(tx, officeId, visits);
  if (!(await markRead(tx, officeId, id, sequence))) return;
  // `message` makes the queues fetch again too. Without a visit it reaches no phone.
  await sendHint(tx, { office: officeId, type: visits.length > 0 ? 'message' : 'messages' });
}

type Change = 'close' | 'reopen' | 'assign' | 'unassign';

/** Closes, opens or assigns a conversation. Opening a held one says that it is no advertising. */
export async function changeByStaff(ctx: OfficeCtx, id: string, change: Change): Promise<Conversation> {
  const me = { assigneeId: ctx.caller.personId, assigneeName: ctx.caller.personName };
  const columns = {
    close: { state: 'closed', judgedAt: ctx.now() },
    reopen: { state: 'open', judgedAt: ctx.now() },
    assign: me,
    unassign: { assigneeId: null, assigneeName: null },
  } as const;
  return ctx.transaction(async (tx) => {
    const { state } = await existing(tx, ctx, id);
    await changeConversation(tx, ctx.officeId, id, columns[change]);
    const action = { close: 'close', reopen: 'reopen', assign: 'assign', unassign: 'assign' } as const;
    const isReleased = change === 'reopen' && state === 'held';
    await writeAuditEntry(tx, ctx, {
      action: `conversation.${action[change]}`,
      subject: id,
      ...(isReleased && { details: { held: true } }),
    });
    await sendHint(tx, { office: ctx.officeId, type: 'messages' });
    return toConversation(await existing(tx, ctx, id), ctx.language);
  });
}

async function existing(tx: Tx, { officeId }: OfficeCtx, id: string): Promise<ConversationRow> {
  const row = await findConversation(tx, officeId, id);
  if (!row) throw new Refusal('conversation_not_found');
  return row;
}
