import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { openContractServer, specsDir, type ContractServer } from '#testing/stand-ins/contract-server.ts';
import { twilioAccount, twilioToken } from '#testing/stand-ins/twilio-account.ts';
import { openTwilio, type TwilioStandIn, type Trouble } from '#testing/stand-ins/twilio.ts';
import type { OtherTexts, SmsRefused } from './port.ts';
import { classOfFailure, classOfRefusal } from './twilio-errors.ts';
import { listedAfterMs, twilioSms } from './twilio.ts';
import { readTwilio, type TwilioSettings } from './twilio-settings.ts';

let t: TestApp;
let twilio: TwilioStandIn;
beforeAll(async () => {
  twilio = await openTwilio({ now: () => new Date() });
  t = await openTestApp({ env: { ...twilio.env, LOG_LEVEL: 'silent' } });
});
afterAll(async () => {
  await t.close();
  await twilio.close();
});
beforeEach(() => {
  twilio.messages.length = 0;
  twilio.calls.length = 0;
  Object.assign(twilio.settings, { pageSize: 1_000, isListed: () => true });
  for (const operation of ['createMessage', 'listMessages'] as const) twilio.trouble(operation);
});

const from = '+12125550150';
const to = '+16465550111';
const text = { from, to, body: 'Come in', reference: 'office.text' };
const quick = { waitMs: 300, backoffMs: [5, 10] };
const smsWith = (settings: Partial<TwilioSettings> = {}, pace = quick) =>
  twilioSms(t.services, { ...(t.env.twilio as TwilioSettings), ...settings }, pace);
const refusal = (error: unknown) => {
  const { name, errorClass, tryAgain } = error as SmsRefused;
  return { name, errorClass, tryAgain };
};

