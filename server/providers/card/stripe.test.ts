import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openContractServer, specsDir, type ContractServer } from '#testing/stand-ins/contract-server.ts';
import {
  customerAnswer,
  invoiceAnswer,
  periodEnd,
  scheduleAnswer,
  stripeAnswers,
  stripeError,
  stripeSecret,
  subscriptionAnswer,
} from '#testing/stand-ins/stripe-answers.ts';
import { CardRefused, type Card } from './port.ts';
import { CardUnclear, stripeVersion, type Pace } from './stripe-calls.ts';
import { stripeCard } from './stripe.ts';

const now = new Date('2026-03-12T15:00:00.000Z');
const error = vi.fn<(fields: object, text: string) => void>();
const open = (url: string, pace: Pace = { waitMs: 30_000, retries: 0 }): Card =>
  stripeCard(
    { now: () => now, log: { error } as never },
    { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: stripeSecret, prices: null, url },
    pace,
  );
const operationId = '0195a1de-0000-7000-8000-000000000001';
const of = { operationId, subscriptionId: 'sub_1', planned: null };
const lite = { priceId: 'price_lite', quantity: 1 };
const prime = { priceId: 'price_prime', quantity: 2 };
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (thrown: unknown) =>
      thrown instanceof CardRefused ? thrown.reason : thrown instanceof CardUnclear ? 'unclear' : thrown,
  );
/** The outcome of a change whose calls together may take only so long, while each of them could take longer. */
const hurried = (url: string, change: (card: Card) => Promise<unknown>) =>
  outcomeOf(change(open(url, { waitMs: 3_000, retries: 0, lookMs: 60, changeMs: 60 })));
/** The changes that were sent: `POST /path key`. */
const changesOf = ({ calls }: ContractServer) =>
  calls
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, headers }) => `${method} ${path} ${String(headers['idempotency-key'] ?? '')}`);

