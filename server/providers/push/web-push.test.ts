import { createPublicKey, verify } from 'node:crypto';
import { Agent } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import webpush from 'web-push';
import { openPushSink } from '#testing/stand-ins/push-sink.ts';
import { PushRefused, type PushMessage } from './port.ts';
import { isPublicAddress, publicLookup } from './public-hosts.ts';
import { readPushServices } from './push-services.ts';
import { webPush } from './web-push.ts';

let sink: Awaited<ReturnType<typeof openPushSink>>;
beforeAll(async () => void (sink = await openPushSink()));
afterAll(() => sink.close());
beforeEach(() => {
  sink.received.length = 0;
  Object.assign(sink, { answer: 201, retryAfter: undefined });
});

const vapid = { subject: 'mailto:operator@clinic.test', ...webpush.generateVAPIDKeys() };
const push = () => webPush(vapid, [], { agent: new Agent({ ca: sink.ca }), mayReach: () => true });
const note: PushMessage = {
  title: 'New patient waiting',
  body: 'Maple Street Pediatrics',
  path: '/dashboard',
  topic: 'arrivals',
  ttlSeconds: 900,
};
const refusal = (sent: Promise<void>) =>
  sent.then(
    () => undefined,
    (error: PushRefused) => error,
  );

test('send encrypts the note so that only the browser can read it', async () => {
  await push().send(sink.subscribe(), note);
  const [got] = sink.received;
  expect(got?.note).toEqual({ title: note.title, body: note.body, path: note.path });
  expect(got?.headers).toMatchObject({
    ttl: '900',
    urgency: 'high',
    topic: 'arrivals',
    'content-encoding': 'aes128gcm',
  });
});

