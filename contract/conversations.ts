/**
 * The inbox: one conversation for each person.
 *
 * conversation: everything that a practice and one phone number wrote to each other. message: one entry of it, numbered by `sequence`.
 * unread: what no desk of the practice has opened yet. unanswered: the patient wrote last, and nobody has replied.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { FormUrl } from './forms/shapes.ts';
import { MissingPicture, QuietChoice, QuietNow, TextBlock, TextProblem, TextState } from './queue.ts';
import { textRefusals } from './refusals/texts.ts';
import { Instant, Language } from './shapes.ts';

export const ConversationChannel = z.enum(['text', 'web', 'app']);
export type ConversationChannel = z.output<typeof ConversationChannel>;

export const ConversationState = z.enum(['open', 'closed']);
export type ConversationState = z.output<typeof ConversationState>;

/** Who wrote a message. `bot`: the program, such as an invitation. `system`: a note that was sent to nobody. */
export const MessageWriter = z.enum(['doctor', 'bot', 'patient', 'system']);
export type MessageWriter = z.output<typeof MessageWriter>;

export const MessageContent = z.enum(['text', 'image', 'system']);
export type MessageContent = z.output<typeof MessageContent>;

export const inboxFilters = ['unanswered', 'unread', 'all', 'failed'] as const;
export const InboxFilter = z.enum(inboxFilters);
export type InboxFilter = z.output<typeof InboxFilter>;

export const conversationsPerPage = 25;
export const messagesPerPage = 100;
export const longestMessage = 1600;
/** The text of a picture also says who sent it, and has its link. */
export const longestPictureWords = 1400;
export const pictureMaxBytes = 10_000_000;
/** How long a texted link to a picture works. */
export const pictureLinkHours = 24;

/** One row of the inbox. Other programs read the names of the first block; what only our panel shows follows. */
export const Conversation = z.object({
  pk: z.uuid(),
  conversationId: z.uuid(),
  channel: ConversationChannel,
  lastSent: Instant,
  lastBody: z.string(),
  doctorUnread: z.int(),
  properties: z.object({
    /** Empty for a number that never checked in. */
    patientName: z.string(),
    patientCode: z.nullable(z.string()),
  }),

  phone: z.nullable(z.string()),
  state: ConversationState,
  assignee: z.nullable(z.object({ id: z.uuid(), name: z.string() })),
  lastSender: MessageWriter,
  lastType: MessageContent,
  lastSequence: z.int(),
  unanswered: z.boolean(),
  /** The newest text did not arrive, was held back, or nobody knows: `lastState` says which. */
  failed: z.boolean(),
  lastState: z.nullable(TextState),
  /** Why the number gets no texts; null if it does, and without a number. */
  textBlock: z.nullable(TextBlock),
  /** The patient's language, if it is known. */
  language: z.nullable(Language),
});
export type Conversation = z.output<typeof Conversation>;

/** Whether the inbox lists a conversation under a filter: the rule by which the server finds them. */
export function isListed(
  { state, unanswered, doctorUnread, failed }: Pick<Conversation, 'state' | 'unanswered' | 'doctorUnread' | 'failed'>,
  filter: InboxFilter,
): boolean {
  const isOpen = state === 'open';
  return {
    unanswered: isOpen && unanswered,
    unread: doctorUnread > 0,
    failed: isOpen && failed,
    all: true,
  }[filter];
}

/** `link`: to a visit or its forms; `payment`: the same, because the practice requests a payment. `survey`: the invitation to surveys after a surgery, a survey or its reminder. */
const ConversationMessageKind = z.enum(['message', 'invite', 'reinvite', 'link', 'payment', 'survey']);

