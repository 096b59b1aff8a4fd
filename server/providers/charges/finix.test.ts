import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openContractServer, specsDir, type ContractServer } from '#testing/stand-ins/contract-server.ts';
import { finixCallback, finixKey, finixToken } from '#testing/stand-ins/finix-callback.ts';
import { finixCharges } from './finix.ts';
import { openCharges } from './index.ts';
import { ChargeRefused, ChargesSignatureInvalid, ChargesUnavailable, type Charges } from './port.ts';

const now = new Date('2026-03-02T15:00:00.000Z');
const error = vi.fn<(fields: object, text: string) => void>();
const reference = '0195a1de-0000-7000-8000-000000000001.0195a1de-0000-7000-8000-000000000002';
const settings = {
  username: 'USsRhsHYZGBPnQw8CByJyEQW',
  password: 'secret',
  processor: 'DUMMY_V1',
  feesUrl: undefined,
  dashboardUrl: 'https://finix.payments-dashboard.com/',
  applicationId: 'APgPDQrLD52TYvqazjHJJchM',
  webhook: { signingKey: 'another', transfersKey: finixKey, authorization: `Bearer ${finixToken}` },
};
const open = (url: string, patienceMs = 30_000): Charges =>
  finixCharges({ now: () => now, log: { error } as never }, { ...settings, url }, patienceMs);
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (thrown: unknown) =>
      thrown instanceof ChargeRefused ? thrown.reason : thrown instanceof ChargesUnavailable ? 'unknown' : thrown,
  );
const order = { reference, merchant: 'MUours', amountCents: 2_500, source: 'TKeD6uad8xZc52Rqg1VhvSBw' };
const transfer = (changes: object = {}) => ({
  body: {
    id: 'TR1',
    type: 'DEBIT',
    state: 'SUCCEEDED',
    amount: 2_500,
    idempotency_id: reference,
    tags: { reference, brand: 'Visa', last4: '4242' },
    ...changes,
  },
});
const no = (status: number, told: object = {}) => ({ status, body: { total: 1, _embedded: { errors: [told] } } });
const list = (...transfers: object[]) => ({ body: { _embedded: { transfers } } });

