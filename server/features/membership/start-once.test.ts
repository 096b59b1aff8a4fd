import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { resumeOperations } from '#server/kit/provider-operations/operations.ts';
import type { Card, CardSubscription } from '#server/providers/card/port.ts';
import { membershipOf } from '#testing/fixtures/cards.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { membershipOperations } from './jobs.ts';

const t = await openTestApp();
t.services.log.level = 'silent';
afterAll(() => t.close());

/** A provider that starts another subscription beside a running one, as Stripe does; the local one refuses that itself. */
const started: Parameters<Card['start']>[0][] = [];
const { card } = t.services.providers;
const { readCustomer } = card;
let looks = 0;
const start: Card['start'] = async (order) => void started.push(order);
card.start = start;
card.readCustomer = async (customerId) => {
  looks++;
  const customer = await readCustomer(customerId);
  const [first] = started.filter((order) => order.customerId === customerId);
  return customer && { ...customer, subscription: first ? subscriptionOf(first) : null };
};
beforeEach(() => void started.splice(0));

function subscriptionOf({ customerId, priceId, quantity }: Parameters<Card['start']>[0]): CardSubscription {
  const trialEnd = new Date(t.now().getTime() + 86_400_000);
  return {
    subscriptionId: `sub_of_${customerId}`,
    customerId,
    status: 'trialing',
    priceId,
    productId: 'prod_local_lite',
    quantity,
    unitCents: 9_900,
    trialEnd,
    periodEnd: trialEnd,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    next: null,
  };
}

test('two tabs that start different plans at once start one', async () => {
  const { choose } = await membershipOf(t, await t.office());
  looks = 0;
  card.start = async (order) => {
    // The other tab has looked by now, too: one look for each press, and one of this operation.
    await vi.waitFor(() => expect(looks).toBeGreaterThanOrEqual(3));
    return start(order);
  };
  const replies = await Promise.all([choose('lite'), choose('prime')]);
  card.start = start;
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.body.code).toBe('plan_moved_on');
  expect(started).toHaveLength(1);
});

test('a start whose outcome is open is finished before another plan is chosen, and that one is refused', async () => {
  const { choose, read } = await membershipOf(t, await t.office());
  card.start = () => Promise.reject(new Error('503'));
  expect((await choose('lite')).status).toBe(503);
  card.start = start;
  t.later(1);
  expect((await choose('prime')).body.code).toBe('plan_moved_on');
  t.later(2);
  await resumeOperations(t.services, membershipOperations);
  expect(started).toHaveLength(1);
  expect((await read()).plan?.name).toBe('lite');
});
