import { expect, test } from 'vitest';
import { callbackOf, eventOf, hashOf, vendorKey } from '#testing/stand-ins/dropbox-sign-callback.ts';
import { eventReply, eventsOfRequests, readDropboxSignEvent } from './dropbox-sign-event.ts';
import { EsignSignatureInvalid, type EsignCall } from './port.ts';

const now = new Date('2026-03-02T15:00:00.000Z');
const seconds = Math.floor(now.getTime() / 1000);
const read = (call: EsignCall) => readDropboxSignEvent(vendorKey, call, now);

/** An event with a correct hash, then changed. */
function event(type: string, time = String(seconds), changes: object = {}) {
  const told = eventOf(type, Number(time));
  return { ...told, event: { ...told.event, ...changes } };
}

test.each(eventsOfRequests)('%s triggers a look-up, with the same key when it is repeated', (type) => {
  const heard = read(callbackOf(event(type)));
  expect(heard).toEqual({ type, requestId: 'fa5c8a0b0f492d768749333ad6fcc214c111e967', key: expect.any(String) });
  expect(read(callbackOf(event(type), { boundary: '=_other' }))).toEqual(heard);
  expect(read(callbackOf(event(type, String(seconds + 1))))?.key).not.toBe(heard?.key);
});

test('eventReply is the vendor’s required answer, to the letter', () => {
  expect(eventReply).toEqual({ contentType: 'text/plain', body: 'Hello API Event Received' });
});

test('a tampered event is refused: other time, type or key; missing, short or long hash', () => {
  const type = 'signature_request_all_signed';
  const time = String(seconds);
  const forged = [
    event(type, time, { event_type: 'signature_request_declined' }),
    event(type, time, { event_time: String(seconds + 1) }),
    event(type, time, { event_hash: hashOf(time, type, 'another key') }),
    event(type, time, { event_hash: hashOf(time, type).toUpperCase() }),
    event(type, time, { event_hash: hashOf(time, type).slice(1) }),
    event(type, time, { event_hash: `${hashOf(time, type)}00` }),
    event(type, time, { event_hash: undefined }),
    event(type, time, { event_hash: [hashOf(time, type)] }),
    event(type, time, { event_time: seconds }),
    { ...event(type), signature_request: { signature_request_id: '../account' } },
    {},
    [],
  ];
  for (const told of forged) expect(() => read(callbackOf(told))).toThrow(EsignSignatureInvalid);
});

test('a three-day-old retry is accepted; copies from last week and from tomorrow are refused', () => {
  const type = 'signature_request_signed';
  for (const age of [0, 3 * 86_400, -60]) expect(read(callbackOf(event(type, String(seconds - age))))).not.toBeNull();
  for (const age of [5 * 86_400, 86_400 * 400, -86_400])
    expect(() => read(callbackOf(event(type, String(seconds - age))))).toThrow(EsignSignatureInvalid);
});

test('a malformed form is refused: no boundary, another field, JSON, empty, truncated', () => {
  const { headers, rawBody, url } = callbackOf(event('signature_request_signed'));
  const odd = [
    { headers: {}, rawBody, url },
    { headers: { 'content-type': 'multipart/form-data' }, rawBody, url },
    { headers: { 'content-type': 'multipart/form-data; boundary=other' }, rawBody, url },
    {
      headers: { 'content-type': 'application/json' },
      rawBody: Buffer.from(JSON.stringify(event('signature_request_signed'))),
      url,
    },
    { headers, rawBody: Buffer.alloc(0), url },
    { headers, rawBody: rawBody.subarray(0, 80), url },
    callbackOf(event('signature_request_signed'), { name: 'data' }),
  ];
  for (const call of odd) expect(() => read(call)).toThrow(EsignSignatureInvalid);
});

test('other file names, fields and letter case do not matter', () => {
  const told = { ...event('signature_request_signed'), account: { name: 'Zoë Nuñez 日本' } };
  const form = `--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nx\r\n--b\r\nContent-Type: application/json\r\nContent-Disposition: form-data; name="json"\r\n\r\n${JSON.stringify(told)}\r\n--b--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; charset=utf-8; boundary="b"' };
  expect(read({ headers, rawBody: Buffer.from(form), url: '' })).toMatchObject({
    type: 'signature_request_signed',
  });
});