describe.skipIf(!specsDir).each([
  ['2023', 'stripe-2023-08-16.openapi.json', 'old'],
  ['2026', 'stripe-2026-10-28.openapi.json', 'new'],
] as const)('against the published contract of %s', (year, file, shape) => {
  let vendor: ContractServer;
  let stripe: Card;
  beforeAll(async () => {
    vendor = await openContractServer(file, { answers: stripeAnswers(shape) });
    stripe = open(vendor.url);
  });
  afterEach(() => vendor.forget());
  afterAll(() => vendor.close());
  const given = (changes: object) =>
    vendor.answer('GET /v1/subscriptions/sub_1', { body: subscriptionAnswer(shape, changes) });

  test('a customer is made and read with its card and subscription', async () => {
    await stripe.createCustomer({ operationId, officeId: 'office-1', name: 'Maple' });
    const customer = await stripe.readCustomer('cus_1');
    expect(customer).toEqual({
      customerId: 'cus_1',
      officeId: 'office-1',
      card: { id: 'pm_1', name: 'Dana Whitlock', brand: 'Visa', last4: '4242', expMonth: 8, expYear: 2030 },
      subscription: {
        subscriptionId: 'sub_1',
        customerId: 'cus_1',
        status: 'active',
        priceId: 'price_pilot',
        productId: 'prod_pilot',
        unitCents: 9_900,
        quantity: 2,
        trialEnd: null,
        periodEnd: new Date(periodEnd * 1000),
        cancelAtPeriodEnd: false,
        cancelAt: null,
        next: null,
      },
    });
    expect(vendor.problems()).toEqual([]);
    expect(vendor.calls[0]).toMatchObject({ body: { name: 'Maple', metadata: { officeId: 'office-1' } } });
  });

  test('starts, upgrades, cancels and takes the cancellation back', async () => {
    await stripe.start({ operationId, customerId: 'cus_1', ...lite, trialDays: 14 });
    await stripe.start({ operationId, customerId: 'cus_1', ...lite, trialDays: 0 });
    await stripe.upgrade({ ...of, ...prime });
    await stripe.cancel(of);
    given({ status: 'unpaid' });
    vendor.answer('GET /v1/invoices', { body: { data: [] } });
    await stripe.cancel(of);
    given({ cancel_at_period_end: true });
    await stripe.reactivate(of);
    expect(vendor.problems()).toEqual([]);
    const sent = vendor.calls.filter(({ method }) => method !== 'GET').map(({ method, body }) => ({ method, body }));
    expect(sent).toEqual([
      {
        method: 'POST',
        body: {
          customer: 'cus_1',
          items: [{ price: 'price_lite', quantity: 1 }],
          trial_period_days: 14,
          trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
          payment_behavior: 'default_incomplete',
        },
      },
      {
        method: 'POST',
        body: {
          customer: 'cus_1',
          items: [{ price: 'price_lite', quantity: 1 }],
          payment_behavior: 'allow_incomplete',
          off_session: true,
        },
      },
      {
        method: 'POST',
        body: {
          items: [{ id: 'si_1', price: 'price_prime', quantity: 2 }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'pending_if_incomplete',
        },
      },
      { method: 'POST', body: { cancel_at_period_end: true } },
      { method: 'DELETE', body: null },
      { method: 'POST', body: { cancel_at_period_end: false } },
    ]);
  });

  test('a downgrade is a schedule of two phases', async () => {
    if (year === '2023') vendor.answer('POST /v1/subscription_schedules/sub_sched_1', { body: scheduleAnswer() });
    await stripe.changeAtPeriodEnd({ ...of, ...lite });
    // The duration of a phase came in 2025; before it was `iterations`.
    const unknown = year === '2023' ? [expect.stringContaining('"additionalProperty":"duration"')] : [];
    expect(vendor.problems()).toEqual(unknown);
    expect(changesOf(vendor)).toEqual([
      `POST /v1/subscription_schedules ${operationId}.schedule`,
      `POST /v1/subscription_schedules/sub_sched_1 ${operationId}`,
    ]);
    expect(vendor.calls.at(-1)?.body).toEqual({
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: 'price_pilot', quantity: 2 }],
          start_date: periodEnd - 2_678_400,
          end_date: periodEnd,
          proration_behavior: 'none',
        },
        {
          items: [{ price: 'price_lite', quantity: 1 }],
          duration:
            year === '2023' ? { interval: 'month', interval_count: '1' } : { interval: 'month', interval_count: 1 },
          proration_behavior: 'none',
        },
      ],
    });
  });

  test('a card, prices, and invoices', async () => {
    vendor.answer(`GET /v1/invoices`, { body: { data: [invoiceAnswer({ id: 'in_2', status: 'open' })] } });
    await stripe.saveCard({ operationId, customerId: 'cus_1', token: 'tok_1', name: 'Dana Whitlock' });
    expect(changesOf(vendor)).toEqual([
      `POST /v1/payment_methods ${operationId}.method`,
      `POST /v1/setup_intents ${operationId}.setup`,
      `POST /v1/customers/cus_1 ${operationId}`,
      `POST /v1/invoices/in_2/pay ${operationId}.in_2`,
    ]);
    expect(await stripe.readPrices(['price_lite'])).toEqual([
      { priceId: 'price_lite', productId: 'prod_lite', unitCents: 9_900 },
    ]);
    expect(await stripe.listInvoices('cus_1')).toEqual([
      { invoiceId: 'in_1', number: 'A-0001', at: new Date(1_772_463_600_000), status: 'paid', totalCents: 19_800 },
    ]);
    expect(await stripe.invoicePdf('cus_1', 'in_1', 'UTC')).toBeNull();
    expect(vendor.problems()).toEqual([]);
  });

  test('a planned downgrade is read, released before a change, and put back if the bank refuses the upgrade', async () => {
    given({ schedule: scheduleAnswer() });
    await stripe.changeAtPeriodEnd({ ...of, priceId: 'price_pilot', quantity: 2 });
    given({ schedule: scheduleAnswer() });
    await stripe.cancel(of);
    expect(changesOf(vendor)).toEqual([
      `POST /v1/subscription_schedules/sub_sched_1/release ${operationId}.release`,
      `POST /v1/subscription_schedules/sub_sched_1/release ${operationId}.release`,
      `POST /v1/subscriptions/sub_1 ${operationId}`,
    ]);
    expect(vendor.problems()).toEqual([]);
    vendor.forget();

    given({ schedule: scheduleAnswer() });
    vendor.answer('POST /v1/subscriptions/sub_1', {
      body: subscriptionAnswer(shape, { pending_update: { expires_at: 1 }, latest_invoice: 'in_9' }),
    });
    vendor.answer('POST /v1/invoices/in_9/void', { body: invoiceAnswer({ id: 'in_9', status: 'void' }) });
    if (year === '2023') vendor.answer('POST /v1/subscription_schedules/sub_sched_1', { body: scheduleAnswer() });
    expect(await outcomeOf(stripe.upgrade({ ...of, ...prime }))).toBe('declined');
    expect(changesOf(vendor)).toEqual([
      `POST /v1/subscription_schedules/sub_sched_1/release ${operationId}.release`,
      `POST /v1/subscriptions/sub_1 ${operationId}`,
      `POST /v1/invoices/in_9/void ${operationId}.void`,
      `POST /v1/subscription_schedules ${operationId}.again.schedule`,
      `POST /v1/subscription_schedules/sub_sched_1 ${operationId}.again`,
    ]);
  });
});

