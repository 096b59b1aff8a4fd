import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MessageForm } from '#contract/conversations/messages.ts';
import type { Message } from '#contract/conversations/shapes.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { chatConversations, conversationMessages } from '#contract/index.ts';
import type { OfficeCtx } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { callerRoute, readInput, sendReply } from '#server/kit/http/route.ts';
import { requireNamedPeople } from './chat-calls.ts';
import { isForm, readPictureForm } from './read-message-form.ts';
import { sendMessage, sendPicture } from './send-message.ts';

/** The calls that take a message as JSON, or as a form with a picture. A form is not read until its caller is known. */
export function sendingRoutes(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_req, body, done) => done(null, body));
  const { sendMessage: send } = conversationMessages;
  callerRoute(app, send, async (ctx, req, reply) => {
    const message = isForm(req) ? await sendForm(ctx, send, req) : await sendMessage(ctx, readInput(send, req).body);
    return sendReply(reply, send, message);
  });
  const { sendChatMessage: sendChat } = chatConversations;
  callerRoute(app, sendChat, async (ctx, req, reply) => {
    const { params, query } = readInput({ ...sendChat, body: undefined }, req);
    await requireNamedPeople(ctx, params.id, query);
    const message = isForm(req)
      ? await sendForm(ctx, sendChat, req)
      : await sendMessage(ctx, { ...readInput(sendChat, req).body, conversationId: params.id });
    return sendReply(reply, sendChat, message);
  });
}

/** Reads a form into memory and sends its message. */
function sendForm<P, Q, B>(
  ctx: OfficeCtx,
  e: Endpoint<Message, P, Q, B, 'office'>,
  req: FastifyRequest,
): Promise<Message> {
  return readPictureForm(req, async ({ fields, attachment, network }) => {
    const { params, query } = req;
    const { body } = readInput({ ...e, body: MessageForm }, { params, query, body: fields });
    const conversationId = idInPath(params) ?? body.conversationId;
    if (conversationId === undefined) throw new Refusal('invalid_input');
    const { clientId, quietHours, way } = body;
    const message = { conversationId, body: body.body ?? '', clientId, quietHours, way };
    if (body.type === 'text') return sendMessage(ctx, message);
    if (attachment === null) throw new Refusal('picture_unreadable');
    return sendPicture(ctx, message, { content: attachment, network });
  });
}

const idInPath = (params: unknown) => (params as { id?: string } | undefined)?.id;
