/** The outbox: all texts of the office, those about visits included, and what staff may do with each. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { textRefusals } from './refusals/texts.ts';
import { Instant, InstantWithOffset } from './shapes.ts';
import { TextProblem, TextState } from './text-states.ts';

export const longestText = 1_400;

/** A text's state as the outbox shows it. `stopped`: the number opted out (STOP). */
export const outboxStates = [
  'scheduled',
  'sending',
  'sent',
  'delivered',
  'failed',
  'stopped',
  'unknown',
  'held',
  'cancelled',
] as const;
export const OutboxState = z.enum(outboxStates);
export type OutboxState = z.output<typeof OutboxState>;

export function outboxStateOf(state: TextState, problem: TextProblem | null): OutboxState {
  if (state === 'queued') return 'scheduled';
  return state === 'failed' && problem === 'opted-out' ? 'stopped' : state;
}

export const OutboxAction = z.enum(['change', 'cancel', 'release', 'retry']);
export type OutboxAction = z.output<typeof OutboxAction>;

/** The facts about a text that decide what staff may do with it. */
export interface TextFacts {
  state: TextState;
  problem: TextProblem | null;
  /** It was sent with Send SMS. The bodies of other texts are not the outbox's to change: a conversation shows them. */
  isOwnSend: boolean;
  /** An answer that carriers require, such as the confirmation of STOP. */
  isNotice: boolean;
  /** Its link was deleted when it failed. */
  needsLink: boolean;
  retried: boolean;
}

/** A retry is safe only if the carrier surely did not deliver it, and useful only if the number can get texts. */
const retryable: readonly (TextProblem | null)[] = ['rate', 'sender', 'delivery', 'other'];

/** What staff may do with a text. The panel shows these buttons, and the server refuses everything else. */
export function outboxActions({ state, problem, isOwnSend, isNotice, needsLink, retried }: TextFacts): OutboxAction[] {
  const actions: OutboxAction[] = [];
  if (state === 'queued' && isOwnSend) actions.push('change');
  if (state === 'held' && problem !== 'after-appointment') actions.push('release');
  if ((state === 'queued' || state === 'held') && !isNotice) actions.push('cancel');
  if (state === 'failed' && retryable.includes(problem) && isOwnSend && !needsLink && !retried) actions.push('retry');
  return actions;
}

export const OutboxText = z.object({
  id: z.uuid(),
  phone: z.string(),
  /** The patient with this number, if the office knows one. */
  name: z.string(),
  body: z.string(),
  state: OutboxState,
  problem: z.nullable(TextProblem),
  limitedUntil: z.nullable(Instant),
  sendAt: Instant,
  /** Whether its time is in the quiet hours of the office or of the number. */
  inQuietHours: z.boolean(),
  sentAt: z.nullable(Instant),
  deliveredAt: z.nullable(Instant),
  actions: z.array(OutboxAction),
});
export type OutboxText = z.output<typeof OutboxText>;

/** `next` of the page before. */
const Before = z.optional(z.string().check(z.regex(/^\d{1,16}_[0-9a-f-]{36}$/)));
const OutboxPage = z.object({
  texts: z.array(OutboxText),
  next: z.nullable(z.string()),
  counts: z.record(z.string(), z.int()),
});

const TextId = z.object({ textId: z.uuid() });

export const listOutbox = endpoint({
  method: 'GET',
  path: '/sms/outbox',
  summary:
    "The office's texts, the latest first, page by page; with the number of texts in each state in the last 30 days",
  access: 'office',
  etag: true,
  audit: 'text.read',
  query: z.object({ state: z.optional(OutboxState), before: Before }),
  reply: OutboxPage,
});

export const searchOutbox = endpoint({
  method: 'POST',
  path: '/sms/outbox/search',
  summary:
    "The office's texts by a patient's name or digits of the number; a POST, so that no patient's name is in a URL",
  access: 'office',
  etag: true,
  audit: 'text.read',
  body: z.object({
    search: z.string().check(z.maxLength(100)),
    state: z.optional(OutboxState),
    before: Before,
  }),
  reply: OutboxPage,
});

/** Without the number and the body: a screen asks for it again and again. */
export const readTextOutcome = endpoint({
  method: 'GET',
  path: '/sms/outbox/:textId/outcome',
  summary: 'The current state of a text, and its problem if it has one',
  access: 'office',
  params: TextId,
  reply: z.object({
    id: z.uuid(),
    state: OutboxState,
    problem: z.nullable(TextProblem),
    limitedUntil: z.nullable(Instant),
  }),
  refusals: ['text_not_found'],
});

export const changeText = endpoint({
  method: 'PATCH',
  path: '/sms/outbox/:textId',
  summary:
    'Changes the body or the time of a text that has not been sent. It may go out later: after quiet hours, or in the next free minute',
  access: 'office',
  audit: 'text.change',
  params: TextId,
  body: z.object({
    message: z.optional(z.string().check(z.maxLength(longestText))),
    sendAt: z.optional(InstantWithOffset),
  }),
  reply: OutboxText,
  refusals: [
    'text_not_found',
    'text_moved_on',
    'empty_message',
    'invalid_delivery_options',
    'after_appointment',
    ...textRefusals,
  ],
});

export const cancelText = endpoint({
  method: 'POST',
  path: '/sms/outbox/:textId/cancel',
  summary: 'Cancels a text that has not been sent',
  access: 'office',
  audit: 'text.change',
  params: TextId,
  reply: OutboxText,
  refusals: ['text_not_found', 'text_moved_on'],
});

export const releaseText = endpoint({
  method: 'POST',
  path: '/sms/outbox/:textId/release',
  summary: 'Sends a held text now, or after quiet hours. It stays held if that is after its appointment',
  access: 'office',
  audit: 'text.change',
  params: TextId,
  reply: OutboxText,
  refusals: ['text_not_found', 'text_moved_on', ...textRefusals],
});

export const retryText = endpoint({
  method: 'POST',
  path: '/sms/outbox/:textId/retry',
  summary: 'Retries a text that was definitely not delivered, as a new text',
  access: 'office',
  audit: 'text.send',
  creates: true,
  params: TextId,
  reply: OutboxText,
  refusals: [
    'text_not_found',
    'text_moved_on',
    'number_opted_out',
    'number_is_landline',
    'after_appointment',
    ...textRefusals,
  ],
});
