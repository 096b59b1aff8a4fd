/**
 * The SMS dashboard: texts that an office sends to phone numbers, now or later. Its outbox, which shows each of them, is in `outbox.ts`.
 *
 * delivery option: one number and when its text goes out. person: one number in a list; a number that is listed twice gets one text.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { longestText } from './outbox.ts';
import { textRefusals } from './refusals/texts.ts';
import { Instant, InstantWithOffset, type Language } from './shapes.ts';

export * from './outbox.ts';
export * from './sms-sends.ts';

/** A scheduled text is at least this far ahead … */
export const earliestMinutesAhead = 30;
/** … and at most this far. */
export const latestDaysAhead = 7;
/** What '+ Schedule for later' suggests. */
export const defaultMinutesAhead = 60;
/** Rows of one send. */
export const mostRows = 10_000;
/** Rows of a file that the form shows; more than one send takes, so that a long list can be divided there. */
export const mostRowsRead = 50_000;

/** The product's own message of Send SMS: the practice's name and its check-in page. */
export const standardSmsTexts = (officeName: string, checkInPage: string): Record<Language, string> => ({
  en: `${officeName}: when you arrive, check in here: ${checkInPage}`,
  es: `${officeName}: cuando llegue, regístrese aquí: ${checkInPage}`,
});

/** A US number: plus one followed only by digits. */
const isUsNumber = /^\+1\d{10}$/;

/** Whether a text may be scheduled for this time. */
export function isInRange(sendAt: Date, now: Date): boolean {
  const ahead = sendAt.getTime() - now.getTime();
  return ahead >= earliestMinutesAhead * 60_000 && ahead <= latestDaysAhead * 86_400_000;
}

/** Whether a text can still go out before an appointment, and not later than a scheduled one may. */
export function isAppointmentInRange(appointmentAt: Date, now: Date): boolean {
  const ahead = appointmentAt.getTime() - now.getTime();
  return ahead > 0 && ahead <= latestDaysAhead * 86_400_000;
}

/** Whether a number looks like one that can be texted. The server also knows the area codes. */
export const looksLikeUsNumber = (phone: string): boolean =>
  isUsNumber.test(phone) && /^\+1[2-9]\d{2}[2-9]\d{6}$/.test(phone);

export const DeliveryOption = z.object({
  phoneNumber: z.string().check(z.maxLength(40)),
  /** Empty: as soon as possible. */
  sendAt: z.nullish(z.union([z.literal(''), InstantWithOffset])),
  /** The text goes out before this appointment, at the office's lead time; `sendAt` does not count then. */
  appointmentAt: z.optional(InstantWithOffset),
});
export type DeliveryOption = z.output<typeof DeliveryOption>;

const Sms = z.object({
  message: z.string().check(z.maxLength(longestText)),
  deliveryOptions: z.array(DeliveryOption).check(z.minLength(1), z.maxLength(mostRows)),
});
export type Sms = z.output<typeof Sms>;

/**
 * What becomes of a row: `ready` gets a text; a `duplicate` has the number of an earlier row, or of an earlier appointment;
 * `already-texted` has a text for an appointment on the same day.
 */
export const RowStatus = z.enum([
  'ready',
  'duplicate',
  'already-texted',
  'opted-out',
  'landline',
  'bad-number',
  'bad-time',
]);
export type RowStatus = z.output<typeof RowStatus>;

export const SentSms = z.object({
  /** People who get the text. */
  accepted: z.int(),
  duplicates: z.int(),
  /** Numbers that have a text for an appointment on that day already, and so get no second one. */
  alreadyTexted: z.int(),
  optedOut: z.int(),
  /** Numbers that the carrier reported as landlines. */
  landlines: z.int(),
  /** Numbers that have had as many texts as a number may get. */
  limited: z.int(),
  firstSendAt: z.nullable(Instant),
  lastSendAt: z.nullable(Instant),
  /** The first texts, for a screen that follows them; the outbox lists all. */
  textIds: z.array(z.uuid()),
  /** The row of each of them in the list, from 0. */
  textRows: z.array(z.int()),
});
export type SentSms = z.output<typeof SentSms>;

export const sendSms = endpoint({
  method: 'POST',
  path: '/sms',
  summary: 'Texts a message to phone numbers, each now or at its time; adds no check-in',
  access: 'office',
  audit: 'text.send',
  creates: true,
  body: Sms,
  reply: SentSms,
  refusals: [
    'empty_message',
    'invalid_delivery_options',
    'number_opted_out',
    'number_is_landline',
    'already_texted',
    ...textRefusals,
  ],
});

export const SmsPreview = z.object({
  /** In the order of the rows. */
  rows: z.array(z.object({ status: RowStatus, sendAt: z.nullable(Instant) })),
  people: z.int(),
  duplicates: z.int(),
  /** Numbers that have a text for an appointment on that day already. */
  alreadyTexted: z.int(),
  /** Numbers that must be corrected before the list can be sent. */
  badNumbers: z.int(),
  /** Numbers that the carrier reported as landlines. The send leaves them out. */
  landlines: z.int(),
  badTimes: z.int(),
  optedOut: z.int(),
  /** People who should be texted in the quiet hours of the office, by its clock or by that of their area code. */
  atNight: z.int(),
  /** People whose text goes out in quiet hours anyway: in the demo, or because their appointment is before the end. The others wait. */
  sentAtNight: z.int(),
  /** People to whom the same message was sent, or is scheduled, within a day. */
  textedBefore: z.int(),
  firstSendAt: z.nullable(Instant),
  lastSendAt: z.nullable(Instant),
  /** Texts that go out per minute, so that the replies do not flood the office. */
  perMinute: z.int(),
  /** How long before an appointment its text goes out. */
  leadMinutes: z.int(),
});
export type SmsPreview = z.output<typeof SmsPreview>;

export const previewSms = endpoint({
  method: 'POST',
  path: '/sms/preview',
  summary: 'What sending this would do: who is texted and when; saves and sends nothing',
  access: 'office',
  audit: 'text.read',
  body: Sms,
  reply: SmsPreview,
  refusals: ['too_many_tries'],
});

export const saveSmsText = endpoint({
  method: 'PATCH',
  path: '/office/sms-text',
  summary: 'Saves the default message of Send SMS; an empty text restores the standard one',
  access: 'office',
  body: z.object({
    officeId: z.string().check(z.minLength(10), z.maxLength(36)),
    text: z.string().check(z.maxLength(longestText)),
  }),
  reply: z.object({ text: z.string() }),
  refusals: ['office_not_found', 'limited_own_words'],
});
