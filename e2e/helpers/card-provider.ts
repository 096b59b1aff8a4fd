import { expect, type Page } from '@playwright/test';
import type { OfficeMembership, Plan, Subscription } from '#contract/membership.ts';

/** Test cards of the local card provider: one that pays, and one that is saved and then declines each charge. */
export const goodCard = '4242424242424242';
export const failingCard = '4000000000000341';

/** A practice's plan at the local card provider, changed by the calls of the panel and of the provider's page. */
export type PlanAtProvider = Awaited<ReturnType<typeof planOf>>;

/** The plan of the practice that this page is signed in to. */
export async function planOf(page: Page) {
  const origin = new URL(page.url()).origin;
  const post = async <Answer>(path: string, data: object): Promise<Answer> => {
    const answer = await page.request.post(path, { headers: { origin }, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as Answer;
  };
  const { customerId } = await post<{ customerId: string }>('/api/local/create/', {});
  const read = async () => (await (await page.request.get('/api/office/membership')).json()) as OfficeMembership;
  const { prices } = await read();
  /** As our server saw it last. */
  const seen = async () => (await read()).subscription as Subscription;
  const pass = (days: number) => post('/dev/card/days', { customerId, days });
  return {
    seen,
    pass,
    choose: (plan: Plan) => post('/api/local/plan', { customerId, price: prices[plan] }),
    cancel: async () => post('/api/local/cancel', { sub: (await seen()).id }),
    async saveCard(number: string) {
      const { token } = await post<{ token: string }>('/card/tokens', { number, expiry: '12 / 39', cvc: '123' });
      await post(`/api/local/payment/${customerId}`, { token, name: 'Mina Castro' });
    },
    /** Lets all but so many days of the period or trial pass; -1: a day more than all. */
    async passUntil(daysLeft: number) {
      const { current_period_end: end } = await seen();
      await pass(Math.round(((end ?? 0) * 1000 - Date.now()) / 86_400_000) - daysLeft);
    },
  };
}
