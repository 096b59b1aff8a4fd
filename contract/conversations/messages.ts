/** Messages of the practice to a person: sent, waiting for the end of quiet hours, sent again; and the pictures in both directions. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { FormUrl } from '#contract/forms/shapes.ts';
import { QuietChoice } from '#contract/queue.ts';
import { textRefusals } from '#contract/refusals/texts.ts';
import { AnswerWay, ById, Message } from './shapes.ts';

export const longestMessage = 1600;

/** The text of a picture also says who sent it, and has its link. */
export const longestPictureText = 1400;

export const pictureMaxBytes = 10_000_000;

/** How long a texted link to a picture works. */
export const pictureLinkHours = 24;

export const Body = z.string().check(z.maxLength(longestMessage));
export const ClientId = z.string().check(z.minLength(1), z.maxLength(64));

/** A message as `multipart/form-data`; a file named `attachment` belongs to an image. The path may name the conversation. */
export const MessageForm = z
  .object({
    conversationId: z.optional(z.uuid()),
    type: z.enum(['text', 'image']),
    /** The text, or the description of the picture. */
    body: z.optional(Body),
    clientId: z.optional(ClientId),
    quietHours: z.optional(QuietChoice),
    way: z.optional(AnswerWay),
  })
  .check(
    z.refine(
      ({ type, body = '' }) => type === 'text' || body.length <= longestPictureText,
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
  summary:
    "Tells the other desks and the patient's page that somebody is writing to a visit, whose conversation may not exist yet: a hint, nothing is stored",
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
