import type { Conversation, Message } from '#contract/conversations.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { instantOf } from '#server/kit/day.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { readConversation } from './inbox.ts';
import { conversationOfPatient, conversationsBetween, findConversation, toConversation } from './sql.ts';

/** Whom an older program names in a call. */
interface NamedPeople {
  doctor?: string | undefined;
  patient?: string | undefined;
}

/** Refuses a call that names another practice or staff member than its session's. */
function requireOwnDoctor({ officeId, npi, caller }: OfficeCtx, { doctor }: NamedPeople): void {
  if (doctor !== undefined && ![officeId, npi, caller.personId].includes(doctor))
    throw new Refusal('conversation_not_found');
}

/** Refuses a call that names somebody else than its session, or another patient than the conversation's. */
export async function requireNamedPeople(ctx: OfficeCtx, id: string, named: NamedPeople): Promise<void> {
  requireOwnDoctor(ctx, named);
  const { patient } = named;
  if (patient === undefined) return;
  const conversation = await ctx.transaction((tx) => findConversation(tx, ctx.officeId, id));
  if (conversation?.userCode !== patient) throw new Refusal('conversation_not_found');
}

/** The conversations of the practice: a page of all, of some days, or of a patient. */
export async function listConversations(
  ctx: OfficeCtx,
  {
    from,
    to,
    page = 1,
    ...named
  }: NamedPeople & { from?: string | undefined; to?: string | undefined; page?: number | undefined },
): Promise<Conversation[]> {
  requireOwnDoctor(ctx, named);
  const wanted = {
    from: from === undefined ? undefined : instantOf(from, '00:00', ctx.timeZone),
    to: to === undefined ? undefined : instantOf(to, '24:00', ctx.timeZone),
    patient: named.patient,
    page: Math.max(1, page),
  };
  return ctx.transaction(async (tx) => {
    await writeAuditEntry(tx, ctx, { action: 'conversation.list', details: { page } });
    const rows = await conversationsBetween(tx, ctx.officeId, wanted);
    return rows.map((row) => toConversation(row, ctx.language));
  });
}

/** The same, for the practice that the path names. */
export async function listConversationsOf(ctx: OfficeCtx, officeId: string, page: number): Promise<Conversation[]> {
  if (officeId !== ctx.officeId && officeId !== ctx.npi) throw new Refusal('office_not_found');
  return listConversations(ctx, { page });
}

/** The conversation with a patient, new if they have none. */
export async function openChatConversation(ctx: OfficeCtx, userCode: string): Promise<{ conversationId: string }> {
  const created = { id: ctx.id(), at: ctx.now() };
  const conversationId = await ctx.transaction((tx) => conversationOfPatient(tx, ctx.officeId, userCode, created));
  if (conversationId === undefined) throw new Refusal('patient_not_found');
  return { conversationId };
}

/** The newest messages only. */
export async function readChatMessages(
  ctx: OfficeCtx,
  id: string,
  { marks, ...named }: NamedPeople & { marks: boolean },
): Promise<Message[]> {
  await requireNamedPeople(ctx, id, named);
  const { body } = await readConversation(ctx, id, { marks, before: null });
  return body?.messages ?? [];
}
