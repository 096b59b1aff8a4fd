/**
 * The inbox: one conversation for each person.
 *
 * unread: what no desk of the practice has opened yet. unanswered: the patient wrote last, and nobody has replied.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QuietNow } from '#contract/queue.ts';
import { ById, Conversation, Message, ThreadVisitor } from './shapes.ts';

export const inboxFilters = ['unanswered', 'unread', 'all', 'failed'] as const;
export const InboxFilter = z.enum(inboxFilters);
export type InboxFilter = z.output<typeof InboxFilter>;

export const conversationsPerPage = 25;
export const messagesPerPage = 100;

/** Whether the inbox lists a conversation under a filter: the rule by which the server finds them. */
export function isListed(
  { state, unanswered, doctorUnread, failed }: Pick<Conversation, 'state' | 'unanswered' | 'doctorUnread' | 'failed'>,
  filter: InboxFilter,
): boolean {
  const isOpen = state === 'open';
  return {
    unanswered: isOpen && unanswered,
    unread: doctorUnread > 0 && state !== 'held',
    failed: isOpen && failed,
    all: state !== 'held',
  }[filter];
}

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

const Cursor = z.string().check(z.regex(/^[A-Za-z0-9_-]{10,120}$/));

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
  summary:
    "One page of conversations by the patient's name or digits of the number; a POST, so that no patient's name is in a URL",
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
  summary: 'Opens a closed conversation: the undo of closing. Reopening a held chat marks it as not advertising',
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