export const Message = z.object({
  _id: z.uuid(),
  /** When it was sent. `sent` is the same. */
  sk: Instant,
  type: MessageContent,
  body: z.string(),
  sender: MessageWriter,
  sent: Instant,
  channel: ConversationChannel,
  pk: z.uuid(),
  conversationId: z.uuid(),
  objectKey: z.nullable(z.string()),

  sequence: z.int(),
  /** The size of an image in pixels. Its `objectKey` opens it; its `body` describes it, if somebody did. */
  picture: z.nullable(z.object({ width: z.int(), height: z.int() })),
  /** Why it does not show the picture that the patient sent; null if it does, and for every other message. */
  missingPicture: z.nullable(MissingPicture),
  /** The staff member who wrote it. */
  by: z.nullable(z.string()),
  /** It was sent with Send SMS, so it answers no question. */
  withSendSms: z.boolean(),
  kind: ConversationMessageKind,
  textId: z.nullable(z.uuid()),
  state: z.nullable(TextState),
  problem: z.nullable(TextProblem),
  limitedUntil: z.nullable(Instant),
  /** When its text goes out, if it waits for the end of quiet hours; null otherwise. */
  sendAt: z.nullable(Instant),
});
export type Message = z.output<typeof Message>;

export const InboxPage = z.object({
  conversations: z.array(Conversation),
  /** Pass as `cursor` for the next page; null at the end. */
  next: z.nullable(z.string()),
});
export type InboxPage = z.output<typeof InboxPage>;

export const InboxCounts = z.object({
  unanswered: z.int(),
  unread: z.int(),
  failed: z.int(),
  /** How many messages are unread, in all conversations together. A desk rings when there are more. */
  unreadMessages: z.int(),
  /** Those of the unread conversations whose person has no phone number: the website's visitors and the app's users. */
  unreadChats: z.int(),
  /** The same of the unanswered conversations. */
  unansweredChats: z.int(),
});
export type InboxCounts = z.output<typeof InboxCounts>;

/** The website visitor whom a conversation is with. */
export const ThreadVisitor = z.object({
  /** When they were last there; null while they are. */
  lastSeen: z.nullable(Instant),
  /** The number that they proved to be theirs. */
  phone: z.nullable(z.string()),
  /** Why that number gets no texts; null if it does, and without one. */
  textBlock: z.nullable(TextBlock),
  /** The practice has blocked them: their calls are refused. */
  blocked: z.boolean(),
});
export type ThreadVisitor = z.output<typeof ThreadVisitor>;

/** Whether an answer goes to the visitor's phone by text: they have left, and proved a number that gets texts. */
export const goesByText = (visitor: ThreadVisitor | null): boolean =>
  visitor !== null &&
  visitor.lastSeen !== null &&
  visitor.phone !== null &&
  visitor.textBlock === null &&
  !visitor.blocked;

/**
 * How the desk's screen says that an answer to a website's visitor goes. An answer that it calls a secure chat is refused (`visitor_left`) if
 * it would go by text, because the visitor left in the meantime.
 */
export const AnswerWay = z.enum(['chat', 'text']);
export type AnswerWay = z.output<typeof AnswerWay>;

const Thread = z.object({
  conversation: Conversation,
  /** Oldest first. */
  messages: z.array(Message),
  /** Whether there are older ones: pass the first sequence as `before`. */
  more: z.boolean(),
  /** The quiet hours of this number, if they are now and the person did not check in today. */
  quiet: z.nullable(QuietNow),
  /** Null without a website visitor. */
  visitor: z.nullable(ThreadVisitor),
});
export type Thread = z.output<typeof Thread>;

export const ById = z.object({ id: z.uuid() });
const Cursor = z.string().check(z.regex(/^[A-Za-z0-9_-]{10,120}$/));
export const Body = z.string().check(z.maxLength(longestMessage));
export const ClientId = z.string().check(z.minLength(1), z.maxLength(64));

export const readInbox = endpoint({
  method: 'GET',
  path: '/inbox',
  summary: 'One page of conversations, the newest first. Polled: answers 304 to an unchanged ETag',
  access: 'office',
  etag: true,
  audit: 'conversation.list',
  query: z.object({ filter: z.optional(InboxFilter), cursor: z.optional(Cursor) }),
  reply: InboxPage,
});

