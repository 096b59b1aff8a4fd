import { afterAll, expect, test } from 'vitest';
import { membership } from '#contract/index.ts';
import { resumeOperations, runOperation } from '#server/kit/provider-operations/operations.ts';
import { localPrices } from '#server/providers/card/local-prices.ts';
import { CardRefused } from '#server/providers/card/port.ts';
import { declinedCard, failingCard, goodCard, membershipOf, tokenOf } from '#testing/fixtures/cards.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { customerOperation, membershipSubject } from './card-customer.ts';
import { membershipOperations } from './jobs.ts';

const t = await openTestApp();
afterAll(() => t.close());

const day = 24 * 60;
const newOffice = async () => {
  const office = await t.office();
  return { office, ...(await membershipOf(t, office)) };
};
/** An office with a card whose plan is paid for the first month. */
async function paying(plan: 'pilot' | 'lite' | 'prime', providers = 1) {
  const office = await newOffice();
  await office.saveCard(goodCard);
  await office.choose(plan, providers);
  t.later(14 * day);
  return office;
}
const audited = async (office: TestOffice) =>
  (await t.auditEntries(office)).filter(({ action }) => action.startsWith('membership.')).map(({ action }) => action);
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
const paid = async ({ invoices }: Pick<Awaited<ReturnType<typeof newOffice>>, 'invoices'>) =>
  (await invoices()).filter(({ status }) => status === 'paid').map(({ total }) => total);

test('the first plan is a trial, with every field of a subscription', async () => {
  const office = await newOffice();
  expect(await office.read()).toMatchObject({ id: null, status: null, plan: null, default_payment_method: null });
  const trialEnd = seconds(t.now()) + 14 * 86_400;
  const { status, body } = await office.choose('pilot', 2);
  expect([status, body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^sub_local_/),
      status: 'trialing',
      plan: { product: 'prod_local_pilot', price: localPrices.pilot, name: 'pilot', amount: 9_900, quantity: 2 },
      next_plan: null,
      cancel_at_period_end: false,
      cancel_at: null,
      trial_end: trialEnd,
      default_payment_method: null,
      current_period_end: trialEnd,
    },
  ]);
  expect(await office.seen()).toEqual(body);
  expect(await office.invoices()).toEqual([]);
  expect(await audited(office.office)).toEqual(['membership.customer', 'membership.plan']);
});

test('prices are in cents; a price id that is not the office’s is unknown', async () => {
  const { office } = await newOffice();
  const prices = (query: Record<string, string>) =>
    t.call(membership.readPrices, { params: { card: 'local' }, query }, { as: office });
  expect((await prices(localPrices)).body).toEqual({ pilot: 9_900, lite: 14_900, prime: 19_900 });
  expect((await prices({ pilot: '', lite: localPrices.lite, prime: '' })).body.lite).toBe(14_900);
  expect((await prices({ pilot: 'price_local_pilot_1' })).status).toBe(404);
});

test('an upgrade is charged at once for the time left, as its preview says', async () => {
  const office = await paying('pilot', 2);
  expect((await office.read()).status).toBe('active');
  t.later(11 * day);
  const preview = (await office.preview('prime')).body;
  expect(preview).toMatchObject({ move: 'upgrade', takesEffect: t.now().toISOString(), monthly: 39_800 });
  expect(preview.dueToday).toBe(preview.credit + preview.charge);
  const { body } = await office.choose('prime');
  expect(body.plan).toMatchObject({ name: 'prime', quantity: 2 });
  expect(await paid(office)).toEqual([preview.dueToday, 19_800]);
});

test('a downgrade keeps the features until the period ends, and can be taken back', async () => {
  const office = await paying('prime');
  const end = (await office.read()).current_period_end;
  expect((await office.preview('lite')).body).toMatchObject({
    move: 'downgrade',
    dueToday: 0,
    takesEffect: new Date((end ?? 0) * 1000).toISOString(),
  });
  expect((await office.choose('lite')).body).toMatchObject({ plan: { name: 'prime' }, next_plan: { name: 'lite' } });
  expect((await office.choose('prime')).body).toMatchObject({ plan: { name: 'prime' }, next_plan: null });
  await office.choose('lite');
  t.later(31 * day);
  expect(await office.read()).toMatchObject({ plan: { name: 'lite' }, next_plan: null });
  expect(await paid(office)).toEqual([14_900, 19_900]);
});

