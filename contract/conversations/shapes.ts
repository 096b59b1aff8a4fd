/**
 * What conversations are made of.
 *
 * conversation: everything that a practice and one phone number wrote to each other. message: one entry of it, numbered by `sequence`.
 */
import * as z from 'zod/mini';
import { MissingPicture, TextBlock, TextProblem, TextState } from '#contract/queue.ts';
import { Instant, Language } from '#contract/shapes.ts';

export const ConversationChannel = z.enum(['text', 'web', 'app']);
export type ConversationChannel = z.output<typeof ConversationChannel>;

/** `held`: a website visitor's that looks like advertising. It waits for nobody, and is in no list but its own. */
export const ConversationState = z.enum(['open', 'closed', 'held']);
export type ConversationState = z.output<typeof ConversationState>;

/** Who wrote a message. `bot`: the program, such as an invitation. `system`: a note that was sent to nobody. */
export const MessageWriter = z.enum(['doctor', 'bot', 'patient', 'system']);
export type MessageWriter = z.output<typeof MessageWriter>;

export const MessageContent = z.enum(['text', 'image', 'system']);
export type MessageContent = z.output<typeof MessageContent>;

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

/**
 * `link`: to a visit or its forms; `payment`: the same, because the practice requests a payment. `survey`: the invitation to surveys after a
 * surgery, a survey or its reminder.
 */
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

export const ById = z.object({ id: z.uuid() });
