import { mostConversations } from '#contract/conversations/chat-conversations.ts';
import { conversationsPerPage } from '#contract/conversations/inbox.ts';
import type { Conversation, Message } from '#contract/conversations/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { isOwnUsername, viewedDoctor } from '#server/features/office/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { isOwnOfficeName } from '#server/own-office-name.ts';
import { readConversation } from './inbox.ts';
import { conversationOfPatient, conversationsBetween, findConversation, toConversation } from './sql.ts';

/** Whom an older program names in a call. */
interface NamedPeople {
  doctor?: string | undefined;
  patient?: string | undefined;
}

/** Refuses a call that names another practice or staff member than its session's. An earlier NPI names the practice, too. */
async function requireOwnDoctor(ctx: OfficeCtx, { doctor }: NamedPeople): Promise<void> {
  const { officeId, npi, caller } = ctx;
  if (doctor === undefined || [officeId, npi, caller.personId].includes(doctor)) return;
  if (await ctx.transaction((tx) => isOwnOfficeName(tx, ctx, doctor))) return;
  if ((await isOwnUsername(ctx, doctor)) || (await viewedDoctor(ctx))?.id === doctor) return;
  throw new Refusal('conversation_not_found');
}

/** Refuses a call that names somebody else than its session, or another patient than the conversation's. */
export async function requireNamedPeople(ctx: OfficeCtx, id: string, named: NamedPeople): Promise<void> {
  await requireOwnDoctor(ctx, named);
  const { patient } = named;
  if (patient === undefined) return;
  const conversation = await ctx.transaction((tx) => findConversation(tx, ctx.officeId, id));
  if (conversation?.userCode !== patient) throw new Refusal('conversation_not_found');
}

interface WantedConversations extends NamedPeople {
  from?: string | undefined;
  to?: string | undefined;
  page?: number | undefined;
  chats?: 'only' | undefined;
  unread?: 'also' | undefined;
  held?: 'only' | undefined;
}

/** The conversations of the practice, of some days, or of a patient: all of them, or one page. Only an answer that shows them is audited. */
export async function listConversations(
  ctx: OfficeCtx,
  wanted: WantedConversations,
  conditional: ConditionalRequest,
): Promise<VersionedReply<Conversation[]>> {
  await requireOwnDoctor(ctx, wanted);
  return ctx.transaction(async (tx) => {
    const body = await wantedConversations(tx, ctx, wanted);
    return versionedReply(body, conditional, { onSend: () => auditList(tx, ctx, wanted.page) });
  });
}

/** One page of them, for the practice that the path names. */
export async function listConversationsOf(ctx: OfficeCtx, officeId: string, page: number): Promise<Conversation[]> {
  return ctx.transaction(async (tx) => {
    if (!(await isOwnOfficeName(tx, ctx, officeId))) throw new Refusal('office_not_found');
    await auditList(tx, ctx, page);
    return wantedConversations(tx, ctx, { page });
  });
}

const auditList = (tx: Tx, ctx: OfficeCtx, page: number | undefined) =>
  writeAuditEntry(tx, ctx, { action: 'conversation.list', details: page === undefined ? {} : { page } });

async function wantedConversations(
  tx: Tx,
  ctx: OfficeCtx,
  { from, to, page, chats, unread, held, patient }: WantedConversations,
): Promise<Conversation[]> {
  const rows = await conversationsBetween(tx, ctx.officeId, {
    days: {
      from: from === undefined ? undefined : instantOf(from, '00:00', ctx.timeZone),
      to: to === undefined ? undefined : instantOf(to, '24:00', ctx.timeZone),
      unreadToo: unread === 'also',
    },
    patient,
    chatsOnly: chats === 'only',
    isHeld: held === 'only',
    ...(page === undefined
      ? { limit: mostConversations, offset: 0 }
      : { limit: conversationsPerPage, offset: (page - 1) * conversationsPerPage }),
  });
  return rows.map((row) => toConversation(row, ctx.language));
}

/** The conversation with a patient, new if they have none. */
export async function openChatConversation(ctx: OfficeCtx, userCode: string): Promise<{ conversationId: string }> {
  const created = { id: ctx.id(), at: ctx.now() };
  const conversationId = await ctx.transaction((tx) => conversationOfPatient(tx, ctx.officeId, userCode, created));
  if (conversationId === undefined) throw new Refusal('patient_not_found');
  return { conversationId };
}

/** The newest messages, or those before one of them. */
export async function readChatMessages(
  ctx: OfficeCtx,
  id: string,
  { marks, before, ...named }: NamedPeople & { marks: boolean; before: number | null },
): Promise<Message[]> {
  await requireNamedPeople(ctx, id, named);
  const { body } = await readConversation(ctx, id, { marks, before });
  return body?.messages ?? [];
}
