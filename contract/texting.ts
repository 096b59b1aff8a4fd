/**
 * Texts and the carrier.
 *
 * text: one SMS of an office, a row in the ledger from `queued` to a state that is final.
 * claim: a worker takes a due text (committed) before it calls the carrier, so that two never call for the same one.
 * report: the carrier tells how a text fared. reply: a text that came in on the office's number.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { TextErrorClass, type TextState } from './queue.ts';

interface TextRule {
  from: readonly TextState[];
  to: TextState;
}

const undecided = ['queued', 'sending', 'unknown'] as const satisfies readonly TextState[];

/** What may follow what in a text's life. `delivered` and `failed` are final: no report leads back from them. */
export const textMoves = {
  claim: { from: ['queued'], to: 'sending' },
  /** The carrier surely never took it: it may be tried again. */
  release: { from: ['sending'], to: 'queued' },
  /** Its hour has passed: a person decides. */
  hold: { from: ['sending'], to: 'held' },
  /** A person decided: it may leave after all. */
  letGo: { from: ['held'], to: 'queued' },
  /** Nobody can say whether it left: shown, never sent again. */
  giveUp: { from: ['sending'], to: 'unknown' },
  send: { from: undecided, to: 'sent' },
  deliver: { from: [...undecided, 'sent'], to: 'delivered' },
  fail: { from: [...undecided, 'sent'], to: 'failed' },
  /** It would go to a number that was corrected meanwhile. */
  cancel: { from: ['queued', 'held'], to: 'cancelled' },
  /** The number said STOP before it left. */
  optOut: { from: ['queued', 'held'], to: 'failed' },
} as const satisfies Record<string, TextRule>;
export type TextMove = keyof typeof textMoves;

/** Minutes after which a text that has not left is held and shown instead of sent. */
export const heldAfterMinutes = 60;

/** How many texts leave at most. A visit takes about six; the numbers leave room for a chat on top. Answers to HELP and codes have limits of their own. */
export const textLimits = {
  /** All texts of one practice. The operator can raise it for one practice (`settings.textsPerHour`). */
  perOffice: { name: 'texts-office', points: 600, seconds: 3_600 },
  /** One practice to one number. */
  perNumber: { name: 'texts-office-number', points: 15, seconds: 3_600 },
  /** All practices together to one number. */
  perNumberEverywhere: { name: 'texts-number', points: 30, seconds: 3_600 },
  perNumberPerDay: { name: 'texts-number-day', points: 60, seconds: 86_400 },
} as const;

/** Texts that a practice nobody has confirmed yet sends on one of its days. */
export const limitedTextsPerDay = 50;

/**
 * Links that anybody can have texted by typing a number on the check-in page. Budgets of their own: whoever uses them up keeps nobody at
 * the front desk from texting.
 */
export const linkTextLimits = {
  perNetwork: { name: 'link-texts-network', points: 20, seconds: 3_600 },
  /** At all practices together. */
  perNumber: { name: 'link-texts', points: 10, seconds: 3_600 },
  perOffice: { name: 'link-texts-office', points: 60, seconds: 3_600 },
  perLimitedOffice: { name: 'link-texts-limited-office', points: 10, seconds: 86_400 },
} as const;

/** Translations that end, restart and explain texts from an office; carriers hold us to them. Compared as a whole text, any case. */
export const keywords = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'QUIT', 'END', 'CANCEL', 'REVOKE', 'OPTOUT', 'PARAR', 'ALTO'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO', 'AYUDA'],
} as const;
export type Keyword = keyof typeof keywords;

/** The keyword a text is, or null when it is a message like any other. */
export function keywordOf(body: string): Keyword | null {
  const word = body.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  const kinds = Object.keys(keywords) as Keyword[];
  return kinds.find((kind) => (keywords[kind] as readonly string[]).includes(word)) ?? null;
}

const ProviderId = z.string().check(z.minLength(1), z.maxLength(64));
const Received = z.object({ received: z.boolean() });

export const TextReport = z.object({
  /** The carrier's name for the text. */
  providerId: ProviderId,
  /** Ours, as it was given to the carrier. */
  reference: z.optional(z.nullable(z.string().check(z.maxLength(120)))),
  state: z.enum(['sent', 'delivered', 'failed']),
  errorClass: z.optional(z.nullable(TextErrorClass)),
});
export type TextReport = z.output<typeof TextReport>;

export const reportText = endpoint({
  method: 'POST',
  path: '/sms/status',
  summary: 'The carrier reports how a text fared; signed over the raw body, the same report again changes nothing',
  access: 'anyone',
  body: TextReport,
  reply: Received,
  refusals: ['wrong_signature'],
});

export const TextReply = z.object({
  providerId: ProviderId,
  /** The phone that answered. */
  from: z.string().check(z.maxLength(40)),
  /** The office's number. */
  to: z.string().check(z.maxLength(40)),
  body: z.string().check(z.maxLength(1600)),
});
export type TextReply = z.output<typeof TextReply>;

export const receiveText = endpoint({
  method: 'POST',
  path: '/sms/inbound',
  summary: "A patient's text to the office's number; STOP, START and HELP act at once. Signed over the raw body",
  access: 'anyone',
  body: TextReply,
  reply: Received,
  refusals: ['wrong_signature', 'office_not_found', 'invalid_phone'],
});
