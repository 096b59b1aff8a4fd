import { createHmac } from 'node:crypto';
import type { EsignCall } from '#server/providers/esign/port.ts';

/** The API key that all tests of Dropbox Sign share. */
export const vendorKey = 'test-key-of-ours';

/** The vendor's hash, which covers only time and type. */
export const hashOf = (time: string, type: string, key = vendorKey): string =>
  createHmac('sha256', key)
    .update(time + type)
    .digest('hex');

/** An event about a request, at a time in epoch seconds. */
export function eventOf(type: string, time: number, requestId = 'fa5c8a0b0f492d768749333ad6fcc214c111e967') {
  const event_time = String(time);
  return {
    event: { event_time, event_type: type, event_hash: hashOf(event_time, type) },
    signature_request: { signature_request_id: requestId },
  };
}

/** The callback of an event as the vendor sends it: a form with one field. */
export function callbackOf(told: object, { boundary = '----vendor', name = 'json' } = {}): EsignCall {
  const rawBody = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(told)}\r\n--${boundary}--\r\n`,
  );
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return { headers, rawBody, url: '/api/dropbox-sign/events' };
}