export const searchInbox = endpoint({
  method: 'POST',
  path: '/inbox/search',
  summary: "The same by name or digits of the number; a POST, so that no patient's name is in a URL",
  access: 'office',
  etag: true,
  audit: 'conversation.list',
  body: z.object({
    search: z.string().check(z.maxLength(100)),
    filter: z.optional(InboxFilter),
    cursor: z.optional(Cursor),
  }),
  reply: InboxPage,
});

export const readInboxCounts = endpoint({
  method: 'GET',
  path: '/inbox/counts',
  summary: 'How many conversations are unanswered, unread and failed: the same on every desk',
  access: 'office',
  etag: true,
  reply: InboxCounts,
});

export const readConversation = endpoint({
  method: 'GET',
  path: '/conversation/:id',
  summary:
    'A conversation with its newest messages; `markRead=doctor` marks them as read. Answers 304 to an unchanged ETag',
  access: 'office',
  etag: true,
  audit: 'conversation.read',
  params: ById,
  query: z.object({
    markRead: z.optional(z.enum(['doctor'])),
    before: z.optional(z.string().check(z.regex(/^\d{1,9}$/))),
  }),
  reply: Thread,
  refusals: ['conversation_not_found'],
});

/** A message as `multipart/form-data`; a file named `attachment` belongs to an image. The path may name the conversation. */
export const MessageForm = z
  .object({
    conversationId: z.optional(z.uuid()),
    type: z.enum(['text', 'image']),
    /** The words, or what describes the picture. */
    body: z.optional(Body),
    clientId: z.optional(ClientId),
    quietHours: z.optional(QuietChoice),
    way: z.optional(AnswerWay),
  })
  .check(
    z.refine(
      ({ type, body = '' }) => type === 'text' || body.length <= longestPictureWords,
      'too many words for a picture',
    ),
  );
export type MessageForm = z.output<typeof MessageForm>;

const retryPrefix = 'retry-';
/** The client id with which a message is sent again as a new one, so that it is sent again once. */
export const retryIdOf = (messageId: string) => `${retryPrefix}${messageId}`;
/** The message that a client id sends again; null for any other client id. */
export const retriedBy = (clientId: string) =>
  clientId.startsWith(retryPrefix) ? clientId.slice(retryPrefix.length) : null;

export const sendRefusals = [
  'conversation_not_found',
  'text_moved_on',
  'empty_message',
  'visitor_blocked',
  'visitor_left',
  'number_opted_out',
  'number_is_landline',
  'number_not_textable',
  ...textRefusals,
  'picture_too_large',
  'picture_unreadable',
  'too_many_pictures',
  'files_away',
] as const;

export const sendMessage = endpoint({
  method: 'POST',
  path: '/conversation/send/',
  summary:
    'Sends a message to the person, by text if the conversation has a number (in quiet hours the text waits for their end); a picture goes as a link. A second call with the same clientId sends nothing and gets the first message',
  access: 'office',
  audit: 'message.send',
  body: z.object({
    conversationId: z.uuid(),
    body: Body,
    clientId: z.optional(ClientId),
    quietHours: z.optional(QuietChoice),
    way: z.optional(AnswerWay),
  }),
  multipart: MessageForm,
  reply: Message,
  refusals: sendRefusals,
});

export const sendWaitingMessage = endpoint({
  method: 'POST',
  path: '/conversation/:id/messages/:messageId/send-now',
  summary: 'Sends a message now that waits for the end of quiet hours; one that does not wait stays as it is',
  access: 'office',
  audit: 'text.change',
  params: z.object({ id: z.uuid(), messageId: z.uuid() }),
  reply: Message,
  refusals: ['conversation_not_found'],
});