test('send signs for this push service alone, for at most half a day, with a contact', async () => {
  await push().send(sink.subscribe(), note);
  const { t = '', k = '' } = /^vapid t=(?<t>[^,]+), k=(?<k>.+)$/.exec(
    sink.received[0]?.headers.authorization ?? '',
  )!.groups!;
  expect(k).toBe(vapid.publicKey);
  const [head, said, signature = ''] = t.split('.');
  const claims = JSON.parse(Buffer.from(said ?? '', 'base64url').toString()) as {
    aud: string;
    exp: number;
    sub: string;
  };
  expect(claims).toMatchObject({ aud: sink.origin, sub: vapid.subject });
  expect(claims.exp - Date.now() / 1000).toBeLessThan(24 * 3600);
  const point = Buffer.from(k, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${said}`);
  expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(true);
});

test.each([
  [404, 'gone', undefined],
  [410, 'gone', undefined],
  [429, 'slow-down', 120],
  [500, 'away', undefined],
  [503, 'away', 120],
  [400, 'refused', undefined],
  [403, 'refused', undefined],
  [302, 'refused', undefined],
])('send: a push service that answers %i means %s', async (answer, why, retryAfterSeconds) => {
  Object.assign(sink, { answer, retryAfter: retryAfterSeconds?.toString() });
  expect(await refusal(push().send(sink.subscribe(), note))).toMatchObject({ why, retryAfterSeconds });
});

test('send accepts a date in Retry-After', async () => {
  Object.assign(sink, { answer: 429, retryAfter: new Date(Date.now() + 60_000).toUTCString() });
  const refused = await refusal(push().send(sink.subscribe(), note));
  expect(refused?.retryAfterSeconds).toBeGreaterThan(55);
  expect(refused?.retryAfterSeconds).toBeLessThan(62);
});

test('send retries without a payload if it is too large', async () => {
  sink.answer = 413;
  await push().send(sink.subscribe(), note);
  expect(sink.received).toMatchObject([{ note: null, headers: { topic: 'arrivals' } }]);
});

test('send: an unreachable push service is away', async () => {
  const target = { ...sink.subscribe(), endpoint: 'https://localhost:1/push' };
  expect(await refusal(push().send(target, note))).toMatchObject({ why: 'away' });
});

test('send refuses an untrusted certificate', async () => {
  const trusting = webPush(vapid, [], { agent: new Agent(), mayReach: () => true });
  expect(await refusal(trusting.send(sink.subscribe(), note))).toMatchObject({ why: 'away' });
  expect(sink.received).toEqual([]);
});

test('accepts refuses invalid keys', () => {
  const good = sink.subscribe();
  expect(push().accepts(good)).toBe(true);
  expect(push().accepts({ ...good, p256dh: Buffer.alloc(65, 4).toString('base64url') })).toBe(false);
  expect(push().accepts({ ...good, auth: 'AAAA' })).toBe(false);
});

describe('web push reaches the push services of browsers only', () => {
  const reaches = (endpoint: string, services?: string) =>
    webPush(vapid, readPushServices({ PUSH_SERVICES: services })).accepts({ ...sink.subscribe(), endpoint });

  test.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://wns2-by3p.notify.windows.com/w/?token=abc',
    'https://web.push.apple.com/abc',
    'https://fcm.googleapis.com:443/fcm/send/abc',
  ])('accepts takes %s', (endpoint) => expect(reaches(endpoint)).toBe(true));

  test.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://push.example.org/abc',
    'https://93.184.215.14/abc',
    'https://notfcm.googleapis.com/fcm/send/abc',
    'https://localhost/abc',
    'https://127.0.0.1/abc',
    'https://127.1/abc',
    'https://2130706433/abc',
    'https://0x7f.0.0.1/abc',
    'https://10.0.0.7/abc',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/abc',
    'https://[::ffff:10.0.0.1]/abc',
    'https://[fd00::1]/abc',
    'https://metadata.google.internal/abc',
    'https://printer.local/abc',
    'https://intranet/abc',
    'https://push.example.org:8443/abc',
    'https://fcm.googleapis.com:22/fcm/send/abc',
    'https://web.push.apple.com:80/abc',
    'https://user:secret@push.example.org/abc',
    'https://fcm.googleapis.com.evil.test/abc',
    'https://fcm.googleapis.com@127.0.0.1/abc',
    'https:\\\\127.0.0.1\\abc',
    'ftp://push.example.org/abc',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '',
  ])('accepts and send refuse %s', async (endpoint) => {
    expect(reaches(endpoint)).toBe(false);
    expect(await refusal(webPush(vapid).send({ ...sink.subscribe(), endpoint }, note))).toMatchObject({
      why: 'refused',
    });
  });

  test.each([
    ['https://push.example.org/abc', true],
    ['https://eu.push.example.net/abc', true],
    ['https://fcm.googleapis.com/fcm/send/abc', true],
    ['https://push.example.net/abc', false],
    ['https://eu.push.example.org/abc', false],
    ['https://push.example.org.evil.test/abc', false],
    ['https://pushXexample.org/abc', false],
  ])('accepts with PUSH_SERVICES=push.example.org,*.push.example.net: %s is %s', (endpoint, accepted) => {
    expect(reaches(endpoint, 'push.example.org, *.push.example.net')).toBe(accepted);
  });

  test.each(['https://push.example.org', '*', '*.org', 'localhost', 'push.example.org:8443', '10.0.0.7'])(
    'PUSH_SERVICES=%s is refused with advice for the operator',
    (services) => expect(() => readPushServices({ PUSH_SERVICES: services })).toThrow(/PUSH_SERVICES must be/),
  );

  test.each([
    '0.0.0.0',
    '100.64.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '::',
    'fe80::1',
    '2001:db8::1',
  ])('isPublicAddress refuses %s', (address) => expect(isPublicAddress(address)).toBe(false));

  test('publicLookup refuses a name that resolves to a private address', async () => {
    const error = await new Promise((done) => publicLookup('localhost', {}, (refused) => done(refused)));
    expect(error).toMatchObject({ code: 'ENOTPUBLIC' });
  });
});
