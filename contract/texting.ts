/**
 * Texts and the carrier.
 *
 * text: one SMS of an office, a ledger row from `queued` to a final state.
 * claim: a worker marks a due text (and commits) before it calls the carrier, so that no two workers send the same one.
 * report: the carrier's delivery report. reply: a text that came in on the office's number.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { TextErrorClass, type TextState } from './queue.ts';

interface TextRule {
  from: readonly TextState[];
  to: TextState;
}

const undecided = ['queued', 'sending', 'unknown'] as const satisfies readonly TextState[];

/** The allowed transitions of a text. `delivered` and `failed` are final: no report leads back from them. */
export const textMoves = {
  claim: { from: ['queued'], to: 'sending' },
  /** The carrier definitely never received it, so it may be retried. */
  release: { from: ['sending'], to: 'queued' },
  /** The text is more than an hour late, or its appointment has begun, so staff decide. */
  hold: { from: ['sending'], to: 'held' },
  /** The operator limited the practice while it waited. */
  limit: { from: ['queued'], to: 'held' },
  /** Staff decided to send it after all. */
  letGo: { from: ['held'], to: 'queued' },
  /** Nobody can tell whether it was sent: shown, never resent. */
  giveUp: { from: ['sending'], to: 'unknown' },
  send: { from: undecided, to: 'sent' },
  deliver: { from: [...undecided, 'sent'], to: 'delivered' },
  fail: { from: [...undecided, 'sent'], to: 'failed' },
  /** Its number was corrected in the meantime, or somebody of the practice canceled it. */
  cancel: { from: ['queued', 'held'], to: 'cancelled' },
  /** The undo of that. */
  restore: { from: ['cancelled'], to: 'queued' },
  /** The number sent STOP before it was sent. */
  optOut: { from: ['queued', 'held'], to: 'failed' },
} as const satisfies Record<string, TextRule>;
export type TextMove = keyof typeof textMoves;

/** After this many minutes, an unsent text is held and shown instead of sent. */
export const heldAfterMinutes = 60;

/** Texts of one practice in an hour. The operator can raise it for one practice (`settings.textsPerHour`). */
const textsPerHour = 600;

/** The part of them that texts to lists may use, so that the front desk can always text somebody. */
export const shareOfLists = 0.5;

/**
 * Limits on texts. A visit takes about six; the limits leave room for a chat on top. Answers to HELP and codes have limits of their own.
 */
export const textLimits = {
  /** The texts of one practice, without those to lists, which go out at a pace of their own. */
  perOffice: { name: 'texts-office', points: textsPerHour, seconds: 3_600 },
  /**
   * Texts to lists that go out although their minute is full, because they would come after their appointments. As many as lists may send in
   * an hour anyway; raised with `perOffice`.
   */
  perOfficeUrgent: { name: 'texts-office-urgent', points: textsPerHour * shareOfLists, seconds: 3_600 },
  /** From one practice to one number. */
  perNumber: { name: 'texts-office-number', points: 15, seconds: 3_600 },
  /** From all confirmed practices to one number. */
  perNumberEverywhere: { name: 'texts-number', points: 30, seconds: 3_600 },
  perNumberPerDay: { name: 'texts-number-day', points: 60, seconds: 86_400 },
  /**
   * From all practices that are not confirmed, together, to one number. Anybody can register such practices, so their texts never count
   * against the limits of confirmed practices.
   */
  perNumberOfUnconfirmed: { name: 'texts-number-unconfirmed', points: 15, seconds: 3_600 },
  perNumberPerDayOfUnconfirmed: { name: 'texts-number-day-unconfirmed', points: 30, seconds: 86_400 },
} as const;

/** Texts per office-local day for a practice that is not confirmed yet, including the links that patients ask for. */
export const limitedTextsPerDay = 50;

/**
 * Links that anybody can have texted by typing a number on the check-in page. They have separate limits, so that abuse never keeps the
 * front desk from texting. At a practice that is not confirmed they are a small part of its texts per day.
 */
