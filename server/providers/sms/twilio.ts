import * as z from 'zod/mini';
import { mediaSourceMaxLength, mediaTypeMaxLength, type TextReply } from '#contract/texting.ts';
import type { Services } from '#server/context.ts';
import { keyedHash, sameBytes } from '#server/kit/crypto/secret.ts';
import { serviceOfNumber } from './number-orders-sql.ts';
import {
  SmsSignatureInvalid,
  SmsRefused,
  type CarrierCall,
  type LookedUpText,
  type Sms,
  type SmsReport,
} from './port.ts';
import { parse, pathOf } from './twilio-answers.ts';
import { twilioCalls, TwilioAway, TwilioRefused, type TwilioCalls, type TwilioPace } from './twilio-calls.ts';
import { classOfFailure, classOfRefusal } from './twilio-errors.ts';
import { fetchTwilioMedia } from './twilio-media.ts';
import { rentTwilioNumber } from './twilio-numbers.ts';
import type { TwilioSettings } from './twilio-settings.ts';
import { isSignedByTwilio, twilioSignatureHeader } from './twilio-signature.ts';

/** The fields we read of a message; the others may change. */
const Message = z.object({
  sid: z.string(),
  status: z.string(),
  direction: z.nullish(z.string()),
  body: z.nullish(z.string()),
  error_code: z.nullish(z.number()),
  date_created: z.nullish(z.string()),
});
type Message = z.output<typeof Message>;
const Page = z.object({ messages: z.array(Message), next_page_uri: z.nullish(z.string()) });

/**
 * A message may appear in Twilio's list some time after Twilio accepted it, and a call that we gave up after 10 s may still be running
 * there. Until a text is this old, its absence from the list proves nothing.
 */
export const listedAfterMs = 90_000;
/** How far Twilio's clock may differ from the database's. */
const clockToleranceMs = 15 * 60_000;
const largestPage = 1_000;
const mostPages = 10;
const alertEveryMs = 60_000;
/**
 * Twilio's own keywords: it answers them, and blocks the number or no longer does. It answers HELP and INFO too, but without the name of the
 * practice, which carriers require: these get our answer as well.
 */
const confirmedByTwilio = new Set([
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'START',
  'YES',
  'UNSTOP',
]);

export type TwilioContext = Pick<Services, 'env' | 'db' | 'log' | 'id' | 'now'>;

