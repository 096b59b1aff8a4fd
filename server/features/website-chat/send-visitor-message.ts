import type { VisitorMessage } from '#contract/website-chat.ts';
import type { VisitorCtx } from '#server/context.ts';
import {
  judgePicture,
  limitIncomingPictures,
  receiveVisitorMessage,
  storePicture,
  type StoredPicture,
} from '#server/features/conversations/index.ts';
import { isViolationOf } from '#server/kit/db/db.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import type { Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { requireChat } from './chat-front.ts';
import { messageOfVisitor, toVisitorMessage } from './sql.ts';

const perVisitor = { name: 'chat-messages', points: 15, seconds: 60 } as const satisfies Limit;
const perNetwork = { name: 'chat-messages-network', points: 60, seconds: 60 } as const satisfies Limit;
const perOffice = { name: 'chat-messages-office', points: 300, seconds: 60 } as const satisfies Limit;

interface Outgoing {
  clientId: string;
  body: string;
}

/** Sends the visitor's words. Of two calls with the same client id the second gets the first one's message. */
export async function sendVisitorMessage(ctx: VisitorCtx, outgoing: Outgoing): Promise<VisitorMessage> {
  const body = outgoing.body.trim();
  if (body === '') throw new Refusal('empty_message');
  return (await findSent(ctx, outgoing.clientId)) ?? receive(ctx, { ...outgoing, body });
}

/** The same for a picture, which is decoded and encoded again before it is stored. Its pictures take nothing from what the desk may send. */
export async function sendVisitorPicture(
  ctx: VisitorCtx,
  { clientId, body }: Outgoing,
  { content, network }: { content: Buffer; network: string },
): Promise<VisitorMessage> {
  const sent = await findSent(ctx, clientId);
  if (sent) return sent;
  await ctx.transaction((tx) => requireChat(tx, ctx.officeId));
  await limitIncomingPictures(ctx, ctx.conversationId);
  const picture = await storePicture(ctx, ctx.conversationId, await judgePicture(content, network));
  return receive(ctx, { clientId, body: body.trim(), picture });
}

async function receive(ctx: VisitorCtx, message: Outgoing & { picture?: StoredPicture }): Promise<VisitorMessage> {
  const { officeId, conversationId } = ctx;
  await limitMessages(ctx);
  await ctx
    .transaction(async (tx) => {
      await requireChat(tx, officeId);
      await receiveVisitorMessage(ctx, { conversationId, ...message });
    })
    .catch((error: unknown) => {
      // The other call committed while this one waited for the conversation, so its message is there now.
      if (!isViolationOf(error, 'message_client')) throw error;
    });
  const sent = await findSent(ctx, message.clientId);
  if (!sent) throw new Error('a visitor’s message was written, but is not there');
  return sent;
}

async function findSent(ctx: VisitorCtx, clientId: string) {
  const { officeId, conversationId } = ctx;
  const row = await ctx.transaction((tx) => messageOfVisitor(tx, officeId, conversationId, clientId));
  return row && toVisitorMessage(row);
}

/** One limit after the other: a visitor who is refused must take nothing from the limits of others. */
async function limitMessages(ctx: VisitorCtx): Promise<void> {
  const { officeId, visitorId, limits } = ctx;
  try {
    await limits.take(perVisitor, `${officeId} ${visitorId}`);
    await limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address));
    await limits.take(perOffice, officeId);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'too_many_tries') throw error;
    throw new Refusal('too_many_messages', undefined, error.retryAfterSeconds);
  }
}