describe.skipIf(!specsDir)("Twilio's published contract", () => {
  let vendor: ContractServer;
  beforeAll(async () => void (vendor = await openContractServer('twilio-messages.openapi.json')));
  afterAll(() => vendor.close());

  test("every call about messages follows Twilio's published contract, and its examples are understood", async () => {
    const sms = smsWith({ apiUrl: vendor.url }, { ...quick, waitMs: 10_000 });
    expect(await sms.send(text)).toEqual({ providerId: `SM${'a'.repeat(32)}` });
    await sms.send({ ...text, body: '¿Dónde? 👍', reference: `${'a'.repeat(36)}.${'b'.repeat(36)}` });
    const longAgo = { ...text, after: new Date('2019-01-01'), ageMs: 1e9 };
    // Its example links to a next page, which is the same example, and so on.
    await expect(sms.find(longAgo, noOthers)).rejects.toThrow('too many');
    const messages = [{ sid: 'SM1', status: 'sent', body: 'testing', date_created: 'Fri, 24 May 2019 17:44:46 +0000' }];
    vendor.answer('ListMessage', { body: { messages, next_page_uri: null } });
    expect(await sms.find({ ...longAgo, body: 'testing' }, noOthers)).toMatchObject({ state: 'sent' });
    expect(vendor.problems()).toEqual([]);
  });

  test('a next page at another host is fetched from the configured host', async () => {
    vendor.forget();
    const next = `https://elsewhere.example/2010-04-01/Accounts/${twilioAccount}/Messages.json?Page=1`;
    const empty = { messages: [], next_page_uri: null };
    vendor.answer('ListMessage', { body: { ...empty, next_page_uri: next } }, { body: empty });
    const sms = smsWith({ apiUrl: vendor.url }, { ...quick, waitMs: 10_000 });
    expect(await sms.find({ ...text, after: new Date(), ageMs: 1e9 }, noOthers)).toBeNull();
    expect(vendor.calls.map(({ query }) => query.Page)).toEqual([undefined, 1]);
  });

  test('the contract server refuses a misspelled parameter', async () => {
    const answer = await fetch(`${vendor.url}/2010-04-01/Accounts/${twilioAccount}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
      body: new URLSearchParams({ To: to, Form: from }),
    });
    expect(answer.status).toBe(400);
  });
});

const noOthers = async (): Promise<OtherTexts> => ({ providerIds: new Set(), undecidedTwin: false });

describe('sending', () => {
  test('send passes the numbers, the body and the report URL with our reference', async () => {
    const { providerId } = await smsWith().send(text);
    expect(twilio.messages).toMatchObject([{ sid: providerId, from, to, body: 'Come in' }]);
    const address = new URL(twilio.messages[0]?.statusCallback ?? '');
    expect(`${address.origin}${address.pathname}`).toBe(`${t.env.publicUrl}/api/sms/status`);
    expect(address.searchParams.get('ref')).toBe('office.text');
    expect(twilio.calls[0]?.form.SmartEncoded).toBe('false');
  });

  test.each<[number, number | undefined, Omit<ReturnType<typeof refusal>, 'name'>]>([
    [400, 21610, { errorClass: 'opted-out', tryAgain: false }],
    [400, 21211, { errorClass: 'bad-number', tryAgain: false }],
    [400, 21614, { errorClass: 'bad-number', tryAgain: false }],
    [400, 21217, { errorClass: 'bad-number', tryAgain: false }],
    [400, 21612, { errorClass: 'bad-number', tryAgain: false }],
    [400, 21606, { errorClass: 'sender', tryAgain: false }],
    [400, 21608, { errorClass: 'sender', tryAgain: false }],
    [401, 20003, { errorClass: 'sender', tryAgain: false }],
    [429, 20429, { errorClass: 'rate', tryAgain: true }],
    [400, 21611, { errorClass: 'rate', tryAgain: true }],
    [400, 35114, { errorClass: 'other', tryAgain: false }],
    [400, 21998, { errorClass: 'other', tryAgain: false }],
    [400, 20998, { errorClass: 'sender', tryAgain: false }],
    [403, undefined, { errorClass: 'sender', tryAgain: false }],
    [400, undefined, { errorClass: 'other', tryAgain: false }],
    [429, undefined, { errorClass: 'rate', tryAgain: true }],
    [400, 99999, { errorClass: 'other', tryAgain: false }],
  ])('send treats a refusal %j with code %j as definite', async (status, code, expected) => {
    const trouble = { status, ...(code !== undefined && { code }) };
    twilio.trouble('createMessage', trouble, trouble, trouble);
    const error = await smsWith()
      .send(text)
      .catch((thrown: unknown) => thrown);
    expect(refusal(error)).toEqual({ name: 'SmsRefused', ...expected });
    expect(String(error)).not.toContain(to);
    expect(twilio.messages).toEqual([]);
  });

  test('send retries while Twilio is busy, and the text is sent once', async () => {
    twilio.trouble('createMessage', { status: 429, code: 20429 }, { status: 429 });
    await smsWith().send(text);
    expect(twilio.messages).toHaveLength(1);
  });

  test('send retries and then fails temporarily if Twilio is unreachable', async () => {
    const gone = await openTwilio({ now: () => new Date() });
    await gone.close();
    const error = await smsWith({ apiUrl: gone.url })
      .send(text)
      .catch((thrown: unknown) => thrown);
    expect(refusal(error)).toEqual({ name: 'SmsRefused', errorClass: 'other', tryAgain: true });
  });

  test.each<Trouble>([
    { status: 500, code: 20500 },
    { status: 503 },
    { status: 408 },
    { status: 302, body: '' },
    { status: 200, body: '{"sid":7}' },
    'cut',
    'error after',
    'silence after',
    'cut after',
    'not JSON after',
  ])('send leaves the status unknown after %j, without a retry', async (trouble) => {
    twilio.trouble('createMessage', trouble);
    const error = await smsWith()
      .send(text)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).name).not.toBe('SmsRefused');
    expect(twilio.messages.length).toBe(String(trouble).endsWith('after') ? 1 : 0);
  });

  test('send ends when the caller gives up', async () => {
    twilio.trouble('createMessage', 'silence after');
    const began = performance.now();
    await expect(smsWith({}, { ...quick, waitMs: 5_000 }).send(text, AbortSignal.timeout(50))).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('send logs one error a minute, without numbers, if Twilio refuses the account', async () => {
    const lines: unknown[][] = [];
    const log = { ...t.services.log, error: (...line: unknown[]) => void lines.push(line) };
    const sms = twilioSms({ ...t.services, log } as never, t.env.twilio as TwilioSettings, quick);
    twilio.trouble('createMessage', ...Array<Trouble>(3).fill({ status: 401, code: 20003 }));
    for (let i = 0; i < 3; i++) await sms.send(text).catch(() => undefined);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.[0]).toEqual({ alert: 'sms', status: 401, code: 20003 });
    expect(JSON.stringify(lines)).not.toContain(to);
  });
});

test('every failed delivery has a class: by code, by range, and for unknown codes', () => {
  const byCode = {
    30003: 'delivery',
    30005: 'bad-number',
    30006: 'landline',
    30007: 'delivery',
    30034: 'sender',
    57012: 'sender',
  };
  for (const [code, errorClass] of Object.entries(byCode)) expect(classOfFailure(Number(code))).toBe(errorClass);
  expect([null, 30999, 12345, 21610].map(classOfFailure)).toEqual(['delivery', 'delivery', 'delivery', 'opted-out']);
  expect(classOfRefusal({ code: 30007, status: 400 })).toBe('delivery');
});

describe('looking a text up', () => {
  const lookedUp = (ageMs: number) => ({ ...text, after: new Date(Date.now() - ageMs), ageMs });
  const others = (given: Partial<OtherTexts>) => async () => ({ ...(await noOthers()), ...given });
  const old = listedAfterMs;

  test('find returns a text by its numbers and body, with its status', async () => {
    const { providerId } = await smsWith().send(text);
    expect(await smsWith().find(lookedUp(30_000), noOthers)).toEqual({ providerId, state: 'sent', errorClass: null });
    Object.assign(twilio.messages[0] ?? {}, { status: 'undelivered', error_code: 30005 });
    expect(await smsWith().find(lookedUp(30_000), noOthers)).toMatchObject({
      state: 'failed',
      errorClass: 'bad-number',
    });
    Object.assign(twilio.messages[0] ?? {}, { status: 'delivered', error_code: null });
    expect(await smsWith().find(lookedUp(30_000), noOthers)).toMatchObject({ state: 'delivered', errorClass: null });
  });

  test('find returns null only once the list must contain the text', async () => {
    await expect(smsWith().find(lookedUp(0), noOthers)).rejects.toThrow('too early');
    await expect(smsWith().find(lookedUp(old - 1), noOthers)).rejects.toThrow('too early');
    expect(await smsWith().find(lookedUp(old), noOthers)).toBeNull();
  });

  test('find returns a text as soon as it is in the list', async () => {
    await smsWith().send(text);
    twilio.settings.isListed = () => false;
    await expect(smsWith().find(lookedUp(60_000), noOthers)).rejects.toThrow('too early');
    twilio.settings.isListed = () => true;
    expect(await smsWith().find(lookedUp(60_000), noOthers)).not.toBeNull();
  });

  test('find reads every page', async () => {
    const { providerId } = await smsWith().send(text);
    for (let i = 0; i < 6; i++) await smsWith().send({ ...text, body: `Later ${i}` });
    const later = new Set(twilio.messages.slice(1).map(({ sid }) => sid));
    twilio.settings.pageSize = 2;
    expect(await smsWith().find(lookedUp(old), others({ providerIds: later }))).toMatchObject({ providerId });
    expect(twilio.calls.filter(({ operation }) => operation === 'listMessages')).toHaveLength(4);
  });

  test('find throws after too many pages', async () => {
    for (let i = 0; i < 12; i++) await smsWith().send({ ...text, body: `${i}` });
    twilio.settings.pageSize = 1;
    await expect(smsWith().find(lookedUp(old), noOthers)).rejects.toThrow('too many');
  });

  test('find never returns another text: of the ledger, of another number, or from an hour ago', async () => {
    const { providerId } = await smsWith().send(text);
    expect(await smsWith().find(lookedUp(old), others({ providerIds: new Set([providerId]) }))).toBeNull();
    expect(await smsWith().find({ ...lookedUp(old), to: '+16465550112' }, noOthers)).toBeNull();
    Object.assign(twilio.messages[0] ?? {}, { date_created: new Date(Date.now() - 3_600_000).toUTCString() });
    expect(await smsWith().find(lookedUp(old), noOthers)).toBeNull();
  });

  test('find throws if another text may be the one: the same body twice, or an unknown one', async () => {
    await smsWith().send(text);
    await expect(smsWith().find(lookedUp(old), others({ undecidedTwin: true }))).rejects.toThrow('several');
    await expect(smsWith().find({ ...lookedUp(old), body: 'Another' }, noOthers)).rejects.toThrow('may be this one');
    await expect(smsWith().find({ ...lookedUp(old), body: '' }, noOthers)).rejects.toThrow('may be this one');
    await smsWith().send(text);
    await expect(smsWith().find(lookedUp(old), noOthers)).rejects.toThrow('several');
  });

  test('find recognizes a text behind the sentence that trial accounts add', async () => {
    await smsWith().send({ ...text, body: 'Sent from your Twilio trial account - Come  in ' });
    expect(await smsWith().find(lookedUp(old), noOthers)).not.toBeNull();
  });

  test.each<Trouble>([{ status: 500 }, 'cut', { status: 429 }, { status: 200, body: '<' }])(
    'find retries after %j, and throws if that lasts',
    async (trouble) => {
      twilio.trouble('listMessages', trouble, trouble);
      expect(await smsWith().find(lookedUp(old), noOthers)).toBeNull();
      twilio.trouble('listMessages', trouble, trouble, trouble);
      await expect(smsWith().find(lookedUp(old), noOthers)).rejects.toThrow(/Twilio/);
    },
  );

  test('find reads the ledger after the list, so that a text sent in between is known', async () => {
    const order: string[] = [];
    twilio.settings.meanwhile = async (operation) => void order.push(operation);
    await smsWith().find(lookedUp(old), async () => {
      order.push('ledger');
      return noOthers();
    });
    twilio.settings.meanwhile = async () => undefined;
    expect(order).toEqual(['listMessages', 'ledger']);
  });
});

describe('the settings', () => {
  const good = { SMS_ACCOUNT_SID: twilioAccount, SMS_AUTH_TOKEN: twilioToken, CODE_NUMBER: '+12125550100' };
  const read = (changes: NodeJS.ProcessEnv, publicUrl = 'https://clinic.example') =>
    readTwilio({ ...good, ...changes }, publicUrl);

  test('readTwilio returns nothing without an account, and complete settings with one', () => {
    expect(readTwilio({}, 'http://localhost:3000')).toBeUndefined();
    expect(read({})).toEqual({
      accountSid: twilioAccount,
      authToken: twilioToken,
      login: { user: twilioAccount, password: twilioToken },
      apiUrl: 'https://api.twilio.com',
      messagingUrl: 'https://messaging.twilio.com',
      mediaUrl: 'https://mms.twiliocdn.com',
    });
    const key = `SK${'0'.repeat(32)}`;
    expect(read({ SMS_API_KEY_SID: key, SMS_API_KEY_SECRET: 's' })?.login).toEqual({ user: key, password: 's' });
  });

  test.each<[NodeJS.ProcessEnv, RegExp, string?]>([
    [{ SMS_ACCOUNT_SID: '' }, /SMS_ACCOUNT_SID is missing: SMS_AUTH_TOKEN needs it/],
    [{ SMS_ACCOUNT_SID: 'AC123' }, /SMS_ACCOUNT_SID must be/],
    [{ SMS_AUTH_TOKEN: '' }, /SMS_AUTH_TOKEN is missing/],
    [{ SMS_API_KEY_SID: `SK${'0'.repeat(32)}` }, /go together/],
    [{ SMS_API_KEY_SECRET: 's' }, /go together/],
    [{ SMS_API_KEY_SID: 'SK1', SMS_API_KEY_SECRET: 's' }, /SMS_API_KEY_SID must be/],
    [{ SMS_API_URL: 'http://api.example' }, /SMS_API_URL must be an https address/],
    [{ SMS_MESSAGING_URL: 'https://api.example/v1' }, /SMS_MESSAGING_URL must be an https address without a path/],
    [{ CODE_NUMBER: '' }, /CODE_NUMBER is missing/],
    [{ CODE_NUMBER: '2125550100' }, /CODE_NUMBER is missing/],
    [{}, /PUBLIC_URL must be an https address/, 'http://clinic.example'],
  ])('readTwilio refuses the settings with a reason: %j', (changes, reason, publicUrl) => {
    expect(() => read(changes, publicUrl)).toThrow(reason);
  });

  test('readTwilio never shows the token in the reason', () => {
    expect(() => read({ SMS_ACCOUNT_SID: 'AC1' })).not.toThrow(twilioToken);
  });
});