export const cancelWaitingMessage = endpoint({
  method: 'POST',
  path: '/conversation/:id/messages/:messageId/cancel',
  summary: 'Cancels a message that waits for the end of quiet hours',
  access: 'office',
  audit: 'text.change',
  params: z.object({ id: z.uuid(), messageId: z.uuid() }),
  reply: Message,
  refusals: ['conversation_not_found', 'text_moved_on'],
});

export const restoreCanceledMessage = endpoint({
  method: 'POST',
  path: '/conversation/:id/messages/:messageId/restore',
  summary: 'Undoes the cancellation of a message: it waits again until the same time. Not for pictures',
  access: 'office',
  audit: 'text.change',
  params: z.object({ id: z.uuid(), messageId: z.uuid() }),
  reply: Message,
  refusals: ['conversation_not_found', 'text_moved_on', 'limited_own_words', 'number_opted_out', 'number_is_landline'],
});

export const closeConversation = endpoint({
  method: 'POST',
  path: '/conversation/:id/close',
  summary: "Closes a conversation; the patient's next message opens it again",
  access: 'office',
  audit: 'conversation.close',
  params: ById,
  reply: Conversation,
  refusals: ['conversation_not_found'],
});

export const reopenConversation = endpoint({
  method: 'POST',
  path: '/conversation/:id/reopen',
  summary: 'Opens a closed conversation: the undo of closing',
  access: 'office',
  audit: 'conversation.reopen',
  params: ById,
  reply: Conversation,
  refusals: ['conversation_not_found'],
});

export const assignConversation = endpoint({
  method: 'POST',
  path: '/conversation/:id/assign',
  summary: 'Assigns a conversation to the caller, or to nobody',
  access: 'office',
  audit: 'conversation.assign',
  params: ById,
  body: z.object({ to: z.nullable(z.enum(['me'])) }),
  reply: Conversation,
  refusals: ['conversation_not_found'],
});

export const blockVisitor = endpoint({
  method: 'POST',
  path: '/conversation/:id/block',
  summary: 'Blocks the website visitor of a conversation: their calls are refused from now on. Closes the conversation',
  access: 'office',
  audit: 'conversation.block',
  params: ById,
  reply: Conversation,
  refusals: ['conversation_not_found'],
});

export const unblockVisitor = endpoint({
  method: 'POST',
  path: '/conversation/:id/unblock',
  summary: 'Ends the block of a website visitor and opens the conversation again: the undo of blocking',
  access: 'office',
  audit: 'conversation.unblock',
  params: ById,
  reply: Conversation,
  refusals: ['conversation_not_found'],
});

export const markConversationRead = endpoint({
  method: 'POST',
  path: '/conversation/:id/read',
  summary: 'Marks the messages up to a sequence as read, for every desk of the practice',
  access: 'office',
  params: ById,
  body: z.object({ sequence: z.int().check(z.minimum(0), z.maximum(2_000_000_000)) }),
  reply: Conversation,
  refusals: ['conversation_not_found'],
});

export const noteWriting = endpoint({
  method: 'POST',
  path: '/conversation/:id/writing',
  summary: "Tells the other desks and the patient's page that somebody is writing here: a hint, nothing is stored",
  access: 'office',
  params: ById,
  reply: z.object({ noted: z.boolean() }),
  refusals: ['conversation_not_found'],
});

export const noteWritingToVisit = endpoint({
  method: 'POST',
  path: '/virtual-queue/visit/:visitId/writing',
  summary: 'The same for a visit, whose conversation may not exist yet',
  access: 'office',
  params: z.object({ visitId: z.uuid() }),
  reply: z.object({ noted: z.boolean() }),
  refusals: ['visit_not_found'],
});

export const linkToPicture = endpoint({
  method: 'GET',
  path: '/conversation/:id/pictures/:attachmentId',
  summary: 'A URL of the picture that works for two minutes and names nothing',
  access: 'office',
  audit: 'conversation.read',
  params: z.object({ id: z.uuid(), attachmentId: z.uuid() }),
  reply: FormUrl,
  refusals: ['conversation_not_found', 'files_away'],
});
