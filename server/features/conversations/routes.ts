import type { FastifyInstance } from 'fastify';
import { chatConversations, conversationMessages, conversations, patientMessages } from '#contract/index.ts';
import { fileRoute, route } from '#server/kit/http/route.ts';
import { versionedRoute } from '#server/kit/http/versioned-reply.ts';
import { blockVisitor } from './block-visitor.ts';
import {
  listConversations,
  listConversationsOf,
  openChatConversation,
  readChatMessages,
  requireNamedPeople,
} from './chat-calls.ts';
import { changeByStaff, markConversationRead, readConversation, readInbox, readInboxCounts } from './inbox.ts';
import { linkToPicture, linkToVisitPicture, readAttachment } from './pictures.ts';
import { sendingRoutes } from './sending-routes.ts';
import { cancelWaitingMessage, restoreCanceledMessage, sendWaitingMessage } from './waiting-messages.ts';
import { noteWriting, noteWritingToVisit } from './writing.ts';

export function conversationRoutes(app: FastifyInstance): void {
  versionedRoute(app, conversations.readInbox, (ctx, { query }, known) => readInbox(ctx, query, known));
  versionedRoute(app, conversations.readInboxCounts, (ctx, _input, known) => readInboxCounts(ctx, known));
  versionedRoute(app, conversations.readConversation, (ctx, { params, query }, known) => {
    const before = query.before === undefined ? null : Number(query.before);
    return readConversation(ctx, params.id, { marks: query.markRead === 'doctor', before }, known);
  });
  versionedRoute(app, conversations.searchInbox, (ctx, { body }, known) => readInbox(ctx, body, known));
  void app.register(async (messages) => sendingRoutes(messages));
  route(app, conversationMessages.linkToPicture, (ctx, { params }) => linkToPicture(ctx, params));
  route(app, patientMessages.linkToVisitPicture, (ctx, { params }) => linkToVisitPicture(ctx, params.attachmentId));
  route(app, conversations.closeConversation, (ctx, { params }) => changeByStaff(ctx, params.id, 'close'));
  route(app, conversations.reopenConversation, (ctx, { params }) => changeByStaff(ctx, params.id, 'reopen'));
  route(app, conversations.assignConversation, (ctx, { params, body }) =>
    changeByStaff(ctx, params.id, body.to === 'me' ? 'assign' : 'unassign'),
  );
  route(app, conversations.blockVisitor, (ctx, { params }) => blockVisitor(ctx, params.id, true));
  route(app, conversations.unblockVisitor, (ctx, { params }) => blockVisitor(ctx, params.id, false));
  route(app, conversations.markConversationRead, (ctx, { params, body }) =>
    markConversationRead(ctx, params.id, body.sequence),
  );
  route(app, conversationMessages.sendWaitingMessage, (ctx, { params }) => sendWaitingMessage(ctx, params));
  route(app, conversationMessages.cancelWaitingMessage, (ctx, { params }) => cancelWaitingMessage(ctx, params));
  route(app, conversationMessages.restoreCanceledMessage, (ctx, { params }) => restoreCanceledMessage(ctx, params));
  route(app, conversationMessages.noteWriting, (ctx, { params }) => noteWriting(ctx, params.id));
  route(app, conversationMessages.noteWritingToVisit, (ctx, { params }) => noteWritingToVisit(ctx, params.visitId));

  route(app, chatConversations.listConversations, (ctx, { params, query }) =>
    listConversationsOf(ctx, params.id, Number(query.page ?? 1)),
  );
  versionedRoute(app, chatConversations.listChatConversations, (ctx, { query: { page, ...wanted } }, known) =>
    listConversations(ctx, { ...wanted, page: page === undefined ? undefined : Number(page) }, known),
  );
  route(app, chatConversations.openChatConversation, (ctx, { body }) => openChatConversation(ctx, body.targetUserCode));
  fileRoute(app, chatConversations.readChatAttachment, async (ctx, { params, query }) => {
    await requireNamedPeople(ctx, params.id, query);
    return readAttachment(ctx, params);
  });
  route(app, chatConversations.readChatMessages, (ctx, { params, query: { markRead, before, ...named } }) =>
    readChatMessages(ctx, params.id, {
      ...named,
      marks: markRead === 'doctor' || markRead === 'true',
      before: before === undefined ? null : Number(before),
    }),
  );
}
