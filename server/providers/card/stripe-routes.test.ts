import { afterAll, afterEach, expect, test } from 'vitest';
import { choosePlan, createCustomer, hearCard, readMembership, readSubscription } from '#contract/membership.ts';
import { membershipOperations } from '#server/features/membership/jobs.ts';
import { resumeOperations } from '#server/kit/provider-operations/operations.ts';
import { openContractServer, specsDir } from '#testing/stand-ins/contract-server.ts';
import {
  customerAnswer,
  invoiceAnswer,
  stripeAnswers,
  stripeCallback,
  stripeError,
  stripeEvent,
  stripeSecret,
  subscriptionAnswer,
} from '#testing/stand-ins/stripe-answers.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';

const env = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: stripeSecret,
  STRIPE_PRICE_PILOT: 'price_pilot',
  STRIPE_PRICE_LITE: 'price_lite',
  STRIPE_PRICE_PRIME: 'price_prime',
};

test('Stripe’s script is allowed on the page of the card’s fields only', async () => {
  const t = await openTestApp({ env });
  const policyOf = async (url: string) => String((await t.app.inject({ url })).headers['content-security-policy']);
  const policy = await policyOf('/card/page?language=es');
  expect(policy).toContain("script-src 'self' https://js.stripe.com");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).not.toMatch(/unsafe|\*(?!\.(js\.)?stripe\.com)/);
  for (const other of ['/', '/payments', '/sign-in', '/card/assets/page.js'])
    expect(await policyOf(other)).not.toContain('stripe');
  const page = (await t.app.inject({ url: '/card/page?language=es' })).body;
  expect(page).toContain('"publishableKey":"pk_test_1"');
  expect(page).not.toContain('sk_test_1');
  expect(page).toContain('Número de tarjeta');
  expect((await t.app.inject({ method: 'POST', url: '/card/tokens', payload: {} })).statusCode).toBe(404);
  await t.close();
});

const without = await openTestApp();
afterAll(() => without.close());

test('without Stripe no page allows its script', async () => {
  const { headers } = await without.app.inject({ url: '/card/page' });
  expect(headers['content-security-policy']).not.toContain('stripe');
});

const vendor = specsDir
  ? await openContractServer('stripe-2026-10-28.openapi.json', { answers: stripeAnswers('new') })
  : null;
const t = vendor ? await openTestApp({ env: { ...env, STRIPE_URL: vendor.url, LOG_LEVEL: 'silent' } }) : null;
afterEach(() => vendor?.forget());
afterAll(async () => {
  await t?.close();
  await vendor?.close();
});

/** An office that is the customer `cus_1`. */
async function customerOffice(testApp: TestApp) {
  const office = await testApp.office();
  const ours = { body: customerAnswer({ metadata: { officeId: office.id } }) };
  vendor?.answer('GET /v1/customers/cus_1', ours, ours, ours, ours);
  const made = await testApp.call(createCustomer, { params: { card: 'stripe' }, body: {} }, { as: office });
  expect(made.body.customerId).toBe('cus_1');
  return office;
}
const params = { card: 'stripe', customerId: 'cus_1' };

test.skipIf(!specsDir)('a practice becomes a customer, and sees what Stripe has', async () => {
  if (!t) return;
  const office = await customerOffice(t);
  const { body } = await t.call(readSubscription, { params }, { as: office });
  expect(body).toMatchObject({ id: 'sub_1', status: 'active', plan: { name: 'pilot', amount: 9_900, quantity: 2 } });
  expect((await t.call(readMembership, {}, { as: office })).body).toMatchObject({ cardPage: '/card/page' });
});

test.skipIf(!specsDir)('a customer that Stripe has deleted is missing', async () => {
  if (!t) return;
  const office = await customerOffice(t);
  vendor?.answer('GET /v1/customers/cus_1', { body: { id: 'cus_1', deleted: true } });
  expect((await t.call(readSubscription, { params }, { as: office })).body).toMatchObject({ missing: 'customer' });
  vendor?.answer('GET /v1/customers/cus_1', stripeError(500, { type: 'api_error' }), { status: 500, body: '' });
  expect((await t.call(readSubscription, { params }, { as: office })).status).toBe(503);
});

