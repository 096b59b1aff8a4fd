import { afterAll, expect, test } from 'vitest';
import { deliverCardEvents, failingCard, goodCard, membershipOf } from '#testing/fixtures/cards.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const t = await openTestApp();
afterAll(() => t.close());

const pass = async (payload: object) =>
  (await t.app.inject({ method: 'POST', url: '/dev/card/days', payload })).statusCode;
const newPlan = async (card?: string) => {
  const office = await membershipOf(t, await t.office());
  if (card !== undefined) await office.saveCard(card);
  await office.choose('lite', 2);
  return { ...office, pass: (days: number) => pass({ customerId: office.customerId, days }) };
};

test('in the demo days pass for one customer: a trial without a card is paused, and the office is told', async () => {
  const [office, other] = [await newPlan(), await newPlan()];
  const trialEnd = (await office.seen())?.trial_end ?? 0;
  expect(await office.pass(9)).toBe(200);
  await deliverCardEvents(t);
  expect(await office.seen()).toMatchObject({ status: 'trialing', trial_end: trialEnd - 9 * 86_400 });
  expect(await office.pass(5)).toBe(200);
  await deliverCardEvents(t);
  expect(await office.seen()).toMatchObject({ status: 'paused' });
  expect(await other.read()).toMatchObject({ status: 'trialing', trial_end: trialEnd });
});

test('renewals, retries and invoices are as old as the days that passed', async () => {
  const { pass: passDays, read, saveCard, invoices } = await newPlan(goodCard);
  await passDays(14);
  expect(await invoices()).toMatchObject([{ status: 'paid', total: 29_800 }]);
  await saveCard(failingCard);
  await passDays(31);
  expect((await read()).status).toBe('past_due');
  const [renewal, first] = await invoices();
  expect([renewal?.status, first?.status]).toEqual(['open', 'paid']);
  expect(Date.parse(renewal?.at ?? '')).toBeLessThanOrEqual(t.now().getTime());
  expect(Date.parse(first?.at ?? '')).toBe(t.now().getTime() - 31 * 86_400_000);
  await passDays(15);
  expect((await read()).status).toBe('unpaid');
});

test('a customer that does not exist, and no or too many days, are refused', async () => {
  const { customerId } = await newPlan();
  expect(await pass({ customerId: 'cus_local_nobody', days: 1 })).toBe(404);
  for (const days of [0, 401, 1.5, '3', undefined]) expect(await pass({ customerId, days }), String(days)).toBe(400);
});
