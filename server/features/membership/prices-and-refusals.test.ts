import { afterAll, expect, test } from 'vitest';
import { membership } from '#contract/index.ts';
import { localPrices } from '#server/providers/card/local-prices.ts';
import { CardRefused } from '#server/providers/card/port.ts';
import { goodCard, membershipOf } from '#testing/fixtures/cards.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const t = await openTestApp();
afterAll(() => t.close());

const newPrice = 'price_local_lite_12000';

test('a new price of the same plan counts from the next period, and resuming a plan keeps its price', async () => {
  const office = await t.office();
  const { saveCard, choose, preview, cancel, read } = await membershipOf(t, office);
  await saveCard(goodCard);
  await choose('lite', 2);
  t.later(14 * 24 * 60);
  expect((await read()).status).toBe('active');
  const settings = JSON.stringify({ litePrice: newPrice });
  await t.owner.updateTable('office').set({ settings }).where('id', '=', office.id).execute();
  await cancel();
  expect((await preview('lite', 2, newPrice)).body).toMatchObject({ move: 'reactivate', monthly: 29_800, dueToday: 0 });
  expect((await choose('lite', 2, newPrice)).body).toMatchObject({ cancel_at_period_end: false, next_plan: null });
  expect((await preview('lite', 2, newPrice)).body).toMatchObject({ move: 'downgrade', monthly: 24_000, dueToday: 0 });
  const next = { price: newPrice, amount: 12_000, quantity: 2 };
  expect((await choose('lite', 2, newPrice)).body).toMatchObject({ plan: { amount: 14_900 }, next_plan: next });
  expect((await preview('lite', 2, newPrice)).body.move).toBeNull();
  // The price it has takes that back, and buys nothing else.
  expect((await choose('lite', 2)).body).toMatchObject({ plan: { amount: 14_900 }, next_plan: null });
  expect((await choose('lite', 3)).status).toBe(404);
});

test.each(['invalid', 'not-found', 'conflict'] as const)(
  'a card that the provider refuses as %s could not be verified, and says nothing about the plan',
  async (reason) => {
    const { saveCard } = await membershipOf(t, await t.office());
    const { card } = t.services.providers;
    const { saveCard: known } = card;
    card.saveCard = () => Promise.reject(new CardRefused(reason));
    const refused = await saveCard(goodCard);
    card.saveCard = known;
    expect([refused.status, refused.body.code]).toEqual([402, 'card_not_verified']);
  },
);

test('an upgrade and a cancellation tell the provider what was planned, so that a refusal does not lose it', async () => {
  const { saveCard, choose, cancel, read } = await membershipOf(t, await t.office());
  await saveCard(goodCard);
  await choose('lite', 2);
  t.later(14 * 24 * 60);
  await choose('pilot', 2);
  const { card } = t.services.providers;
  const { upgrade, cancel: end } = card;
  const orders: object[] = [];
  const refuse = (order: object) => {
    orders.push(order);
    return Promise.reject(new CardRefused('invalid'));
  };
  Object.assign(card, { upgrade: refuse, cancel: refuse });
  const codes = [(await choose('prime', 2)).body.code, (await cancel()).body.code];
  Object.assign(card, { upgrade, cancel: end });
  expect(codes).toEqual(['plan_moved_on', 'plan_moved_on']);
  const planned = { priceId: localPrices.pilot, quantity: 2 };
  expect(orders).toMatchObject([{ planned }, { planned }]);
  expect((await read()).next_plan).toMatchObject({ name: 'pilot', quantity: 2 });
});

test('while the provider is away, creating the customer again is refused as such', async () => {
  const office = await t.office();
  await membershipOf(t, office);
  const { card } = t.services.providers;
  const { readCustomer } = card;
  card.readCustomer = () => Promise.reject(new CardRefused('unreachable'));
  const reply = await t.call(membership.createCustomer, { params: { card: 'local' }, body: {} }, { as: office });
  card.readCustomer = readCustomer;
  expect([reply.status, reply.body.code]).toEqual([503, 'card_away']);
});