test('a canceled plan runs until the period ends; its current price resumes it without a charge', async () => {
  const office = await paying('lite');
  const { current_period_end: end } = await office.read();
  expect((await office.cancel()).body).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: end });
  expect((await office.choose('prime')).body.code).toBe('plan_moved_on');
  expect((await office.choose('lite')).body).toMatchObject({ cancel_at_period_end: false, current_period_end: end });
  await office.cancel();
  t.later(31 * day);
  expect(await office.read()).toMatchObject({ status: 'canceled' });
  expect(await paid(office)).toEqual([14_900]);
  // A later start has no trial.
  expect((await office.choose('pilot')).body).toMatchObject({ status: 'active', trial_end: null });
  expect(await paid(office)).toEqual([9_900, 14_900]);
});

test('the card is shown masked; a declined one is refused, and the one before it stays', async () => {
  const office = await newOffice();
  expect(await office.payment()).toEqual({ name: null, number: null, date: null, cvv: null });
  const saved = { name: 'Dana Whitlock', number: 'Visa •••• 4242', date: '12/39', cvv: '•••' };
  expect((await office.saveCard(goodCard)).body).toEqual(saved);
  const refused = await office.saveCard(declinedCard, 'Somebody Else');
  expect([refused.status, refused.body.title]).toEqual([
    402,
    "We couldn't verify your payment method. Please try again or contact support.",
  ]);
  expect(await office.payment()).toEqual(saved);
  expect(await audited(office.office)).toEqual(['membership.customer', 'membership.card']);
});

test('the card page names the fields that are wrong, and accepts test cards only', async () => {
  const fields = { expiry: '01 / 20', cvc: '1' };
  expect(await tokenOf(t, '4242', fields)).toEqual({ wrong: ['number', 'expiry', 'cvc'], isUnknown: false });
  expect(await tokenOf(t, '4111111111111111')).toEqual({ wrong: ['number'], isUnknown: true });
  expect(await tokenOf(t, '4000002500003155')).toMatchObject({ needsConfirmation: true });
  const stored = await t.owner.selectFrom('card.token').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain('4000002500003155');
});

test('a declined renewal is past due, and another card pays it at once', async () => {
  const office = await newOffice();
  await office.saveCard(failingCard);
  await office.choose('pilot');
  t.later(15 * day);
  expect(await office.read()).toMatchObject({ status: 'past_due' });
  expect((await office.choose('prime')).body.code).toBe('plan_moved_on');
  await office.saveCard(goodCard);
  expect(await office.read()).toMatchObject({ status: 'active' });
  expect(await paid(office)).toEqual([9_900]);
});

test('a trial that ended without a card is paused, and resumes with one', async () => {
  const office = await newOffice();
  await office.choose('lite');
  t.later(15 * day);
  expect(await office.read()).toMatchObject({ status: 'paused' });
  expect((await office.choose('lite')).body.code).toBe('card_not_verified');
  await office.saveCard(goodCard);
  expect((await office.preview('lite')).body).toMatchObject({ move: 'reactivate', dueToday: 14_900 });
  expect((await office.choose('lite')).body).toMatchObject({ status: 'active' });
  expect(await paid(office)).toEqual([14_900]);
});

test('a declined upgrade leaves the old plan', async () => {
  const office = await paying('pilot');
  await office.read(); // the first month is paid with the good card
  await office.saveCard(failingCard);
  expect((await office.choose('prime')).body.code).toBe('card_not_verified');
  expect(await office.read()).toMatchObject({ status: 'active', plan: { name: 'pilot' } });
  expect(await paid(office)).toEqual([9_900]);
});