describe.skipIf(!specsDir)('the behavior of Stripe', () => {
  let vendor: ContractServer;
  let stripe: Card;
  beforeAll(async () => {
    vendor = await openContractServer('stripe-2026-10-28.openapi.json', { answers: stripeAnswers('new') });
    stripe = open(vendor.url);
  });
  afterEach(() => vendor.forget());
  afterAll(() => vendor.close());
  const given = (changes: object) =>
    vendor.answer('GET /v1/subscriptions/sub_1', { body: subscriptionAnswer('new', changes) });
  const create = () => stripe.createCustomer({ operationId, officeId: 'office-1', name: 'Maple' });

  test('each change has our operation id as its key, and the version we are written for', async () => {
    await create();
    expect(vendor.calls[0]?.headers).toMatchObject({
      authorization: 'Bearer sk_test_1',
      'idempotency-key': operationId,
      'stripe-version': stripeVersion,
    });
  });

  test.each([
    [402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' }, 'declined'],
    [404, { type: 'invalid_request_error', code: 'resource_missing' }, 'not-found'],
    [400, { type: 'invalid_request_error' }, 'invalid'],
    [400, { type: 'idempotency_error' }, 'conflict'],
    [401, { type: 'invalid_request_error' }, 'unauthorized'],
    [403, { type: 'invalid_request_error' }, 'unauthorized'],
    [429, { type: 'rate_limit_error' }, 'rate'],
    [409, { type: 'api_error', code: 'idempotency_key_in_use' }, 'unclear'],
    [500, { type: 'api_error' }, 'unclear'],
  ])('a change that is answered with %i %j is %s', async (status, answer, expected) => {
    vendor.answer('POST /v1/customers', stripeError(status, answer));
    const thrown: unknown = await create().catch((caught: unknown) => caught);
    expect(await outcomeOf(Promise.reject(thrown as Error))).toBe(expected);
    expect(String(thrown)).not.toContain('Dana');
  });

  test('the calls of one change end before its lease does, and their outcome is unclear then', async () => {
    vendor.answer('GET /v1/subscriptions/sub_1', { instead: 'silence' });
    expect(await hurried(vendor.url, (card) => card.upgrade({ ...of, ...prime }))).toBe('unclear');
    vendor.answer('POST /v1/payment_methods', { instead: 'silence' });
    const token = { operationId, customerId: 'cus_1', token: 'tok_visa', name: 'Dana Whitlock' };
    expect(await hurried(vendor.url, (card) => card.saveCard(token))).toBe('unclear');
    vendor.answer('GET /v1/customers/cus_1', { instead: 'silence' });
    expect(await hurried(vendor.url, (card) => card.readCustomer('cus_1'))).toBe('unreachable');
  });

  test('without a clear answer a change is unclear, and a read is unreachable', async () => {
    const hasty = open(vendor.url, { waitMs: 60, retries: 0 });
    for (const body of ['<html>', '{"id":', { odd: true }, { error: 'no' }]) {
      vendor.answer('POST /v1/customers', { body });
      expect(await outcomeOf(create())).toBe('unclear');
    }
    vendor.answer('POST /v1/customers', { instead: 'silence' });
    expect(await outcomeOf(hasty.createCustomer({ operationId, officeId: 'office-1', name: 'Maple' }))).toBe('unclear');
    vendor.answer('GET /v1/customers/cus_1', { instead: 'silence' }, { status: 503, body: 'away' });
    expect(await outcomeOf(hasty.readCustomer('cus_1'))).toBe('unreachable');
    expect(await outcomeOf(stripe.readCustomer('cus_1'))).toBe('unreachable');
  });

  test('a failure that Stripe has kept under the key is a no: nothing else will come of this key', async () => {
    const kept = { ...stripeError(500, { type: 'api_error' }), headers: { 'idempotent-replayed': 'true' } };
    vendor.answer('POST /v1/customers', stripeError(500, { type: 'api_error' }), kept);
    expect([await outcomeOf(create()), await outcomeOf(create())]).toEqual(['unclear', 'conflict']);
  });

  test('after a failure the same call is sent once more with the same key', async () => {
    vendor.answer('POST /v1/customers', stripeError(500, { type: 'api_error' }));
    const patient = open(vendor.url, { waitMs: 30_000, retries: 1 });
    expect(await patient.createCustomer({ operationId, officeId: 'office-1', name: 'Maple' })).toBe('cus_1');
    expect(vendor.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([operationId, operationId]);
  });

  test('a key that Stripe does not accept writes one alert, without what Stripe said', async () => {
    error.mockClear();
    const locked = open(vendor.url);
    const refused = stripeError(401, { type: 'invalid_request_error' });
    vendor.answer('GET /v1/prices/price_x', refused, refused);
    for (const _ of [1, 2]) expect(await outcomeOf(locked.readPrices(['price_x']))).toBe('unauthorized');
    expect(error.mock.calls).toEqual([
      [{ alert: 'card', status: 401, code: 'StripeAuthenticationError' }, expect.any(String)],
    ]);
  });

  test('a preview of an upgrade is asked for as the contract of 2026 says', async () => {
    expect(await stripe.previewUpgrade({ subscriptionId: 'sub_1', ...prime })).toEqual({
      dueCents: 13_333,
      creditCents: -13_200,
      chargeCents: 26_533,
    });
    expect(vendor.problems()).toEqual([]);
  });

  test('a customer that is deleted or was never there counts as missing', async () => {
    vendor.answer('GET /v1/customers/cus_1', { body: { id: 'cus_1', object: 'customer', deleted: true } });
    expect(await stripe.readCustomer('cus_1')).toBeNull();
    vendor.answer(
      'GET /v1/customers/cus_2',
      stripeError(404, { type: 'invalid_request_error', code: 'resource_missing' }),
    );
    expect(await stripe.readCustomer('cus_2')).toBeNull();
  });

  test('the running subscription counts, else the last one', async () => {
    const list = (...data: object[]) => vendor.answer('GET /v1/subscriptions', { body: { data } });
    const one = (id: string, changes: object) => subscriptionAnswer('new', { id, ...changes });
    list(one('sub_3', { status: 'canceled' }), one('sub_2', { schedule: scheduleAnswer() }));
    expect((await stripe.readCustomer('cus_1'))?.subscription).toMatchObject({ subscriptionId: 'sub_2', next: lite });
    list(one('sub_3', { status: 'canceled', ended_at: 1_772_463_600 }), one('sub_2', { status: 'canceled' }));
    expect((await stripe.readCustomer('cus_1'))?.subscription).toMatchObject({
      subscriptionId: 'sub_3',
      cancelAt: new Date(1_772_463_600_000),
      cancelAtPeriodEnd: false,
    });
    list(one('sub_4', { cancel_at: periodEnd }));
    expect((await stripe.readCustomer('cus_1'))?.subscription).toMatchObject({ cancelAtPeriodEnd: true });
    list();
    expect((await stripe.readCustomer('cus_1'))?.subscription).toBeNull();
  });

  test('nothing is started or resumed without a card', async () => {
    const none = { body: customerAnswer({ invoice_settings: { default_payment_method: null } }) };
    vendor.answer('GET /v1/customers/cus_1', none, none);
    expect(await outcomeOf(stripe.start({ operationId, customerId: 'cus_1', ...lite, trialDays: 0 }))).toBe('declined');
    given({ status: 'paused' });
    expect(await outcomeOf(stripe.reactivate(of))).toBe('declined');
    expect(changesOf(vendor)).toEqual([]);
  });

  test('a paused subscription is resumed if its invoice is paid, else the invoice is voided', async () => {
    const resumed = (status: string) => ({ body: subscriptionAnswer('new', { status, latest_invoice: 'in_9' }) });
    vendor.answer('POST /v1/subscriptions/sub_1/resume', resumed('active'), resumed('paused'));
    vendor.answer('POST /v1/invoices/in_9/void', { body: invoiceAnswer({ id: 'in_9', status: 'void' }) });
    given({ status: 'paused' });
    expect(await outcomeOf(stripe.reactivate(of))).toBe('done');
    given({ status: 'paused' });
    expect(await outcomeOf(stripe.reactivate(of))).toBe('declined');
    expect(changesOf(vendor)).toEqual([
      `POST /v1/subscriptions/sub_1/resume ${operationId}`,
      `POST /v1/subscriptions/sub_1/resume ${operationId}`,
      `POST /v1/invoices/in_9/void ${operationId}.void`,
    ]);
  });

  test('in a trial a plan changes at once and costs nothing', async () => {
    const trial = { body: subscriptionAnswer('new', { status: 'trialing', trial_end: periodEnd }) };
    vendor.answer('GET /v1/subscriptions/sub_1', trial, trial, trial);
    expect(await stripe.previewUpgrade({ subscriptionId: 'sub_1', ...prime })).toMatchObject({ dueCents: 0 });
    await stripe.upgrade({ ...of, ...prime });
    await stripe.changeAtPeriodEnd({ ...of, ...lite });
    expect(vendor.calls.flatMap(({ method, body }) => (method === 'GET' ? [] : [body]))).toEqual([
      { items: [{ id: 'si_1', price: 'price_prime', quantity: 2 }], proration_behavior: 'none' },
      { items: [{ id: 'si_1', price: 'price_lite', quantity: 1 }], proration_behavior: 'none' },
    ]);
  });

  test('a card that the bank refuses, or wants to ask about, does not replace the one before it', async () => {
    const save = () => stripe.saveCard({ operationId, customerId: 'cus_1', token: 'tok_1', name: 'Dana' });
    vendor.answer('POST /v1/setup_intents', stripeError(402, { type: 'card_error', code: 'card_declined' }), {
      body: { id: 'seti_1', status: 'requires_action' },
    });
    expect([await outcomeOf(save()), await outcomeOf(save())]).toEqual(['declined', 'declined']);
    expect(changesOf(vendor).filter((change) => change.includes('customers'))).toEqual([]);
  });

  test('an invoice that the new card does not pay stays due, and the card is saved', async () => {
    vendor.answer('GET /v1/invoices', { body: { data: [invoiceAnswer({ id: 'in_2', status: 'open' })] } });
    vendor.answer('POST /v1/invoices/in_2/pay', stripeError(402, { type: 'card_error', code: 'card_declined' }));
    const save = stripe.saveCard({ operationId, customerId: 'cus_1', token: 'tok_1', name: 'Dana' });
    expect(await outcomeOf(save)).toBe('done');
  });

  test('a price is asked for once, and an unknown one is null', async () => {
    vendor.answer(
      'GET /v1/prices/price_no',
      stripeError(404, { type: 'invalid_request_error', code: 'resource_missing' }),
    );
    for (const _ of [1, 2]) await stripe.readPrices(['price_once']);
    expect(vendor.calls).toHaveLength(1);
    expect(await stripe.readPrices(['price_no'])).toEqual([null]);
  });

  test('an invoice is fetched from Stripe, only for its customer', async () => {
    const pdf = `${vendor.url}/in_1.pdf`;
    vendor.answer('GET /in_1.pdf', { body: '%PDF-1.7\n', headers: { 'content-type': 'application/pdf' } });
    const answer = (invoice_pdf: string) => ({ body: invoiceAnswer({ invoice_pdf }) });
    vendor.answer('GET /v1/invoices/in_1', answer(pdf), answer(pdf), answer('https://elsewhere.example/in_1.pdf'));
    expect((await stripe.invoicePdf('cus_1', 'in_1', 'UTC'))?.toString()).toBe('%PDF-1.7\n');
    expect(await stripe.invoicePdf('cus_other', 'in_1', 'UTC')).toBeNull();
    expect(await outcomeOf(stripe.invoicePdf('cus_1', 'in_1', 'UTC'))).toBe('other');
  });
});
