import type { VisitorMessage } from '#contract/website-chat.ts';
import type { VisitorCtx } from '#server/context.ts';
import {
  judgePicture,
  limitVisitorBytes,
  limitWebsiteBytes,
  receiveVisitorMessage,
  storePicture,
  type StoredPicture,
} from '#server/features/conversations/index.ts';
import { isViolationOf } from '#server/kit/db/db.ts';
import type { Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { requireChat } from './chat-front.ts';
import { takeVisitorLimits } from './limits.ts';
import { lockVisitor, messageOfVisitor, toVisitorMessage } from './sql.ts';

/** The hourly limits keep a few networks from using up the practice's limit all day (decision 0075). */
const messageLimits = {
  perVisitor: { name: 'chat-messages', points: 15, seconds: 60 },
  perVisitorHour: { name: 'chat-messages-hour', points: 100, seconds: 3600 },
  perNetwork: { name: 'chat-messages-network', points: 60, seconds: 60 },
  perNetworkHour: { name: 'chat-messages-network-hour', points: 200, seconds: 3600 },
  perOffice: { name: 'chat-messages-office', points: 2_000, seconds: 60 },
} as const satisfies Record<string, Limit>;
/** Pictures of the website take nothing from those that patients text or the desk sends. */
const pictureLimits = {
  perVisitor: { name: 'chat-pictures', points: 30, seconds: 3600 },
  perNetwork: { name: 'chat-pictures-network', points: 60, seconds: 3600 },
  perOffice: { name: 'chat-pictures-office', points: 300, seconds: 3600 },
} as const satisfies Record<string, Limit>;

interface Outgoing {
  clientId: string;
  body: string;
}

/** Sends the visitor's message. A second call with the same client id returns the first one's message. */
export async function sendVisitorMessage(ctx: VisitorCtx, outgoing: Outgoing): Promise<VisitorMessage> {
  const body = outgoing.body.trim();
  if (body === '') throw new Refusal('empty_message');
  const sent = await findSent(ctx, outgoing.clientId);
  if (sent) return sent;
  await takeLimits(ctx, messageLimits, 'too_many_messages');
  return receive(ctx, { ...outgoing, body });
}

/** Counts a message with a picture. Call it before the picture is received: whoever is refused costs no memory. Retries count too. */
export async function limitVisitorPicture(ctx: VisitorCtx): Promise<void> {
  await ctx.transaction((tx) => requireChat(tx, ctx.officeId));
  await takeLimits(ctx, messageLimits, 'too_many_messages');
  await takeLimits(ctx, pictureLimits, 'too_many_pictures');
  await limitWebsiteBytes(ctx);
}

/** The same as `sendVisitorMessage` for a picture, which is decoded and encoded again before it is stored. */
export async function sendVisitorPicture(
  ctx: VisitorCtx,
  { clientId, body }: Outgoing,
  { content, network }: { content: Buffer; network: string },
): Promise<VisitorMessage> {
  const sent = await findSent(ctx, clientId);
  if (sent) return sent;
  const judged = await judgePicture(content, network);
  await limitVisitorBytes(ctx, { conversationId: ctx.conversationId, network, bytes: judged.content.length });
  const picture = await storePicture(ctx, ctx.conversationId, judged);
  return receive(ctx, { clientId, body: body.trim(), picture });
}

async function receive(ctx: VisitorCtx, message: Outgoing & { picture?: StoredPicture }): Promise<VisitorMessage> {
  const { officeId, visitorId, conversationId } = ctx;
  await ctx
    .transaction(async (tx) => {
      await requireChat(tx, officeId);
      // A desk that blocks the visitor at this moment waits, or the message does.
      if ((await lockVisitor(tx, officeId, visitorId)).blockedAt !== null) throw new Refusal('chat_blocked');
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

async function takeLimits(
  ctx: VisitorCtx,
  limits: typeof messageLimits | typeof pictureLimits,
  refusal: 'too_many_messages' | 'too_many_pictures',
): Promise<void> {
  try {
    await takeVisitorLimits(ctx, limits);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'too_many_tries') throw error;
    throw new Refusal(refusal, undefined, error.retryAfterSeconds);
  }
}
