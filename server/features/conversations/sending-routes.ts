import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MessageForm, pictureMaxBytes, type Message } from '#contract/conversations.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { chatConversations, conversations } from '#contract/index.ts';
import type { OfficeCtx } from '#server/context.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { readForm } from '#server/kit/http/read-form.ts';
import { readUpload } from '#server/kit/http/read-upload.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { callerRoute, readInput, sendReply } from '#server/kit/http/route.ts';
import { openUploadMemory, type UploadMemory } from '#server/kit/http/upload-memory.ts';
import { requireNamedPeople } from './chat-calls.ts';
import { sendMessage, sendPicture } from './send-message.ts';

/** The fields beside a picture, and the borders between the parts. */
const mostOtherBytes = 64_000;
const uploadMs = 120_000;

/** The calls that take a message as JSON, or as a form with a picture. A form is not read until its caller is known. */
export function sendingRoutes(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_req, body, done) => done(null, body));
  const { sendMessage: send } = conversations;
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

const isForm = ({ headers }: FastifyRequest) =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true;

/** Reads a form into memory and sends its message. */
async function sendForm<P, Q, B>(
  ctx: OfficeCtx,
  e: Endpoint<Message, P, Q, B, 'office'>,
  req: FastifyRequest,
): Promise<Message> {
  const most = pictureMaxBytes + mostOtherBytes;
  const length = Number(req.headers['content-length'] ?? 0);
  if (length > most) throw new Refusal('picture_too_large');
  const network = networkOfAddress(req.ip);
  const memory = openUploadMemory(network);
  try {
    const { fields, attachment } = await readMessageForm(req, most, memory);
    const { params, query } = req;
    const { body } = readInput({ ...e, body: MessageForm }, { params, query, body: fields });
    const conversationId = idInPath(params) ?? body.conversationId;
    if (conversationId === undefined) throw new Refusal('invalid_input');
    const { clientId, quietHours } = body;
    const message = { conversationId, body: body.body ?? '', clientId, quietHours };
    if (body.type === 'text') return await sendMessage(ctx, message);
    if (attachment === null) throw new Refusal('picture_unreadable');
    return await sendPicture(ctx, message, { content: attachment, network });
  } finally {
    memory.release();
  }
}

const idInPath = (params: unknown) => (params as { id?: string } | undefined)?.id;

/** The fields of a form, and its file named `attachment`. */
async function readMessageForm(req: FastifyRequest, maxBytes: number, memory: UploadMemory) {
  const refusals = { tooLarge: 'picture_too_large', tooSlow: 'picture_unreadable' } as const;
  const sent = await readUpload(req.body as Readable, { maxBytes, withinMs: uploadMs, memory, refusals });
  const form = await readForm(sent, req.headers['content-type'] ?? '');
  const fields: Record<string, string> = {};
  for (const [name, value] of form) if (typeof value === 'string') fields[name] = value;
  const file = form.get('attachment');
  if (file === null || typeof file === 'string') return { fields, attachment: null };
  if (file.size > pictureMaxBytes) throw new Refusal('picture_too_large');
  return { fields, attachment: Buffer.from(await file.arrayBuffer()) };
}
