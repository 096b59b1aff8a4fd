import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { sameBytes } from '#server/kit/crypto/secret.ts';
import { EsignSignatureInvalid, type EsignCall, type EsignEvent } from './port.ts';

/** The required answer, to the letter; otherwise the event is repeated for about three days. */
export const eventReply = { contentType: 'text/plain', body: 'Hello API Event Received' };

/** The events that make us look at a request. The others (accounts, templates, reminders, a test of the address) are ignored. */
export const eventsOfRequests = [
  'signature_request_viewed',
  'signature_request_signed',
  'signature_request_all_signed',
  'signature_request_downloadable',
  'signature_request_declined',
  'signature_request_canceled',
  'signature_request_expired',
  'signature_request_invalid',
  'file_error',
  'sign_url_invalid',
  'unknown_error',
] as const;

/** The vendor repeats events for three days; an older event, or one from the future, is a replay. */
const oldestMs = 4 * 86_400_000;
const aheadMs = 3_600_000;

const DropboxSignEvent = z.object({
  event: z.object({
    event_time: z.string().check(z.regex(/^\d{1,12}$/)),
    event_type: z.string().check(z.regex(/^[a-z_]{1,60}$/)),
    event_hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  }),
  signature_request: z.optional(
    z.object({ signature_request_id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/)) }),
  ),
});

/**
 * Verifies a callback and reads its event; null for events we ignore. The hash covers only time and type, not the request, so the event can
 * do no more than make us look.
 */
export function readDropboxSignEvent(apiKey: string, { headers, rawBody }: EsignCall, now: Date): EsignEvent | null {
  const parsedEvent = z.safeParse(DropboxSignEvent, parse(jsonField(headers['content-type'], rawBody)));
  if (!parsedEvent.success) throw new EsignSignatureInvalid();
  const { event_time: time, event_type: type, event_hash: hash } = parsedEvent.data.event;
  if (
    !sameBytes(
      Buffer.from(hash, 'hex'),
      createHmac('sha256', apiKey)
        .update(time + type)
        .digest(),
    )
  )
    throw new EsignSignatureInvalid();
  const age = now.getTime() - Number(time) * 1000;
  if (age > oldestMs || age < -aheadMs) throw new EsignSignatureInvalid();
  if (!(eventsOfRequests as readonly string[]).includes(type)) return null;
  const requestId = parsedEvent.data.signature_request?.signature_request_id ?? null;
  return { key: `${type}:${time}:${requestId ?? ''}`, type, requestId };
}

/** The field `json` of a multipart form; undefined if there is none. */
function jsonField(contentType: string | string[] | undefined, rawBody: Buffer): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data;.*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(String(contentType)) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const parts = `\r\n${rawBody.toString('latin1')}`.split(`\r\n--${boundary}`);
  const part = parts.find((one) =>
    /^\r\n(?:[^\r\n]+\r\n)*?content-disposition:\s*form-data;[^\r\n]*\bname="?json"?[;\r]/i.test(one),
  );
  const begin = part?.indexOf('\r\n\r\n') ?? -1;
  return part === undefined || begin < 0 ? undefined : Buffer.from(part.slice(begin + 4), 'latin1').toString('utf8');
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