describe.skipIf(!specsDir)('against the published contract of Finix', () => {
  let vendor: ContractServer;
  let finix: Charges;
  beforeAll(async () => {
    vendor = await openContractServer('finix.openapi.json');
    finix = open(vendor.url);
  });
  afterEach(() => vendor.forget());
  afterAll(() => vendor.close());
  const charged = () => {
    vendor.answer('createPaymentInstrument', { body: { id: 'PI1', brand: 'VISA', last_four: '4242' } });
    return finix.charge(order);
  };

  test('a charge makes a buyer and a card of the token, and moves the money with our id', async () => {
    vendor.answer('createTransfer', transfer());
    expect(await charged()).toEqual({
      transferId: 'TR1',
      kind: 'charge',
      reference,
      state: 'SUCCEEDED',
      amountCents: 2_500,
      card: { brand: 'Visa', last4: '4242' },
      failure: null,
    });
    expect(vendor.problems()).toEqual([]);
    const [buyer, card, money] = vendor.calls;
    expect(buyer?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from(`${settings.username}:secret`).toString('base64')}`,
      'finix-version': '2022-02-01',
    });
    expect(buyer?.body).toEqual({ entity: {} });
    expect(card?.body).toEqual({ type: 'TOKEN', token: order.source, identity: expect.stringMatching(/^ID/) });
    expect(money?.body).toEqual({
      merchant: 'MUours',
      currency: 'USD',
      amount: 2_500,
      source: 'PI1',
      idempotency_id: reference,
      tags: { reference, brand: 'Visa', last4: '4242' },
    });
  });

  test('the examples of the contract are understood', async () => {
    expect(await finix.charge(order)).toMatchObject({ transferId: expect.stringMatching(/^TR/), state: 'PENDING' });
    expect(vendor.problems()).toEqual([]);
  });

  test('a reversal has our id too, which the vendor documents but has not put into this file', async () => {
    vendor.answer(
      'createTransferReversal',
      transfer({ id: 'TR2', type: 'REVERSAL', amount: 1_000, tags: { reference } }),
    );
    const back = await finix.reverse({ reference, merchant: 'MUours', transferId: 'TR1', amountCents: 1_000 });
    expect(back).toMatchObject({ transferId: 'TR2', kind: 'reversal', amountCents: 1_000, card: null });
    expect(vendor.calls[0]).toMatchObject({
      path: '/transfers/TR1/reversals',
      body: { refund_amount: 1_000, idempotency_id: reference, tags: { reference } },
    });
    expect(vendor.problems()).toEqual([expect.stringContaining('"additionalProperty":"idempotency_id"')]);
  });

  test('a refund of the dashboard is read by its number, with the charge that it gives back', async () => {
    const href = 'https://finix.sandbox-payments-api.com/transfers/TR1';
    const back = transfer({ id: 'TR9', type: 'REVERSAL', amount: 700, tags: {}, idempotency_id: null });
    vendor.answer(
      'getTransfer',
      { body: { ...back.body, _links: { parent: { href } } } },
      { status: 404, body: '' },
      { status: 503, body: '' },
    );
    expect(await finix.read('TR9')).toMatchObject({
      transferId: 'TR9',
      kind: 'reversal',
      reference: null,
      reverses: 'TR1',
      amountCents: 700,
    });
    expect(vendor.problems()).toEqual([]);
    expect(await finix.read('TR9')).toBeNull();
    expect(await outcomeOf(finix.read('TR9'))).toBe('unknown');
  });

  test('a lost operation is looked up by our id', async () => {
    vendor.answer('listTransfers', list(transfer().body));
    expect(await finix.find(reference)).toMatchObject({ transferId: 'TR1', card: { brand: 'Visa', last4: '4242' } });
    expect(vendor.calls[0]?.query).toMatchObject({ idempotency_id: reference });
    expect(vendor.problems()).toEqual([]);
    vendor.answer('listTransfers', list(), { body: { page: { limit: 10 } } });
    expect([await finix.find(reference), await finix.find(reference)]).toEqual([null, null]);
    // A list of others: the question was ignored, so it says nothing.
    vendor.answer('listTransfers', list(transfer({ idempotency_id: 'x', tags: {} }).body));
    expect(await outcomeOf(finix.find(reference))).toBe('unknown');
    vendor.answer('listTransfers', { status: 503, body: 'away' });
    expect(await outcomeOf(finix.find(reference))).toBe('unknown');
  });

  test.each([
    ['PENDING', 'PENDING', null],
    ['SUCCEEDED', 'SUCCEEDED', null],
    ['CANCELED', 'CANCELLED', null],
    ['FAILED', 'FAILED', 'INSUFFICIENT_FUNDS'],
    ['FAILED', 'FAILED', null],
    ['UNKNOWN', 'UNKNOWN', null],
    ['SOMETHING_NEW', 'UNKNOWN', null],
  ])('a transfer in %s is %s, and no words of Finix are kept', async (state, shown, code) => {
    vendor.answer('createTransfer', transfer({ state, failure_code: code, failure_message: 'Dana' }));
    const failure = state === 'FAILED' ? (code ?? 'FAILED') : null;
    expect(await charged()).toMatchObject({ state: shown, failure });
  });

  test.each([
    [402, { code: 'CALL_ISSUER', message: 'Dana' }, 'CALL_ISSUER'],
    [402, { code: 'DECLINED', failure_code: 'INSUFFICIENT_FUNDS' }, 'INSUFFICIENT_FUNDS'],
    [422, { code: 'INVALID_FIELD', field: 'amount' }, 'INVALID_FIELD'],
    [422, { code: 'a sentence about Dana' }, 'STATUS_422'],
    [404, { code: 'NOT_FOUND' }, 'NOT_FOUND'],
    [406, {}, 'STATUS_406'],
    [429, {}, 'STATUS_429'],
    [500, {}, 'unknown'],
    [503, {}, 'unknown'],
  ])('a transfer answered with %i %j is %s', async (status, told, expected) => {
    vendor.answer('createTransfer', no(status, told), no(status, told));
    expect(await outcomeOf(charged())).toBe(expected);
    const thrown = await charged().catch((refused: unknown) => refused);
    // Of these only the 402 is the bank's answer about the card.
    expect(thrown instanceof ChargeRefused && thrown.isDeclined).toBe(status === 402);
    expect(vendor.calls.filter(({ operation }) => operation === 'createTransfer')).toHaveLength(2);
  });

  test('silence, a cut line, broken JSON and another shape leave it open', async () => {
    for (const scripted of [{ instead: 'cut' as const }, { body: '{"id":' }, { body: { odd: true } }]) {
      vendor.answer('createTransfer', scripted);
      expect(await outcomeOf(charged())).toBe('unknown');
    }
    vendor.answer('createPaymentInstrument', { body: { id: 'PI1', brand: 'VISA', last_four: '4242' } });
    vendor.answer('createTransfer', { instead: 'silence' });
    expect(await outcomeOf(open(vendor.url, 60).charge(order))).toBe('unknown');
  });

  test('an id that Finix has seen before is looked up', async () => {
    const seen = no(422, { code: 'UNPROCESSABLE_ENTITY', field: 'idempotency_id' });
    vendor.answer('createTransfer', seen, { status: 409, body: '' });
    vendor.answer('listTransfers', list(transfer().body), list());
    expect(await charged()).toMatchObject({ transferId: 'TR1' });
    expect(await outcomeOf(charged())).toBe('unknown');
  });

  test('a charge that has the id of a reversal is not taken for it', async () => {
    vendor.answer('createTransferReversal', { status: 409, body: '' });
    vendor.answer('listTransfers', list(transfer().body));
    const back = finix.reverse({ reference, merchant: 'MUours', transferId: 'TR1', amountCents: 2_500 });
    expect(await outcomeOf(back)).toBe('unknown');
  });

  test('before the transfer nothing is charged, whatever goes wrong', async () => {
    expect(await outcomeOf(finix.charge({ ...order, source: '4242424242424242' }))).toBe('unknown card');
    expect(vendor.calls).toEqual([]);
    vendor.answer('createPaymentInstrument', no(400, { code: 'INVALID_FIELD' }), { instead: 'cut' });
    expect(await outcomeOf(finix.charge(order))).toBe('INVALID_FIELD');
    expect(await outcomeOf(finix.charge(order))).toBe('unreachable');
    expect(vendor.calls.filter(({ operation }) => operation === 'createTransfer')).toEqual([]);
  });

  test('the card is saved before the money moves, and a repeat goes on with it at once', async () => {
    const steps: string[] = [];
    const saveSource = async (source: string) => {
      steps.push(source, ...vendor.calls.map(({ operation }) => operation));
      // The process dies here.
      throw new Error('killed');
    };
    vendor.answer('createPaymentInstrument', { body: { id: 'PI1', brand: 'VISA', last_four: '4242' } });
    await finix.charge({ ...order, saveSource }).catch(() => undefined);
    expect(steps).toEqual(['PI1|Visa|4242', 'createIdentity', 'createPaymentInstrument']);
    vendor.forget();
    vendor.answer('createTransfer', transfer());
    expect(await finix.charge({ ...order, source: 'PI1|Visa|4242' })).toMatchObject({ transferId: 'TR1' });
    const tags = { reference, brand: 'Visa', last4: '4242' };
    expect(vendor.calls).toMatchObject([{ operation: 'createTransfer', body: { source: 'PI1', tags } }]);
    expect(vendor.problems()).toEqual([]);
  });

  test('a repeat whose token is used up is refused at once: nothing was charged, or the card would be saved', async () => {
    vendor.answer('createPaymentInstrument', no(422, { code: 'INVALID_FIELD' }));
    expect(await outcomeOf(finix.charge(order))).toBe('INVALID_FIELD');
  });

  test('a login that Finix does not accept writes one alert', async () => {
    error.mockClear();
    vendor.answer('createIdentity', no(401), no(403));
    const locked = open(vendor.url);
    for (const code of ['STATUS_401', 'STATUS_403']) expect(await outcomeOf(locked.charge(order))).toBe(code);
    expect(error.mock.calls).toEqual([[{ alert: 'charges', status: 401 }, expect.any(String)]]);
  });
});

describe('callbacks of Finix about transfers', () => {
  const finix = open('http://127.0.0.1:9');
  const event = {
    id: 'event_1',
    entity: 'transfer',
    type: 'updated',
    _embedded: { transfers: [{ id: 'TR1', state: 'SUCCEEDED', tags: { reference } }] },
  };

  test('an event names our operation', async () => {
    const expected = { reference, transferId: 'TR1', dispute: null };
    expect(await finix.readCallback(finixCallback(event, now))).toEqual(expected);
    const bare = { ...event, _embedded: { transfers: [{ id: 'TR1', idempotency_id: reference, tags: {} }] } };
    expect(await finix.readCallback(finixCallback(bare, now))).toEqual(expected);
  });

  test('an event about a transfer of the dashboard or a dispute names the transfer', async () => {
    const foreign = { ...event, _embedded: { transfers: [{ id: 'TR1', tags: null }] } };
    expect(await finix.readCallback(finixCallback(foreign, now))).toEqual({
      reference: null,
      transferId: 'TR1',
      dispute: null,
    });
    const disputes = [{ id: 'DI1', transfer: 'TR1', amount: 2_500, state: 'PENDING', reason: 'FRAUD' }];
    const disputed = { id: 'event_2', entity: 'dispute', type: 'created', _embedded: { disputes } };
    expect(await finix.readCallback(finixCallback(disputed, now))).toEqual({
      reference: null,
      transferId: 'TR1',
      dispute: { id: 'DI1', amountCents: 2_500, state: 'PENDING' },
    });
  });

  test('the empty test of a new webhook and events about something else are accepted and ignored', async () => {
    const { 'finix-signature': _unsigned, ...login } = finixCallback('', now).headers;
    expect(await finix.readCallback({ headers: login, rawBody: Buffer.alloc(0) })).toBeNull();
    expect(await finix.readCallback(finixCallback({ ...event, entity: 'merchant' }, now))).toBeNull();
    expect(await finix.readCallback(finixCallback('not json', now))).toBeNull();
    expect(await finix.readCallback(finixCallback({ ...event, _embedded: { transfers: [] } }, now))).toBeNull();
  });

  test('a tampered, late, unsigned or unauthorized event is refused', async () => {
    const good = finixCallback(event, now);
    const forged = [
      { ...good, rawBody: Buffer.from(JSON.stringify({ ...event, id: 'event_2' })) },
      finixCallback(event, new Date(now.getTime() - 301_000)),
      finixCallback(event, new Date(now.getTime() + 301_000)),
      finixCallback(event, now, { authorization: 'Bearer another' }),
      finixCallback(event, now, { 'finix-signature': '' }),
      { headers: {}, rawBody: Buffer.alloc(0) },
    ];
    for (const call of forged) await expect(finix.readCallback(call)).rejects.toThrow(ChargesSignatureInvalid);
  });
});

test("the practice's payments at Finix have a page there", () => {
  expect(open('http://127.0.0.1:9').dashboardUrl('MUours')).toBe(settings.dashboardUrl);
});

test('patients pay through Finix once its card form is configured', () => {
  const openIn = (env: object) => openCharges({ now: () => now, env: { production: true, ...env } } as never).name;
  const finix = { ...settings, url: 'http://127.0.0.1:9' };
  expect(openIn({ finix })).toBe('finix');
  expect(openIn({ finix: { ...finix, applicationId: undefined }, localProviders: true })).toBe('local');
  expect(openIn({})).toBe('off');
});
