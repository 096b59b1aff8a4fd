import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openContractServer, specsDir, type ContractServer } from '#testing/stand-ins/contract-server.ts';
import { athenaSoftware } from './athena.ts';
import { readAthena } from './athena-settings.ts';
import { openPracticeSoftware } from './index.ts';
import { RecordingRefused, RecordingUnknown, type PaymentToRecord, type PracticeSoftware } from './port.ts';

const clock = { now: new Date('2026-03-02T15:00:00.000Z') };
const error = vi.fn<(fields: object, text: string) => void>();
const open = (url: string, patienceMs = 30_000): PracticeSoftware =>
  athenaSoftware(
    { now: () => clock.now, log: { error } as never },
    { clientId: 'client', clientSecret: 'secret', url },
    patienceMs,
  );
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'recorded',
    (thrown: unknown) =>
      thrown instanceof RecordingRefused ? thrown.problem : thrown instanceof RecordingUnknown ? 'unknown' : thrown,
  );
const payment: PaymentToRecord = {
  practice: '1234567893',
  practiceNumber: '195900',
  department: '1',
  patient: { userCode: 'code', name: 'Rosa Diaz', number: '3409' },
  appointment: { reference: 'visit', day: '2026-03-02' },
  part: 'copay',
  amountCents: 2_505,
  card: { brand: 'Visa', last4: '4242' },
  note: 'Anteroom 1',
};

