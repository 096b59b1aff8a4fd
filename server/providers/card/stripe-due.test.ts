import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openContractServer, specsDir, type ContractServer } from '#testing/stand-ins/contract-server.ts';
import {
  invoiceAnswer,
  scheduleAnswer,
  stripeAnswers,
  stripeError,
  stripeSecret,
  subscriptionAnswer,
} from '#testing/stand-ins/stripe-answers.ts';
import { CardRefused, type Card } from './port.ts';
import { CardUnclear } from './stripe-calls.ts';
import { stripeCard } from './stripe.ts';

const operationId = '0195a1de-0000-7000-8000-000000000001';
const lite = { priceId: 'price_lite', quantity: 1 };
const of = { operationId, subscriptionId: 'sub_1', planned: lite };
const prime = { priceId: 'price_prime', quantity: 2 };
const refused = stripeError(400, { type: 'invalid_request_error' });
const tooMany = stripeError(429, { type: 'rate_limit_error' });
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (thrown: unknown) =>
      thrown instanceof CardRefused ? thrown.reason : thrown instanceof CardUnclear ? 'unclear' : thrown,
  );

/** What a change of several calls leaves behind at Stripe, whichever of its calls is refused. */
describe.skipIf(!specsDir)('the parts of a change at Stripe', () => {
  let vendor: ContractServer;
  let stripe: Card;
  beforeAll(async () => {
    vendor = await openContractServer('stripe-2026-10-28.openapi.json', { answers: stripeAnswers('new') });
    const secrets = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: stripeSecret };
    const settings = { ...secrets, prices: null, url: vendor.url };
    stripe = stripeCard({ now: () => new Date(), log: {} as never }, settings, { waitMs: 3_000, retries: 0 });
  });
  afterEach(() => vendor.forget());
  afterAll(() => vendor.close());
  const given = (...changes: object[]) =>
    vendor.answer('GET /v1/subscriptions/sub_1', ...changes.map((one) => ({ body: subscriptionAnswer('new', one) })));
  const open = (...invoices: object[]) =>
    vendor.answer('GET /v1/invoices', {
      body: { data: invoices.map((one) => invoiceAnswer({ status: 'open', ...one })) },
    });
  const changes = () =>
    vendor.calls
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, headers }) => `${method} ${path} ${String(headers['idempotency-key'] ?? '')}`);
  const planChanges = () => vendor.calls.filter(({ path }) => path === '/v1/subscription_schedules/sub_sched_1');
  const saveCard = () => stripe.saveCard({ operationId, customerId: 'cus_1', token: 'tok_1', name: 'Dana' });

  test('a new card pays what is due for the running plan, and nothing of one that was canceled', async () => {
    open({ id: 'in_2' });
    expect(await outcomeOf(saveCard())).toBe('done');
    expect(vendor.calls.find(({ path }) => path === '/v1/invoices')?.query).toMatchObject({ subscription: 'sub_1' });
    expect(changes().at(-1)).toBe(`POST /v1/invoices/in_2/pay ${operationId}.in_2`);
    vendor.forget();
    vendor.answer('GET /v1/subscriptions', { body: { data: [subscriptionAnswer('new', { status: 'canceled' })] } });
    open({ id: 'in_3' });
    expect(await outcomeOf(saveCard())).toBe('done');
    expect(changes().filter((change) => change.includes('invoices'))).toEqual([]);
    expect(vendor.problems()).toEqual([]);
  });

  test('a card that is saved is not refused because what is due could not be read: that is repeated', async () => {
    vendor.answer('GET /v1/invoices', { status: 503, body: 'away' });
    expect(await outcomeOf(saveCard())).toBe('unclear');
  });

  test('a plan that ends at once takes what is due for it along, also on the repeat after a crash', async () => {
    const ends = (id: string, how: string) =>
      vendor.answer(`POST /v1/invoices/${id}/${how}`, { body: invoiceAnswer() });
    given({ status: 'incomplete' });
    open({ id: 'in_2', billing_reason: 'subscription_create' }, { id: 'in_3', billing_reason: 'subscription_cycle' });
    ends('in_2', 'void');
    ends('in_3', 'mark_uncollectible');
    expect(await outcomeOf(stripe.cancel({ ...of, planned: null }))).toBe('done');
    expect(changes()).toEqual([
      `DELETE /v1/subscriptions/sub_1 ${operationId}`,
      `POST /v1/invoices/in_2/void ${operationId}.in_2`,
      `POST /v1/invoices/in_3/mark_uncollectible ${operationId}.in_3`,
    ]);
    vendor.forget();
    given({ status: 'canceled' });
    open({ id: 'in_2', billing_reason: 'subscription_create' });
    ends('in_2', 'void');
    expect(await outcomeOf(stripe.cancel({ ...of, planned: null }))).toBe('done');
    expect(changes()).toEqual([`POST /v1/invoices/in_2/void ${operationId}.in_2`]);
  });

  test('an upgrade that is refused puts the planned downgrade back', async () => {
    given({ schedule: scheduleAnswer() }, {});
    vendor.answer('POST /v1/subscriptions/sub_1', refused);
    expect(await outcomeOf(stripe.upgrade({ ...of, ...prime }))).toBe('invalid');
    expect(changes().slice(-2)).toEqual([
      `POST /v1/subscription_schedules ${operationId}.again.schedule`,
      `POST /v1/subscription_schedules/sub_sched_1 ${operationId}.again`,
    ]);
    expect(planChanges()[0]?.body).toMatchObject({ phases: [{}, { items: [{ price: 'price_lite', quantity: 1 }] }] });
    expect(vendor.problems()).toEqual([]);
  });

  test('also on the repeat, when the schedule is gone already; and a cancellation does the same', async () => {
    for (const change of [() => stripe.upgrade({ ...of, ...prime }), () => stripe.cancel(of)]) {
      given({}, {});
      vendor.answer('POST /v1/subscriptions/sub_1', refused);
      expect(await outcomeOf(change())).toBe('invalid');
      expect(planChanges()).toHaveLength(1);
      vendor.forget();
    }
  });

  test('one that is refused for now is unclear, so that it is repeated and nothing is lost', async () => {
    given({ schedule: scheduleAnswer() });
    vendor.answer('POST /v1/subscriptions/sub_1', tooMany);
    expect(await outcomeOf(stripe.upgrade({ ...of, ...prime }))).toBe('unclear');
    given({ schedule: scheduleAnswer() }, {});
    vendor.answer('POST /v1/subscriptions/sub_1', refused);
    vendor.answer('POST /v1/subscription_schedules', tooMany);
    expect(await outcomeOf(stripe.upgrade({ ...of, ...prime }))).toBe('unclear');
  });

  test('another downgrade changes the schedule that is there, so no refusal can lose the first one', async () => {
    given({ schedule: scheduleAnswer() });
    vendor.answer('POST /v1/subscription_schedules/sub_sched_1', tooMany);
    expect(await outcomeOf(stripe.changeAtPeriodEnd({ ...of, priceId: 'price_pilot', quantity: 1 }))).toBe('rate');
    expect(changes()).toEqual([`POST /v1/subscription_schedules/sub_sched_1 ${operationId}`]);
  });
});
