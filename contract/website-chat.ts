/**
 * The chat on a practice's own website, as its visitor calls it. The desk's side is `conversations.ts`.
 *
 * visitor: somebody on the practice's website who agreed to chat. They hold a token for one conversation of one practice; it ends when
 * nobody has used it for a day. They are anonymous, give a name, or prove a phone number by a code that is texted to it.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { longestMessage, longestPictureText } from '#contract/conversations/messages.ts';
import { FormUrl } from './forms/shapes.ts';
import { Instant, Language, Npi, OneTimeCode, SentCode, Token } from './shapes.ts';

/** A visitor's token ends after this time without a call. */
export const visitorHours = 24;
export const visitorMessagesPerPage = 100;
export const longestVisitorName = 100;

/** How the expected time of a reply is shown: minutes up to an hour and a half, else whole hours. */
export const shownReplyTime = (minutes: number): { value: number; unit: 'minute' | 'hour' } =>
  minutes < 90 ? { value: minutes, unit: 'minute' } : { value: Math.round(minutes / 60), unit: 'hour' };

/** What the chat shows before anybody has agreed to it. */
export const ChatFront = z.object({
  npi: Npi,
  officeName: z.string(),
  color: z.string(),
  greeting: z.object({ en: z.string(), es: z.string() }),
  timeZone: z.string(),
  /** Whether somebody answers now. */
  isOpen: z.boolean(),
  /** Today's hours in the office's time zone as HH:MM; null if nobody answers today. */
  hoursToday: z.nullable(z.object({ open: z.string(), close: z.string() })),
  nextOpening: z.nullable(Instant),
  expectedReplyMinutes: z.nullable(z.int()),
  now: Instant,
});
export type ChatFront = z.output<typeof ChatFront>;

/** What the server embeds in the page of the widget: null for a practice without a chat. Nothing for a network over the rate limit. */
export interface WidgetBoot {
  front: ChatFront | null;
}

export const VisitorMessage = z.object({
  id: z.uuid(),
  /** The order of the conversation, from 1. */
  sequence: z.int(),
  at: Instant,
  /** `note`: the program, such as the automatic answer outside the hours. */
  from: z.enum(['visitor', 'office', 'note']),
  body: z.string(),
  picture: z.nullable(z.object({ id: z.uuid(), width: z.int(), height: z.int() })),
  /** The visitor's own id of the message. */
  clientId: z.nullable(z.string()),
});
export type VisitorMessage = z.output<typeof VisitorMessage>;

export const VisitorChat = z.object({
  office: ChatFront,
  /** Empty for an anonymous visitor. */
  name: z.string(),
  /** The last two digits of the visitor's verified number; null without one. */
  phoneEnding: z.nullable(z.string()),
  /** The verified number gets no texts, such as after STOP. */
  textsBlocked: z.boolean(),
  /** Oldest first. */
  messages: z.array(VisitorMessage),
  /** Whether there are more: pass the last sequence as `after`. */
  more: z.boolean(),
});
export type VisitorChat = z.output<typeof VisitorChat>;

const OfNpi = z.object({ npi: z.string().check(z.maxLength(20)) });
const ClientId = z.string().check(z.minLength(1), z.maxLength(64));
const MessageBody = z.string().check(z.maxLength(longestMessage));
const Name = z.string().check(z.trim(), z.maxLength(longestVisitorName));

export const readChatFront = endpoint({
  method: 'GET',
  path: '/website-chat/:npi',
  summary: "What a practice's chat shows before it begins: name, greeting, hours, how soon somebody answers",
  access: 'anyone',
  params: OfNpi,
  reply: ChatFront,
  refusals: ['chat_off'],
});

export const startChat = endpoint({
  method: 'POST',
  path: '/website-chat/:npi',
  summary: 'A visitor agrees to chat: creates their conversation and the token for it',
  access: 'anyone',
  params: OfNpi,
  body: z.object({ consent: z.literal(true), language: Language, name: z.optional(Name) }),
  reply: z.object({ token: Token, chat: VisitorChat }),
  refusals: ['chat_off', 'too_many_tries'],
});