describe.skipIf(!specsDir)('against the contract that was derived from programs that use athenahealth', () => {
  let vendor: ContractServer;
  let athena: PracticeSoftware;
  beforeAll(async () => void (vendor = await openContractServer('athenahealth-recordpayment.derived.openapi.json')));
  afterEach(() => vendor.forget());
  afterAll(() => vendor.close());
  const fresh = () => (athena = open(vendor.url));
  const sent = (operation: string) => vendor.calls.filter((call) => call.operation === operation);

  test('a copay is a form with dollars, the method of the card and its last four digits', async () => {
    expect(await fresh().record(payment)).toEqual({ recordId: null });
    expect(vendor.problems()).toEqual([]);
    expect(vendor.calls.map(({ operation }) => operation)).toEqual([
      'token',
      'validNonCcpCreditCardMethods',
      'recordPayment',
    ]);
    const [token, , recorded] = vendor.calls;
    expect(token?.headers.authorization).toBe(`Basic ${Buffer.from('client:secret').toString('base64')}`);
    expect(recorded?.headers.authorization).toBe('Bearer local');
    expect(recorded?.path).toBe('/v1/195900/patients/3409/recordpayment');
    expect(recorded?.body).toEqual({
      departmentid: 1,
      paymentmethod: 'MC/VISA',
      cardnumberlast4: '4242',
      copayamount: '25.05',
      postdate: '03/02/2026',
    });
  });

  test('an amount toward claims is a second call, with the same token and the same list of methods', async () => {
    fresh();
    await athena.record(payment);
    await athena.record({
      ...payment,
      part: 'claims',
      amountCents: 7,
      card: { brand: 'American Express', last4: '0005' },
    });
    expect(vendor.problems()).toEqual([]);
    expect([sent('token').length, sent('validNonCcpCreditCardMethods').length]).toEqual([1, 1]);
    const [, second] = sent('recordPayment');
    expect(second?.body).toMatchObject({ otheramount: '0.07', paymentmethod: 'AMEX' });
    expect(second?.body).not.toHaveProperty('copayamount');
  });

  test('a token is replaced before it ends, once for callers at once, and after a 401', async () => {
    fresh();
    await Promise.all([athena.record(payment), athena.record(payment)]);
    expect(sent('token')).toHaveLength(1);
    clock.now = new Date(clock.now.getTime() + 3_541_000);
    await athena.record(payment);
    expect(sent('token')).toHaveLength(2);
    vendor.answer('recordPayment', { status: 401, body: { error: 'Unauthorized' } });
    expect(await outcomeOf(athena.record(payment))).toBe('recorded');
    expect(sent('token')).toHaveLength(3);
  });

  test.each([
    ['no practice number', { practiceNumber: null }],
    ['no patient number', { patient: { ...payment.patient, number: null } }],
    ['no patient number', { patient: { ...payment.patient, number: '1/../2' } }],
    ['department', { department: 'front' }],
    ['last four digits', { card: { brand: 'Visa', last4: null } }],
  ])('it refuses by itself what athenahealth would refuse: %s', async (problem, changes) => {
    expect(await outcomeOf(fresh().record({ ...payment, ...changes }))).toBe(problem);
    expect(vendor.calls).toEqual([]);
  });

  test('a card that the practice has no method for is refused', async () => {
    for (const brand of ['JCB', ''])
      expect(await outcomeOf(fresh().record({ ...payment, card: { brand, last4: '4242' } }))).toBe('payment method');
    expect(sent('recordPayment')).toEqual([]);
  });

  test.each([400, 403, 404, 422, 429])('status %i is a definite no', async (status) => {
    vendor.answer('recordPayment', { status, body: { error: 'Rosa Diaz' } });
    expect(await outcomeOf(fresh().record(payment))).toBe(`status ${status}`);
    expect(sent('recordPayment')).toHaveLength(1);
  });

  test('an answer that says it was not recorded is a definite no', async () => {
    vendor.answer('recordPayment', { body: { success: 'false', errormessage: 'Rosa Diaz' } });
    expect(await outcomeOf(fresh().record(payment))).toBe('not accepted');
  });

  test.each([
    { status: 500, body: '' },
    { status: 503, body: 'away' },
    { status: 409, body: '' },
    { instead: 'cut' as const },
    { body: '{"success":' },
    { body: { odd: true } },
    { body: [] },
  ])('after %j nobody can tell, and it is not sent again', async (scripted) => {
    vendor.answer('recordPayment', scripted);
    expect(await outcomeOf(fresh().record(payment))).toBe('unknown');
    expect(sent('recordPayment')).toHaveLength(1);
  });

  test('after a timeout nobody can tell, and it is not sent again', async () => {
    vendor.answer('recordPayment', { instead: 'silence' });
    expect(await outcomeOf(open(vendor.url, 100).record(payment))).toBe('unknown');
    expect(sent('recordPayment')).toHaveLength(1);
  });

  test('without a new token nothing is sent, whatever is known from before', async () => {
    const cut = { instead: 'cut' as const };
    await fresh().record(payment);
    clock.now = new Date(clock.now.getTime() + 3_541_000);
    vendor.answer('token', cut);
    expect(await outcomeOf(athena.record(payment))).toBe('not reached');
    expect(sent('recordPayment')).toHaveLength(1);
    await athena.record(payment);
    vendor.answer('recordPayment', { status: 401, body: { error: 'Unauthorized' } });
    vendor.answer('token', cut);
    expect(await outcomeOf(athena.record(payment))).toBe('status 401');
    expect(sent('recordPayment')).toHaveLength(3);
  });

  test('a payment that took too long to prepare is not sent', async () => {
    expect(await outcomeOf(fresh().record({ ...payment, signal: AbortSignal.abort() }))).toBe('not reached');
    expect(sent('recordPayment')).toEqual([]);
  });

  test('an error before the payment is sent is a definite no; a refused login is logged as an alert', async () => {
    error.mockClear();
    vendor.answer('validNonCcpCreditCardMethods', { instead: 'cut' }, { body: { odd: true } });
    expect(await outcomeOf(fresh().record(payment))).toBe('not reached');
    expect(await outcomeOf(fresh().record(payment))).toBe('not reached');
    vendor.answer('token', { status: 401, body: { error: 'invalid_client' } });
    expect(await outcomeOf(fresh().record(payment))).toBe('status 401');
    expect(error.mock.calls).toEqual([[{ alert: 'athena', status: 401 }, expect.any(String)]]);
    expect(sent('recordPayment')).toEqual([]);
  });
});

test('payments are recorded in athenahealth, else in the stand-in, and in production without either nowhere', async () => {
  const openIn = (env: object) =>
    openPracticeSoftware({ now: () => clock.now, env: { production: true, ...env } } as never);
  expect(openIn({ athena: { clientId: 'c', clientSecret: 's', url: 'http://127.0.0.1:9' } }).name).toBe('athena');
  expect(openIn({ localProviders: true }).name).toBe('local');
  expect(await outcomeOf(openIn({}).record(payment))).toBe('no practice software');
});

test('settings of athenahealth', () => {
  const login = { ATHENA_CLIENT_ID: 'c', ATHENA_CLIENT_SECRET: 's' };
  expect(readAthena({})).toBeUndefined();
  expect(readAthena(login)?.url).toBe('https://api.preview.platform.athenahealth.com');
  expect(() => readAthena({ ATHENA_CLIENT_ID: 'c' })).toThrow(/go together/);
  expect(() => readAthena({ ...login, ATHENA_URL: 'http://athena.example' })).toThrow(/must be an https address/);
});