export const linkTextLimits = {
  perNetwork: { name: 'link-texts-network', points: 20, seconds: 3_600 },
  /** From all confirmed practices together. */
  perNumber: { name: 'link-texts', points: 10, seconds: 3_600 },
  /** From all practices together that are not confirmed. */
  perNumberOfUnconfirmed: { name: 'link-texts-unconfirmed', points: 5, seconds: 3_600 },
  perOffice: { name: 'link-texts-office', points: 60, seconds: 3_600 },
  /** At most so many of them answer HERE from numbers that nobody expects: the rest is reserved for check-ins. */
  perOfficeToStrangers: { name: 'link-texts-strangers', points: 30, seconds: 3_600 },
  perLimitedOffice: { name: 'link-texts-limited-office', points: 10, seconds: 86_400 },
} as const;

/**
 * Texts from one number to one practice in an hour, far more than anybody writes. Those beyond it are stored, but notify nobody and do not
 * make every desk read the queue again.
 */
export const textsFromNumber = { name: 'texts-from-number', points: 60, seconds: 3_600 } as const;

/**
 * The standard opt-out, opt-in and help keywords, which carriers require, and the words by which a patient checks in. Matched against the whole
 * text, in any case.
 */
export const keywords = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'QUIT', 'END', 'CANCEL', 'REVOKE', 'OPTOUT', 'PARAR', 'ALTO'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO', 'AYUDA'],
  here: [
    'HERE',
    'IMHERE',
    'IAMHERE',
    'AQUI',
    'AQUÍ',
    'ESTOYAQUI',
    'ESTOYAQUÍ',
    'LLEGUE',
    'LLEGUÉ',
    'YALLEGUE',
    'YALLEGUÉ',
  ],
} as const;
export type Keyword = keyof typeof keywords;

/** The keyword in a text, or null if it is an ordinary message. */
export function keywordOf(body: string): Keyword | null {
  const word = body
    .normalize('NFC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  const kinds = Object.keys(keywords) as Keyword[];
  return kinds.find((kind) => (keywords[kind] as readonly string[]).includes(word)) ?? null;
}

const ProviderId = z.string().check(z.minLength(1), z.maxLength(64));
const Receipt = z.object({ received: z.boolean() });

export const TextReport = z.object({
  /** The carrier's id of the text. */
  providerId: ProviderId,
  /** Our reference, as we sent it to the carrier. */
  reference: z.optional(z.nullable(z.string().check(z.maxLength(120)))),
  state: z.enum(['sent', 'delivered', 'failed']),
  errorClass: z.optional(z.nullable(TextErrorClass)),
});
export type TextReport = z.output<typeof TextReport>;

export const reportText = endpoint({
  method: 'POST',
  path: '/sms/status',
  summary: "The carrier's delivery report, signed over the raw body; a repeated report changes nothing",
  access: 'anyone',
  body: TextReport,
  reply: Receipt,
  refusals: ['wrong_signature'],
});

/** Carriers' addresses of a file have about 150 characters. */
export const mediaSourceMaxLength = 400;
export const mediaTypeMaxLength = 100;

export const TextReply = z.object({
  providerId: ProviderId,
  /** The patient's phone. */
  from: z.string().check(z.maxLength(40)),
  /** The office's number. */
  to: z.string().check(z.maxLength(40)),
  body: z.string().check(z.maxLength(1600)),
  /** Files that came with it (MMS): where the carrier has them, and their media types. */
  media: z.optional(
    z
      .array(
        z.object({
          source: z.string().check(z.maxLength(mediaSourceMaxLength)),
          type: z.string().check(z.maxLength(mediaTypeMaxLength)),
        }),
      )
      .check(z.maxLength(10)),
  ),
});
export type TextReply = z.output<typeof TextReply>;

export const receiveText = endpoint({
  method: 'POST',
  path: '/sms/inbound',
  summary: "A patient's text to the office's number; STOP, START, HELP and HERE act at once. Signed over the raw body",
  access: 'anyone',
  body: TextReply,
  reply: Receipt,
  refusals: ['wrong_signature', 'office_not_found', 'invalid_phone'],
});
