import type { FastifyInstance } from 'fastify';
import { websiteChat } from '#contract/index.ts';
import { VisitorPictureForm } from '#contract/website-chat.ts';
import { isForm, linkToVisitorPicture, readPictureForm } from '#server/features/conversations/index.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { callerRoute, readInput, route, sendReply } from '#server/kit/http/route.ts';
import { versionedRoute } from '#server/kit/http/versioned-reply.ts';
import { visitorPace } from '#server/kit/http/visitor-pace.ts';
import { readChatFront } from './chat-front.ts';
import { picturePace } from './limits.ts';
import { endChat, leaveChat, noteWriting, readChat, saveVisitorName } from './read-chat.ts';
import { limitVisitorPicture, sendVisitorMessage, sendVisitorPicture } from './send-visitor-message.ts';
import { startChat } from './start-chat.ts';
import { testPageRoutes } from './test-page.ts';
import { sendVisitorCode, verifyVisitorPhone } from './verify-phone.ts';

export function websiteChatRoutes(app: FastifyInstance): void {
  testPageRoutes(app);
  route(app, websiteChat.readChatFront, (ctx, { params }) => readChatFront(ctx, params.npi));
  route(app, websiteChat.startChat, (ctx, { params, body }) => startChat(ctx, params.npi, body));
  versionedRoute(app, websiteChat.readChat, (ctx, { query }, known) => readChat(ctx, Number(query.after ?? 0), known));
  void app.register(async (messages) => sendingRoute(messages));
  route(app, websiteChat.linkToChatPicture, (ctx, { params }) => linkToVisitorPicture(ctx, params.attachmentId));
  route(app, websiteChat.noteVisitorWriting, (ctx) => noteWriting(ctx));
  route(app, websiteChat.saveVisitorName, (ctx, { body }) => saveVisitorName(ctx, body.name));
  route(app, websiteChat.sendVisitorCode, (ctx, { body }) => sendVisitorCode(ctx, body.phone));
  route(app, websiteChat.verifyVisitorPhone, (ctx, { body }) => verifyVisitorPhone(ctx, body.code));
  route(app, websiteChat.leaveChat, (ctx) => leaveChat(ctx));
  route(app, websiteChat.endChat, (ctx) => endChat(ctx));
}

/** Takes a message as JSON, or as a form with a picture. A form is not read until its caller is known and within the limits. */
function sendingRoute(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_req, body, done) => done(null, body));
  const { sendVisitorMessage: send } = websiteChat;
  callerRoute(
    app,
    send,
    async (ctx, req, reply) => {
      if (!isForm(req)) return sendReply(reply, send, await sendVisitorMessage(ctx, readInput(send, req).body));
      await limitVisitorPicture(ctx);
      const message = await readPictureForm(req, ({ fields, attachment, network }) => {
        const { body } = readInput({ ...send, body: VisitorPictureForm }, { params: {}, query: {}, body: fields });
        if (attachment === null) throw new Refusal('picture_unreadable');
        return sendVisitorPicture(
          ctx,
          { clientId: body.clientId, body: body.body ?? '' },
          { content: attachment, network },
        );
      });
      return sendReply(reply, send, message);
    },
    { onRequest: [visitorPace, picturePace] },
  );
}