test.skipIf(!specsDir)('a callback makes us look once; late, tampered and foreign ones are refused', async () => {
  if (!t || !vendor) return;
  const office = await customerOffice(t);
  await t.call(readSubscription, { params }, { as: office });
  const post = ({ headers, rawBody }: ReturnType<typeof stripeCallback>) =>
    t.app.inject({ method: 'POST', url: '/api/stripe/card-events', headers, payload: rawBody });
  const event = stripeEvent('customer.subscription.updated', { id: 'sub_1', customer: 'cus_1', status: 'canceled' });
  const seen = async () => (await t.call(readMembership, {}, { as: office })).body.subscription?.status;

  const pastDue = { body: { data: [subscriptionAnswer('new', { status: 'past_due' })] } };
  vendor.answer('GET /v1/subscriptions', { body: { data: [subscriptionAnswer('new')] } }, pastDue);
  expect((await post(stripeCallback(event, t.now()))).statusCode).toBe(200);
  // What it says is not believed: Stripe says that the renewal was declined.
  expect(await seen()).toBe('past_due');
  const looks = vendor.calls.length;
  expect((await post(stripeCallback(event, t.now()))).statusCode).toBe(200);
  // A repeated one only asks whose customer it is.
  expect(vendor.calls.length - looks).toBe(2);

  const refused = [
    stripeCallback(event, new Date(t.now().getTime() - 301_000)),
    { ...stripeCallback(event, t.now()), rawBody: Buffer.from('{}') },
    stripeCallback(event, t.now(), { 'stripe-signature': 't=1,v1=0' }),
  ];
  for (const call of refused) expect((await post(call)).statusCode).toBe(403);
  expect(hearCard.path).toBe('/:card/card-events');
});

test.skipIf(!specsDir)('an upgrade without an answer is repeated by the job, with the same key', async () => {
  if (!t || !vendor) return;
  const office = await customerOffice(t);
  const ours = { body: customerAnswer({ metadata: { officeId: office.id } }) };
  vendor.answer('GET /v1/customers/cus_1', ...Array.from({ length: 12 }, () => ours));
  const silent = { status: 500, body: '' };
  vendor.answer('POST /v1/subscriptions/sub_1', silent, silent);
  const upgrade = { customerId: 'cus_1', price: 'price_prime', providers: 2 };
  const reply = await t.call(choosePlan, { params: { card: 'stripe' }, body: upgrade }, { as: office });
  expect([reply.status, reply.body.code]).toEqual([503, 'card_away']);
  t.later(1);
  await resumeOperations(t.services, membershipOperations);
  const keys = vendor.calls.filter(({ method }) => method === 'POST').map((call) => call.headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(new Set(keys.slice(1)).size).toBe(1);
  expect((await t.auditEntries(office)).map(({ action }) => action)).toContain('membership.plan');
});

test.skipIf(!specsDir)('a failure that Stripe keeps under the key does not hold up the next change', async () => {
  if (!t || !vendor) return;
  const office = await customerOffice(t);
  const ours = { body: customerAnswer({ metadata: { officeId: office.id } }) };
  vendor.answer('GET /v1/customers/cus_1', ...Array.from({ length: 20 }, () => ours));
  const failed = stripeError(500, { type: 'api_error' });
  const kept = { ...failed, headers: { 'idempotent-replayed': 'true' } };
  vendor.answer('POST /v1/subscriptions/sub_1', failed, failed, kept, kept);
  const upgrade = { customerId: 'cus_1', price: 'price_prime', providers: 2 };
  const press = () => t.call(choosePlan, { params: { card: 'stripe' }, body: upgrade }, { as: office });
  expect((await press()).status).toBe(503);
  t.later(1);
  await resumeOperations(t.services, membershipOperations);
  expect((await press()).status).toBe(200);
});

test.skipIf(!specsDir)('an upgrade that the bank refuses leaves the plan, and says so', async () => {
  if (!t || !vendor) return;
  const office = await customerOffice(t);
  const ours = { body: customerAnswer({ metadata: { officeId: office.id } }) };
  vendor.answer('GET /v1/customers/cus_1', ...Array.from({ length: 12 }, () => ours));
  vendor.answer('POST /v1/subscriptions/sub_1', {
    body: subscriptionAnswer('new', { pending_update: { expires_at: 1 }, latest_invoice: 'in_9' }),
  });
  vendor.answer('POST /v1/invoices/in_9/void', { body: invoiceAnswer({ id: 'in_9', status: 'void' }) });
  const upgrade = { customerId: 'cus_1', price: 'price_prime', providers: 2 };
  const reply = await t.call(choosePlan, { params: { card: 'stripe' }, body: upgrade }, { as: office });
  expect([reply.status, reply.body.code]).toEqual([402, 'card_not_verified']);
  const { body } = await t.call(readSubscription, { params }, { as: office });
  expect(body.plan).toMatchObject({ name: 'pilot' });
});