test('five presses of Switch at once upgrade and charge once', async () => {
  const office = await paying('pilot');
  const answers = await Promise.all(Array.from({ length: 5 }, () => office.choose('prime')));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.plan?.name}`))).toEqual(new Set(['200 prime']));
  expect(await paid(office)).toHaveLength(2);
});

test('two people who choose different plans at once leave one of them, and one charge for each step', async () => {
  const office = await paying('pilot');
  const answers = await Promise.all([office.choose('lite'), office.choose('prime')]);
  expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true);
  const { plan, next_plan: next } = await office.read();
  expect(['lite', 'prime']).toContain((next ?? plan)?.name);
  // The month has just begun: all charges together are one month of the plan.
  expect((await paid(office)).reduce((sum, cents) => sum + cents, 0)).toBe(plan?.amount);
});

test('a press that saw no customer yet makes no second one when it gets its turn', async () => {
  const office = await t.office();
  const become = async () => {
    const operation = { subject: membershipSubject, input: { name: 'Maple', replaces: null } };
    const outcome = await runOperation(t.scopeOf(office), customerOperation, operation);
    return outcome.state === 'done' ? outcome.result.customerId : outcome.state;
  };
  const first = await become();
  expect(first).toMatch(/^cus_local_/);
  expect(await become()).toBe(first);
});

test('a customer that the provider deleted is missing, and is created again', async () => {
  const { office, customerId, read, choose } = await newOffice();
  await choose('pilot');
  await t.owner.updateTable('card.customer').set({ deletedAt: t.now() }).where('id', '=', customerId).execute();
  expect(await read()).toMatchObject({ missing: 'customer', status: null });
  expect((await choose('lite')).body.code).toBe('customer_missing');
  const again = await membershipOf(t, office);
  expect(again.customerId).not.toBe(customerId);
  expect((await again.choose('lite')).body).toMatchObject({ status: 'trialing' });
});

test('another office’s customer, subscription and invoice are unknown', async () => {
  const [one, other] = [await paying('pilot'), await paying('lite')];
  const { id } = await other.read();
  const [invoice] = await other.invoices();
  const as = { as: one.office };
  const body = { customerId: other.customerId, price: localPrices.prime };
  const answers = [
    await t.call(membership.readSubscription, { params: other.params }, as),
    await t.call(membership.readPaymentMethod, { params: other.params }, as),
    await t.call(membership.savePaymentMethod, { params: other.params, body: { token: 'tok', name: 'Dana' } }, as),
    await t.call(membership.listInvoices, { params: other.params }, as),
    await t.call(membership.previewPlan, { params: other.params, query: { price: localPrices.prime } }, as),
    await t.call(membership.choosePlan, { params: { card: 'local' }, body }, as),
    await t.call(membership.cancelPlan, { params: { card: 'local' }, body: { sub: id ?? '' } }, as),
    await t.call(membership.readInvoicePdf, { params: { ...one.params, invoiceId: invoice?.id ?? '' } }, as),
    await t.call(
      membership.createCustomer,
      { params: { card: 'local' }, body: { strapi: { _id: other.office.id } } },
      as,
    ),
    await t.call(membership.readSubscription, { params: { ...one.params, card: 'another' } }, as),
  ];
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  expect(await other.read()).toMatchObject({ id, status: 'active', cancel_at_period_end: false });
});

test('an invoice is a PDF', async () => {
  const office = await paying('pilot');
  const [invoice] = await office.invoices();
  const params = { ...office.params, invoiceId: invoice?.id ?? '' };
  const { status, headers, body } = await t.call(membership.readInvoicePdf, { params }, { as: office.office });
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(String(body)).toMatch(/^%PDF-/);
});

test('trying out cards is limited', async () => {
  const office = await newOffice();
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) statuses.push((await office.saveCard(declinedCard)).status);
  expect(statuses).toEqual([...Array<number>(10).fill(402), 429]);
});

test('while the provider is away, a change is refused as such and not lost', async () => {
  const office = await paying('pilot');
  const { card } = t.services.providers;
  const { upgrade } = card;
  t.services.log.level = 'silent';
  card.upgrade = () => Promise.reject(new Error('timeout'));
  expect((await office.choose('prime')).body.code).toBe('card_away');
  card.upgrade = upgrade;
  t.later(1);
  await resumeOperations(t.services, membershipOperations);
  expect(await office.read()).toMatchObject({ plan: { name: 'prime' } });
  expect(await paid(office)).toHaveLength(2);
});

test('a change whose answer was lost is not given up when its repeat cannot reach the provider', async () => {
  const office = await paying('pilot');
  const { card } = t.services.providers;
  const { upgrade, readCustomer } = card;
  card.upgrade = async (order) => {
    await upgrade(order);
    throw new Error('the answer was lost');
  };
  expect((await office.choose('prime')).status).toBe(503);
  Object.assign(card, { upgrade, readCustomer: () => Promise.reject(new CardRefused('unreachable')) });
  t.later(2);
  await resumeOperations(t.services, membershipOperations);
  Object.assign(card, { readCustomer });
  t.later(60);
  await resumeOperations(t.services, membershipOperations);
  const operations = await t.inOffice(office.office, (tx) =>
    tx.selectFrom('providerOperation').select('state').execute(),
  );
  expect(new Set(operations.map(({ state }) => state))).toEqual(new Set(['done']));
  expect((await audited(office.office)).filter((action) => action === 'membership.plan')).toHaveLength(2);
});
