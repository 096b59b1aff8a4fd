/**
 * The conversations as other programs call them: `conversation/list` (older) and `chat-conversation` (newer). They read and write what the
 * inbox shows.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QuietChoice } from '#contract/queue.ts';
import { Body, ClientId, MessageForm, sendRefusals } from './messages.ts';
import { AnswerWay, ById, Conversation, Message } from './shapes.ts';

const Day = z.iso.date();
const OptionalName = z.optional(z.string().check(z.maxLength(254)));
/**
 * Whom an older program names: the practice (its id or NPI), the caller (by id, or what they sign in with) or the doctor they view
 * (`visibleDoctor`), and the patient of the conversation. Others are refused.
 */
const NamedPeople = z.object({ doctor: OptionalName, patient: OptionalName });
/** From 1. */
const Page = z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/)));
/** Conversations of a list that is not paged. */
export const mostConversations = 1_000;

export const listConversations = endpoint({
  method: 'GET',
  path: '/conversation/list/:id',
  summary: 'The conversations of a practice, named by its id or NPI, one page',
  access: 'office',
  audit: 'conversation.list',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  query: z.object({ page: Page }),
  reply: z.array(Conversation),
  refusals: ['office_not_found'],
});

export const listChatConversations = endpoint({
  method: 'GET',
  path: '/chat-conversation',
  summary:
    'All conversations, the newest first, at most 1,000; with `page`, 25 of them; with days, those with a message from then, in the time zone of the practice; with `patient`, only theirs; with `chats=only`, those without a phone number. Polled: answers 304 to an unchanged ETag',
  access: 'office',
  etag: true,
  audit: 'conversation.list',
  query: z.object({
    from: z.optional(Day),
    to: z.optional(Day),
    page: Page,
    /** Only conversations without a phone number: those of the website and of the app. */
    chats: z.optional(z.enum(['only'])),
    /** Besides those of the days, all that have unread messages. */
    unread: z.optional(z.enum(['also'])),
    /** Only those that are held back; without it, all others. */
    held: z.optional(z.enum(['only'])),
    ...NamedPeople.shape,
  }),
  reply: z.array(Conversation),
  refusals: ['conversation_not_found'],
});

export const openChatConversation = endpoint({
  method: 'POST',
  path: '/chat-conversation',
  summary: 'The conversation with a patient; it is created if there is none',
  access: 'office',
  body: z.object({ targetUserCode: z.string().check(z.minLength(1), z.maxLength(64)) }),
  reply: z.object({ conversationId: z.uuid() }),
  refusals: ['patient_not_found'],
});

export const readChatMessages = endpoint({
  method: 'GET',
  path: '/chat-conversation/:id/messages',
  summary:
    'The newest 100 messages of a conversation, oldest first; `markRead` marks them as read. `before` a message’s `sequence`: the 100 before it',
  access: 'office',
  audit: 'conversation.read',
  params: ById,
  query: z.object({
    markRead: z.optional(z.enum(['doctor', 'true', 'false'])),
    before: z.optional(z.string().check(z.regex(/^\d{1,9}$/))),
    ...NamedPeople.shape,
  }),
  reply: z.array(Message),
  refusals: ['conversation_not_found'],
});

export const sendChatMessage = endpoint({
  method: 'POST',
  path: '/chat-conversation/:id/messages',
  summary:
    'Sends a message to the person of the conversation in the path: `type` and either `body` or `attachment` (a PNG or JPEG picture)',
  access: 'office',
  audit: 'message.send',
  params: ById,
  query: NamedPeople,
  body: z.object({
    type: z.literal('text'),
    body: Body,
    clientId: z.optional(ClientId),
    quietHours: z.optional(QuietChoice),
    way: z.optional(AnswerWay),
  }),
  multipart: MessageForm,
  reply: Message,
  refusals: sendRefusals,
});

const Attachment = z.object({ id: z.uuid(), attachmentId: z.uuid() });

export const readChatAttachment = endpoint({
  method: 'GET',
  path: '/chat-conversation/:id/attachments/:attachmentId',
  summary: 'The picture of a message, named by its `objectKey`',
  access: 'office',
  audit: 'conversation.read',
  params: Attachment,
  query: NamedPeople,
  gives: 'image/jpeg',
  reply: z.unknown(),
  refusals: ['conversation_not_found', 'files_away'],
});
