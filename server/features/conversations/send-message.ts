import { retriedBy } from '#contract/conversations/messages.ts';
import type { AnswerWay, Message } from '#contract/conversations/shapes.ts';
import type { QuietChoice } from '#contract/queue.ts';
import type { OfficeCtx } from '#server/context.ts';
import { visitChangeStatements } from '#server/features/queue/index.ts';
import {
  answerWaitsUntil,
  messageStatement,
  refuseBlockedNumber,
  refuseProblem,
  textStatements,
  visitOfPhone,
} from '#server/features/texting/index.ts';
import { auditStatement } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { runTogether, type Statements } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { isTextable } from '#server/kit/phone.ts';
import { officeRow } from '#server/office-row.ts';
import { handOverStatements, refuseUnseenWay } from './hand-over.ts';
import { lockTextOnItsWay, messageOfClient, messageOfId, toMessage } from './messages-sql.ts';
import { newPictureLink, withPictureLink } from './picture-link.ts';
import { judgePicture, limitPictures, storePicture, type StoredPicture } from './pictures.ts';
import { pictureUsedStatement } from './pictures-sql.ts';
import { findConversation, type ConversationRow } from './sql.ts';

interface Outgoing {
  conversationId: string;
  /** The text; of a picture, its description. */
  body: string;
  clientId?: string | undefined;
  /** Whether its text waits for the end of quiet hours, which is the default. */
  quietHours?: QuietChoice | undefined;
  way?: AnswerWay | undefined;
}

/** Sends a message to the person of a conversation. A second call with the same client id returns the first one's message. */
export async function sendMessage(ctx: OfficeCtx, outgoing: Outgoing): Promise<Message> {
  const body = outgoing.body.trim();
  if (body === '') throw new Refusal('empty_message');
  return sendRetrying(ctx, { ...outgoing, body }, null);
}

/**
 * Sends a picture. It is decoded and stored before the message is written, so the refusals that can be known come first. A person with a
 * phone number gets a text with a link to it.
 */
export async function sendPicture(
  ctx: OfficeCtx,
  outgoing: Outgoing,
  { content, network }: { content: Buffer; network: string },
): Promise<Message> {
  const { conversationId, clientId, way } = outgoing;
  const sent = await ctx.transaction(async (tx) => {
    const conversation = await requireConversation(tx, ctx, conversationId);
    const earlier =
      clientId === undefined ? undefined : await messageOfClient(tx, ctx.officeId, conversationId, clientId);
    if (earlier) return toMessage(earlier, conversation, ctx);
    const { phone } = conversation;
    if (phone !== null) {
      refuseForeignNumber(phone);
      await refuseBlockedNumber(tx, ctx.officeId, phone);
    } else await refuseUnseenWay(tx, ctx, { conversationId, way });
    if ((await officeRow(tx, ctx.officeId)).confirmedAt === null) throw new Refusal('limited_own_words');
    return null;
  });
  if (sent) return sent;
  await limitPictures(ctx, conversationId);
  const picture = await storePicture(ctx, conversationId, await judgePicture(content, network));
  return sendRetrying(ctx, { ...outgoing, body: outgoing.body.trim() }, picture);
}

function sendRetrying(ctx: OfficeCtx, outgoing: Outgoing, picture: StoredPicture | null): Promise<Message> {
  const send = () => ctx.transaction((tx) => sendOnce(tx, ctx, outgoing, picture));
  return send().catch((error: unknown) => {
    // The other call committed while this one waited for the conversation, so its message is there now.
    if (isViolationOf(error, 'message_client')) return send();
    throw error;
  });
}

async function sendOnce(tx: Tx, ctx: OfficeCtx, outgoing: Outgoing, picture: StoredPicture | null): Promise<Message> {
  const { officeId } = ctx;
  const { conversationId, body, clientId, quietHours, way } = outgoing;
  const conversation = await requireConversation(tx, ctx, conversationId);
  const sent = clientId === undefined ? undefined : await messageOfClient(tx, officeId, conversationId, clientId);
  if (sent) return toMessage(sent, conversation, ctx);

  const id = ctx.id();
  const message = {
    id,
    sender: 'doctor',
    kind: 'message',
    body,
    byName: ctx.actor.name,
    clientId: clientId ?? null,
    fileId: picture?.id ?? null,
  } as const;
  const used = picture ? [pictureUsedStatement(tx, officeId, picture.id, ctx.now())] : [];
  const { phone } = conversation;
  if (phone === null) {
    await refuseUnseenWay(tx, ctx, { conversationId, way });
    const placed = messageStatement(tx, ctx, { ...message, conversationId, visitId: null });
    const answer = { statements: used, last: [placed], hints: [] };
    const handedOver = await handOverStatements(tx, ctx, { conversationId, body, picture, quietHours });
    const visitorHint = { statements: [], hints: [{ office: officeId, visitor: conversationId, type: 'messages' }] };
    await runTogether(tx, changeOf(tx, ctx, conversation, undefined), answer, handedOver, visitorHint);
    return toMessage(await messageOfId(tx, officeId, id), conversation, ctx);
  }

  refuseForeignNumber(phone);
  const visit = await visitOfPhone(tx, officeId, phone, dayOf(ctx.now(), ctx.timeZone));
  const again = clientId === undefined ? null : retriedBy(clientId);
  if (again !== null && (await lockTextOnItsWay(tx, officeId, again))) throw new Refusal('text_moved_on');
  const sendAt = await answerWaitsUntil(tx, ctx, phone, quietHours);
  const link = picture && newPictureLink(tx, ctx, picture, sendAt ?? ctx.now());
  const text = await textStatements(tx, ctx, {
    kind: 'message',
    visitId: visit?.id ?? null,
    patientId: conversation.patientId,
    toPhone: phone,
    body: link ? await withPictureLink(tx, ctx, conversation.language ?? 'en', body) : body,
    ...(link && { link: link.url }),
    ...(sendAt && { sendAt }),
    isCustom: true,
  });
  refuseProblem(text.problem);
  const placed = messageStatement(tx, ctx, { ...message, phone, visitId: visit?.id ?? null, text });
  await runTogether(tx, text, changeOf(tx, ctx, conversation, visit), {
    statements: [...used, ...(link ? [link.statement] : [])],
    last: [placed],
    hints: [{ office: officeId, type: 'messages' }],
  });
  return toMessage(await messageOfId(tx, officeId, id), conversation, ctx);
}

export async function requireConversation(tx: Tx, { officeId }: OfficeCtx, id: string): Promise<ConversationRow> {
  const conversation = await findConversation(tx, officeId, id);
  if (!conversation) throw new Refusal('conversation_not_found');
  return conversation;
}

/** A number in Canada or the Caribbean that texts us gets a conversation, but texts there cost many times as much (toll fraud). */
function refuseForeignNumber(phone: string): void {
  if (!isTextable(phone)) throw new Refusal('number_not_textable');
}

/** What else a message changes: the card of today's visit shows it, and the audit log names the visit or the conversation. */
function changeOf(
  tx: Tx,
  ctx: OfficeCtx,
  conversation: ConversationRow,
  visit: { id: string; day: string } | undefined,
): Statements {
  if (visit) return visitChangeStatements(tx, ctx, visit, { action: 'message.send', hint: 'message' });
  return { statements: [auditStatement(tx, ctx, { action: 'message.send', subject: conversation.id })], hints: [] };
}
