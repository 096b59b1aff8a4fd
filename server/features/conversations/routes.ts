import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { chatConversations, conversations } from '#contract/index.ts';
import type { OfficeCtx } from '#server/context.ts';
import { answerRefusal } from '#server/kit/http/problem.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { contextFor } from '#server/kit/http/request-context.ts';
import { etagOf, fileRoute, rawRoute, readInput, route } from '#server/kit/http/route.ts';
import {
  changeByStaff,
  listConversations,
  listConversationsOf,
  markConversationRead,
  noteWriting,
  openChatConversation,
  readChatMessages,
  readConversation,
  readInbox,
  readInboxCounts,
  type Versioned,
} from './inbox.ts';
import { linkToPicture, readAttachment } from './pictures.ts';
import { sendingRoutes } from './sending-routes.ts';

export function conversationRoutes(app: FastifyInstance): void {
  versionedRoute(app, conversations.readInbox, (ctx, { query }, known) => readInbox(ctx, query, known));
  versionedRoute(app, conversations.readInboxCounts, (ctx, _input, known) => readInboxCounts(ctx, known));
  versionedRoute(app, conversations.readConversation, (ctx, { params, query }, known) => {
    const before = query.before === undefined ? null : Number(query.before);
    return readConversation(ctx, params.id, { marks: query.markRead === 'doctor', before }, known);
  });
  route(app, conversations.searchInbox, async (ctx, { body }) => (await readInbox(ctx, body)).body ?? nothing);
  void app.register(async (messages) => sendingRoutes(messages));
  route(app, conversations.linkToPicture, (ctx, { params }) => linkToPicture(ctx, params));
  route(app, conversations.closeConversation, (ctx, { params }) => changeByStaff(ctx, params.id, 'close'));
  route(app, conversations.reopenConversation, (ctx, { params }) => changeByStaff(ctx, params.id, 'reopen'));
  route(app, conversations.assignConversation, (ctx, { params, body }) =>
    changeByStaff(ctx, params.id, body.to === 'me' ? 'assign' : 'unassign'),
  );
  route(app, conversations.markConversationRead, (ctx, { params, body }) =>
    markConversationRead(ctx, params.id, body.sequence),
  );
  route(app, conversations.noteWriting, (ctx, { params }) => noteWriting(ctx, params.id));

  route(app, chatConversations.listConversations, (ctx, { params, query }) =>
    listConversationsOf(ctx, params.id, Number(query.page ?? 1)),
  );
  route(app, chatConversations.listChatConversations, (ctx, { query }) => listConversations(ctx, query));
  route(app, chatConversations.openChatConversation, (ctx, { body }) => openChatConversation(ctx, body.targetUserCode));
  fileRoute(app, chatConversations.readChatAttachment, (ctx, { params }) => readAttachment(ctx, params));
  route(app, chatConversations.readChatMessages, (ctx, { params, query }) =>
    readChatMessages(ctx, params.id, query.markRead === 'doctor' || query.markRead === 'true'),
  );
}

const nothing = { conversations: [], next: null };

/** A polled read: 304 if the caller has what it would answer. */
function versionedRoute<R, P, Q, B>(
  app: FastifyInstance,
  e: Endpoint<R, P, Q, B, 'office'>,
  read: (ctx: OfficeCtx, input: Input<P, Q, B>, known: string | null) => Promise<Versioned<R>>,
): void {
  rawRoute(app, e, async (req, reply) => {
    const ctx = await contextFor(app.services, 'office', req, reply);
    try {
      const { etag, body } = await read(ctx, readInput(e, req), etagOf(req));
      reply.header('etag', etag);
      if (body === null) return reply.code(304).send();
      return reply.send(app.services.env.production ? body : z.parse(e.reply, body));
    } catch (error) {
      if (error instanceof Refusal) return answerRefusal(reply, ctx, e, error);
      throw error;
    }
  });
}
