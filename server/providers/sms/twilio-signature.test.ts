import { describe, expect, test } from 'vitest';
import { isSignedByTwilio, signTwilio } from './twilio-signature.ts';

const token = '7f0c2b9d4e6a1835';
const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const inbound = form({
  MessageSid: 'SM0123456789abcdef0123456789abcdef',
  From: '+16465550111',
  To: '+12125550150',
  Body: '¿Dónde entro? 👍 a=b&c',
  NumMedia: '0',
  AccountSid: 'AC0123456789abcdef0123456789abcdef',
});
const url = 'https://clinic.example/api/sms/inbound';
const check = (signature: unknown, changes: Partial<Parameters<typeof isSignedByTwilio>[2]> = {}, authToken = token) =>
  isSignedByTwilio(authToken, signature, { url, form: inbound, rawBody: Buffer.alloc(0), ...changes });

describe('a signature made by the twilio package, 6.2.0', () => {
  test('isSignedByTwilio accepts the example in the documentation', () => {
    const fields = { CallSid: 'CA1234567890ABCDE', Caller: '+14158675309', Digits: '1234', From: '+14158675309' };
    expect(
      signTwilio('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', form({ ...fields, To: '+18005551212' })),
    ).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
  });

  test('isSignedByTwilio accepts a text with accents and an emoji', () =>
    expect(check('x0ennRQUAPMuw9+Nho1lFAbLq3M=')).toBe(true));

  test('isSignedByTwilio accepts a URL with a port', () => {
    const report = form({ MessageSid: 'SM0', MessageStatus: 'sent' });
    const address = 'https://clinic.example:8443/api/sms/status?ref=a.b';
    expect(check('HB0kNxMuvgC2DzKDam3gLlgStok=', { url: address, form: report })).toBe(true);
  });

  test('isSignedByTwilio accepts a repeated field and one without a value', () => {
    const fields = new URLSearchParams('A=b&A=a&A=b&B=');
    expect(check('z9mxkyaCFw6bbphdXkt0oFDZmyY=', { url: 'https://clinic.example/x', form: fields })).toBe(true);
  });

  test('isSignedByTwilio accepts a JSON body by its hash in the URL', () => {
    const address =
      'https://clinic.example/x?bodySHA256=015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862';
    const signature = 'Sz1HUJ+ywVG1KIfOHP7zjJtMNe8=';
    expect(check(signature, { url: address, form: null, rawBody: Buffer.from('{"a":1}') })).toBe(true);
    expect(check(signature, { url: address, form: null, rawBody: Buffer.from('{"a":2}') })).toBe(false);
    expect(check(signature, { url: 'https://clinic.example/x', form: null, rawBody: Buffer.from('{"a":1}') })).toBe(
      false,
    );
  });
});

describe('the address', () => {
  const fields = form({ A: '1' });
  const signed = (address: string) => signTwilio(token, address, fields);

  test.each([
    ['https://clinic.example/x', 'https://clinic.example:443/x'],
    ['https://clinic.example:443/x', 'https://clinic.example/x'],
    ['http://clinic.example:80/x', 'http://clinic.example/x'],
    ['https://clinic.example:8443/x', 'https://clinic.example/x'],
    ['https://[2001:db8::1]/x', 'https://[2001:db8::1]:443/x'],
    ['https://clinic.example/x?a=%27&b=it%20is', 'https://clinic.example/x?a=%27&b=it%20is'],
  ])('a call to %s may be signed as %s', (called, address) =>
    expect(check(signed(address), { url: called, form: fields })).toBe(true),
  );

  test.each([
    ['http://clinic.example/x', 'https://clinic.example/x'],
    ['https://clinic.example/x', 'http://clinic.example/x'],
    ['https://clinic.example/x', 'https://other.example/x'],
    ['https://clinic.example/x', 'https://clinic.example/y'],
    ['https://clinic.example/x?a=1', 'https://clinic.example/x'],
    ['https://clinic.example/x', 'https://clinic.example:80/x'],
  ])('a call to %s may not be signed as %s', (called, address) =>
    expect(check(signed(address), { url: called, form: fields })).toBe(false),
  );
});

test('isSignedByTwilio refuses a changed field, another token, and a truncated or missing signature', () => {
  const signature = 'x0ennRQUAPMuw9+Nho1lFAbLq3M=';
  const changed = new URLSearchParams(inbound);
  changed.set('Body', 'STOP');
  const more = new URLSearchParams(inbound);
  more.append('X', '');
  expect(check(signature, { form: changed })).toBe(false);
  expect(check(signature, { form: more })).toBe(false);
  expect(check(signature, {}, 'another token')).toBe(false);
  for (const wrong of [signature.slice(1), signature.toLowerCase(), '', undefined, ['a'], 7])
    expect(check(wrong)).toBe(false);
});

describe('a call that Twilio did not sign costs nothing', () => {
  const url = 'https://clinic.example/api/sms/inbound';
  const fieldsOf = (count: number) => new URLSearchParams(Array.from({ length: count }, (_, i) => [`f${i}`, '']));
  const signed = (fields: URLSearchParams) => check(signTwilio(token, url, fields), { form: fields });

  test('isSignedByTwilio refuses a form with more fields than Twilio sends, before it hashes them', () => {
    expect(signed(fieldsOf(200))).toBe(true);
    expect(signed(fieldsOf(201))).toBe(false);
  });

  test('a form of 17,000 fields is refused, and could be signed, without a search for each field', () => {
    const many = fieldsOf(17_000);
    const startedAt = performance.now();
    expect(check('x', { form: many })).toBe(false);
    expect(signed(many)).toBe(false);
    // Took 3 seconds when each field searched the whole form.
    expect(performance.now() - startedAt).toBeLessThan(600);
  });
});