/** Twilio. Tested against its published contract and a stand-in, never against the live service. */
export function twilioSms(given: TwilioContext, settings: TwilioSettings, pace: Partial<TwilioPace> = {}): Sms {
  const { env, db, log } = given;
  const calls = twilioCalls(settings, pace);
  const messages = `/2010-04-01/Accounts/${settings.accountSid}/Messages.json`;
  const addresses = { status: `${env.publicUrl}/api/sms/status`, inbound: `${env.publicUrl}/api/sms/inbound` };
  /** Null for a number that is in none of our Messaging Services. */
  const services = new Map<string, string | null>();
  let alertedAt = 0;

  /** Only the operator can fix this: the login, the account, or a number's registration. */
  const alert = ({ status, code }: TwilioRefused) => {
    if (Date.now() - alertedAt < alertEveryMs) return;
    alertedAt = Date.now();
    log.error(
      { alert: 'sms', status, code },
      'Twilio does not take our texts: check SMS_… and the numbers of the account',
    );
  };

  const serviceOf = async (number: string): Promise<string | null> => {
    const known = services.get(number);
    if (known !== undefined) return known;
    const sid = await serviceOfNumber(db, number);
    if (sid !== null) services.set(number, sid);
    return sid;
  };

  return {
    name: 'twilio',
    callbackReply: { contentType: 'text/xml', body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' },

    async send({ from, to, body, reference }, signal) {
      // Read first, so that an unavailable database fails before Twilio has the text.
      const service = await serviceOf(from).catch(() => {
        throw new SmsRefused('other', { tryAgain: true });
      });
      const form = {
        To: to,
        From: from,
        ...(service && { MessagingServiceSid: service }),
        Body: body,
        // A text that Twilio rewrites could not be recognized in its list.
        SmartEncoded: 'false',
        StatusCallback: `${addresses.status}?${signedReference(env.secrets.webhook, reference)}`,
      };
      const answer = await calls.post({ base: 'apiUrl', path: messages, form, signal }).catch((error: unknown) => {
        throw refusalOf(error, alert);
      });
      return { providerId: parse(Message, answer).sid };
    },

    async find(text, others) {
      const since = new Date(text.after.getTime() - clockToleranceMs);
      const listed = await listMessages(calls, `${messages}?${queryOf(text)}`);
      const { providerIds, undecidedTwin } = await others(since);
      const strangers = listed.filter((one) => isAfter(one, since) && !providerIds.has(one.sid));
      const [found, ...more] = strangers.filter((one) => isSameBody(one.body, text.body));
      if (found) {
        if (more.length > 0 || undecidedTwin) throw new Error('several texts in the list may be this one');
        return reportOf(found);
      }
      if (strangers.length > 0) throw new Error('the list has texts that may be this one');
      if (text.ageMs < listedAfterMs) throw new Error('too early to say that Twilio never took it');
      return null;
    },

    confirmsKeyword: (body) => confirmedByTwilio.has(body.trim().toUpperCase()),

    takeNumber: (order, isFree) => rentTwilioNumber({ ...given, calls, settings, addresses }, order, isFree),

    fetchMedia: (source, limits) => fetchTwilioMedia(settings, source, limits),

    readCallback: (call) => readTwilioCallback(env, settings.authToken, call),
  };
}

const queryOf = ({ from, to }: LookedUpText) =>
  new URLSearchParams({ To: to, From: from, PageSize: String(largestPage) }).toString();

/**
 * All messages between two numbers. Not filtered by DateSent: a message still queued at Twilio may lack that date and would be left out.
 * Throws if there are too many pages.
 */
async function listMessages(calls: TwilioCalls, first: string): Promise<Message[]> {
  const all: Message[] = [];
  let path: string | null = first;
  for (let pages = 0; path !== null; pages++) {
    if (pages === mostPages) throw new Error('too many messages between two numbers');
    const page: z.output<typeof Page> = parse(Page, await calls.get({ base: 'apiUrl', path }));
    all.push(...page.messages.filter(({ direction }) => direction !== 'inbound'));
    path = page.next_page_uri ? pathOf(page.next_page_uri) : null;
  }
  return all;
}

/** A message without a date counts, because it may be ours. */
function isAfter({ date_created: created }: Message, since: Date): boolean {
  const at = Date.parse(created ?? '');
  return Number.isNaN(at) || at >= since.getTime();
}

/** Trial accounts put a sentence before each text. */
function isSameBody(listed: string | null | undefined, ours: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  const [one, other] = [plain(listed ?? ''), plain(ours)];
  return (
    other !== '' && (one === other || (one.startsWith('Sent from your Twilio trial account') && one.endsWith(other)))
  );
}

function refusalOf(error: unknown, alert: (refused: TwilioRefused) => void): unknown {
  if (error instanceof TwilioAway) return new SmsRefused('other', { tryAgain: true });
  if (!(error instanceof TwilioRefused)) return error;
  const errorClass = classOfRefusal(error);
  if (errorClass === 'sender') alert(error);
  return new SmsRefused(errorClass, { tryAgain: errorClass === 'rate' });
}

/** Twilio's statuses as ours. Any other status means that Twilio has the text. */
const stateOfStatus: Readonly<Record<string, SmsReport['state']>> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

function reportOf({ sid, status, error_code }: Message): SmsReport {
  const state = stateOfStatus[status] ?? 'sent';
  return { providerId: sid, state, errorClass: state === 'failed' ? classOfFailure(error_code ?? null) : null };
}

/** Our reference in the report URL, with our own signature, because Twilio's covers any URL it was given. */
function signedReference(secret: string, reference: string): string {
  return new URLSearchParams({ ref: reference, mac: macOf(secret, reference).toString('hex') }).toString();
}

const macOf = (secret: string, reference: string) => keyedHash(secret, 'twilio-reference', reference).subarray(0, 16);

/** Null if it is missing or not ours; the report is then matched by Twilio's id. */
function referenceIn(secret: string, query: URLSearchParams): string | null {
  const reference = query.get('ref');
  if (reference === null) return null;
  return sameBytes(Buffer.from(query.get('mac') ?? '', 'hex'), macOf(secret, reference)) ? reference : null;
}

function readTwilioCallback(env: Services['env'], authToken: string, { headers, rawBody, url }: CarrierCall): unknown {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type']?.toString() ?? '');
  const form = isForm ? new URLSearchParams(rawBody.toString('utf8')) : null;
  const called = `${env.publicUrl}${url}`;
  if (!isSignedByTwilio(authToken, headers[twilioSignatureHeader], { url: called, form, rawBody }))
    throw new SmsSignatureInvalid();
  if (form === null) return null;
  const providerId = form.get('MessageSid') ?? form.get('SmsSid');
  const { pathname, searchParams } = new URL(called);
  if (!pathname.endsWith('/status'))
    return {
      providerId,
      from: form.get('From'),
      to: form.get('To'),
      body: storable(form.get('Body') ?? ''),
      media: mediaIn(form),
    };
  const status = form.get('MessageStatus') ?? form.get('SmsStatus');
  if (!providerId || !status) return null;
  const code = Number(form.get('ErrorCode') || Number.NaN);
  const report = reportOf({ sid: providerId, status, error_code: Number.isInteger(code) ? code : null });
  return { ...report, reference: referenceIn(env.secrets.webhook, searchParams) };
}

/** The files that came with a text. Twilio sends ten at most. One that nothing fits loses its picture, and never the text. */
function mediaIn(form: URLSearchParams): TextReply['media'] {
  const count = Math.min(10, Number(form.get('NumMedia')) || 0);
  return Array.from({ length: count }, (_, i) => ({
    source: (form.get(`MediaUrl${i}`) ?? '').slice(0, mediaSourceMaxLength),
    type: (form.get(`MediaContentType${i}`) ?? '').slice(0, mediaTypeMaxLength),
  }));
}

/** An incoming text is stored even if it contains characters that cannot be. */
const storable = (body: string) => body.replaceAll('\0', '').slice(0, 1_600).toWellFormed();