export const readChat = endpoint({
  method: 'GET',
  path: '/visitor-chat',
  summary: "The visitor's conversation: 100 messages after a sequence",
  access: 'visitor',
  audit: 'chat.read',
  query: z.object({ after: z.optional(z.string().check(z.regex(/^\d{1,9}$/))) }),
  reply: VisitorChat,
  etag: true,
});

/** A visitor's message as `multipart/form-data`, with a file named `attachment`. */
export const VisitorPictureForm = z.object({
  clientId: ClientId,
  body: z.optional(z.string().check(z.maxLength(longestPictureText))),
});

export const sendVisitorMessage = endpoint({
  method: 'POST',
  path: '/visitor-chat/messages',
  summary:
    'Sends a message, or a picture (PNG or JPEG). A second call with the same clientId sends nothing and gets the first message',
  access: 'visitor',
  audit: 'message.receive',
  body: z.object({ clientId: ClientId, body: MessageBody }),
  multipart: VisitorPictureForm,
  reply: VisitorMessage,
  refusals: [
    'chat_off',
    'empty_message',
    'too_many_messages',
    'picture_too_large',
    'picture_unreadable',
    'too_many_pictures',
    'files_away',
  ],
});

export const linkToChatPicture = endpoint({
  method: 'GET',
  path: '/visitor-chat/pictures/:attachmentId',
  summary: "A URL of a picture of the visitor's conversation that works for two minutes and names nothing",
  access: 'visitor',
  audit: 'chat.read',
  params: z.object({ attachmentId: z.uuid() }),
  reply: FormUrl,
  refusals: ['picture_not_found', 'files_away', 'too_many_tries'],
});

export const noteVisitorWriting = endpoint({
  method: 'POST',
  path: '/visitor-chat/writing',
  summary: 'Tells the desks that the visitor is writing: a hint, nothing is stored',
  access: 'visitor',
  reply: z.object({ noted: z.boolean() }),
  refusals: ['chat_off', 'too_many_tries'],
});

export const saveVisitorName = endpoint({
  method: 'PUT',
  path: '/visitor-chat/name',
  summary: 'The name that the desks see; an empty one makes the visitor anonymous',
  access: 'visitor',
  audit: 'chat.name',
  body: z.object({ name: Name }),
  reply: z.object({ name: z.string() }),
  refusals: ['chat_off', 'too_many_tries'],
});

export const sendVisitorCode = endpoint({
  method: 'POST',
  path: '/visitor-chat/phone',
  summary: 'Texts a code to a phone number, so that the visitor can prove it is theirs',
  access: 'visitor',
  audit: 'chat.code',
  body: z.object({ phone: z.string().check(z.maxLength(40)) }),
  reply: SentCode,
  refusals: ['chat_off', 'invalid_phone', 'too_many_tries', 'code_not_sent', 'no_chat_codes_now'],
});

export const verifyVisitorPhone = endpoint({
  method: 'POST',
  path: '/visitor-chat/phone/code',
  summary: 'Proves the number with the code: answers go there by text when the visitor has left',
  access: 'visitor',
  audit: 'chat.verify',
  body: z.object({ code: OneTimeCode }),
  reply: z.object({ phoneEnding: z.string() }),
  refusals: ['chat_off', 'wrong_code', 'code_expired', 'code_used_up', 'too_many_tries'],
});

export const leaveChat = endpoint({
  method: 'POST',
  path: '/visitor-chat/leave',
  summary: 'Reports that the visitor closed the page. The token still works, so they can come back',
  access: 'visitor',
  reply: z.object({ left: z.boolean() }),
});

export const endChat = endpoint({
  method: 'POST',
  path: '/visitor-chat/end',
  summary: "Ends the visitor's chat: the token no longer works. The desks keep the conversation",
  access: 'visitor',
  audit: 'chat.end',
  reply: z.object({ ended: z.boolean() }),
});
