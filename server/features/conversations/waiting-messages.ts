import { retryIdOf } from '#contract/conversations/messages.ts';
import type { Message } from '#contract/conversations/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { shortenFileLinks } from '#server/features/files/index.ts';
import {
  announceTextChange,
  moveText,
  noteTextOutcomes,
  refreshUnanswered,
  refuseBlockedNumber,
  sendWaitingText,
} from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import {
  messageOfClient,
  messageOfConversation,
  messageOfId,
  phoneOfVisit,
  toMessage,
  type MessageRow,
} from './messages-sql.ts';
import { pictureLinkEnd } from './picture-link.ts';
import { requireConversation } from './send-message.ts';
import { keyOfPicture } from './pictures-sql.ts';
import type { ConversationRow } from './sql.ts';

interface MessageId {
  id: string;
  messageId: string;
}

/** Sends a message now that waits for the end of quiet hours; one that does not wait stays as it is. */
export function sendWaitingMessage(ctx: OfficeCtx, named: MessageId): Promise<Message> {
  return actOnMessage(ctx, named, 'send-now', async (tx, { message }) => {
    if (!(await sendWaitingText(tx, ctx.officeId, message.id, ctx.now()))) return false;
    // The hours of a picture's link count from now.
    const objectKey = message.fileId === null ? undefined : await keyOfPicture(tx, ctx.officeId, message.fileId);
    if (objectKey !== undefined) await shortenFileLinks(tx, ctx.officeId, objectKey, pictureLinkEnd(ctx.now()));
    await sendHint(tx, { type: 'text' });
    return true;
  });
}

/** Cancels a message that waits for the end of quiet hours. Refuses one that has left. */
export function cancelWaitingMessage(ctx: OfficeCtx, named: MessageId): Promise<Message> {
  return actOnMessage(ctx, named, 'cancel', async (tx, { message }) => {
    const { textId, state, sendAt } = message;
    const waits = textId !== null && state === 'queued' && sendAt !== null && sendAt > ctx.now();
    if (!waits || !(await moveText(tx, { officeId: ctx.officeId, id: textId }, 'cancel')))
      throw new Refusal('text_moved_on');
    return true;
  });
}

/** Undoes that: the message waits again, until the same time. Not for a picture or an invitation: its link was deleted with the text. */
export function restoreCanceledMessage(ctx: OfficeCtx, named: MessageId): Promise<Message> {
  return actOnMessage(ctx, named, 'restore', async (tx, { message, conversation }) => {
    const { textId, kind, state, sendAt, fileId } = message;
    const hadLink = kind !== 'message' || fileId !== null;
    const mayWait = textId !== null && state === 'cancelled' && !hadLink && sendAt !== null && sendAt > ctx.now();
    // A message of a visit whose number was corrected was canceled with it.
    const isWrongNumber =
      message.visitId !== null && (await phoneOfVisit(tx, ctx.officeId, message.visitId)) !== conversation.phone;
    if (!mayWait || isWrongNumber) throw new Refusal('text_moved_on');
    if ((await officeRow(tx, ctx.officeId)).confirmedAt === null) throw new Refusal('limited_own_words');
    if (conversation.phone !== null) await refuseBlockedNumber(tx, ctx.officeId, conversation.phone);
    if (!(await moveText(tx, { officeId: ctx.officeId, id: textId }, 'restore'))) throw new Refusal('text_moved_on');
    // Behind the text's lock, on which a second sending waits: whoever comes second sees the first.
    const again = await messageOfClient(tx, ctx.officeId, conversation.id, retryIdOf(message.id));
    if (again) throw new Refusal('text_moved_on');
    return true;
  });
}

/** Acts on the text of a staff member's message, writes the audit entry and tells the screens. `act` returns false if it changed nothing. */
async function actOnMessage(
  ctx: OfficeCtx,
  { id, messageId }: MessageId,
  move: 'send-now' | 'cancel' | 'restore',
  act: (tx: Tx, found: { message: MessageRow; conversation: ConversationRow }) => Promise<boolean>,
): Promise<Message> {
  const { officeId } = ctx;
  return ctx.transaction(async (tx) => {
    const conversation = await requireConversation(tx, ctx, id);
    const message = await messageOfConversation(tx, officeId, id, messageId);
    if (!message) throw new Refusal('conversation_not_found');
    if (move !== 'send-now' && message.sender !== 'doctor') throw new Refusal('text_moved_on');
    // Somebody else may have acted while this one waited for the text's row.
    if (!(await act(tx, { message, conversation })))
      return toMessage(await messageOfId(tx, officeId, messageId), conversation, ctx);
    await writeAuditEntry(tx, ctx, { action: 'text.change', subject: id, details: { move } });
    if (message.visitId !== null) await announceTextChange(tx, officeId, [message.visitId]);
    await sendHint(tx, { office: officeId, type: 'outbox' });
    // Last, because every transaction locks conversations last.
    if (message.textId !== null) await noteTextOutcomes(tx, officeId, [message.textId], false);
    await refreshUnanswered(tx, officeId, id);
    await sendHint(tx, { office: officeId, type: 'messages' });
    return toMessage(await messageOfId(tx, officeId, messageId), conversation, ctx);
  });
}
