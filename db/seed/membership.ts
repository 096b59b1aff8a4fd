import type { Actor, Services } from '#server/context.ts';
import { haveCustomer, syncMembership } from '#server/features/membership/index.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { dayOf } from '#server/kit/day.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { officeRow } from '#server/office-row.ts';
import { localCard } from '#server/providers/card/local.ts';
import { localPrices } from '#server/providers/card/local-prices.ts';
import { insertToken, setTrialEnd } from '#server/providers/card/local-sql.ts';

const dayMs = 86_400_000;

/** Maple pays for Prime since six weeks, so it has invoices. */
export async function seedPrimePlan(services: Services, officeId: string, desk: Actor): Promise<void> {
  if (services.providers.card.name !== 'local') return;
  const scope = officeScope(services, officeId, desk, 'demo');
  const customerId = await haveCustomer(scope);
  const { card } = services.providers;
  if ((await card.readCustomer(customerId))?.subscription) return;
  const began = new Date(services.now().getTime() - 42 * dayMs);
  const then = { ...services, now: () => began };
  const token = newToken();
  const visa = { brand: 'Visa', last4: '4242', expMonth: 12, expYear: began.getUTCFullYear() + 3 };
  await insertToken(services.db, { tokenHash: hashToken(token), createdAt: began, behavior: 'ok', ...visa });
  const provider = localCard(then);
  const name = desk.name ?? '';
  await provider.saveCard({ operationId: services.id(), customerId, token, name });
  const plan = { priceId: localPrices.prime, quantity: 3 };
  await provider.start({ operationId: services.id(), customerId, trialDays: 0, ...plan });
  await syncMembership(scope);
}

/** Harbor's trial ends in three days, and there is no card. Each day anew, until somebody changes it. */
export async function seedEndingTrial(services: Services, officeId: string, desk: Actor): Promise<void> {
  if (services.providers.card.name !== 'local') return;
  const scope = officeScope(services, officeId, desk, 'demo');
  const customerId = await haveCustomer(scope);
  const { card } = services.providers;
  const customer = await card.readCustomer(customerId);
  if (!customer) return;
  const { subscription } = customer;
  const { timeZone } = await scope.transaction((tx) => officeRow(tx, officeId));
  const trialEnd = new Date(services.now().getTime() + 3 * dayMs);
  if (!subscription) {
    const plan = { priceId: localPrices.pilot, quantity: 1 };
    await card.start({ operationId: services.id(), customerId, trialDays: 3, ...plan });
  } else {
    const isUntouched = subscription.status === 'trialing' && !customer.card && !subscription.cancelAtPeriodEnd;
    if (!isUntouched || dayOf(subscription.periodEnd, timeZone) === dayOf(trialEnd, timeZone)) return;
    await setTrialEnd(services.db, subscription.subscriptionId, trialEnd);
  }
  await syncMembership(scope);
}
