import { plans, type OfficeMembership, type Plan, type Subscription } from '#contract/membership.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import {
  CardRefused,
  type Card,
  type CardCustomer,
  type CardOnFile,
  type CardPlan,
  type CardSubscription,
} from '#server/providers/card/port.ts';
import { customerOf, membershipOf, saveSubscription, takeTurn, type OwnPrices } from './sql.ts';

/** Reads cost money at the provider too; an open page needs a few a minute. */
const readsPerMinute = { name: 'membership-read', points: 120, seconds: 60 };

export async function pricesOf(scope: OfficeScope): Promise<OwnPrices> {
  const { settings } = await scope.transaction((tx) => officeRow(tx, scope.officeId));
  return priceIdsOf(settings, scope.providers.card);
}

/** The office's prices: its own, which the operator set, else the provider's. */
export function priceIdsOf(
  settings: Record<string, unknown>,
  { defaultPrices }: Pick<Card, 'defaultPrices'>,
): OwnPrices {
  const priceOf = (plan: Plan) => {
    const own = settings[`${plan}Price`];
    return typeof own === 'string' ? own : (defaultPrices?.[plan] ?? null);
  };
  return { pilot: priceOf('pilot'), lite: priceOf('lite'), prime: priceOf('prime') };
}

/** Refuses a provider or a customer that is not the office's: the same answer as for one that does not exist. */
export async function ownCustomer(ctx: OfficeCtx, card: string, customerId?: string): Promise<string> {
  if (card !== ctx.providers.card.name) throw new Refusal('not_found');
  await ctx.limits.take(readsPerMinute, ctx.officeId);
  const own = await ctx.transaction((tx) => customerOf(tx, ctx.officeId));
  if (own === null || (customerId !== undefined && customerId !== own)) throw new Refusal('not_found');
  return own;
}

/** Turns the provider's errors into `card_away`: the caller can only retry. */
export async function refuseWhenAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CardRefused) throw new Refusal('card_away', undefined, 5);
    throw error;
  }
}

const secondsOf = (at: Date | null) => at && Math.floor(at.getTime() / 1000);

const withoutPlan: Subscription = {
  id: null,
  status: null,
  plan: null,
  next_plan: null,
  cancel_at_period_end: false,
  cancel_at: null,
  trial_end: null,
  default_payment_method: null,
  current_period_end: null,
};

/** What the office's customer has, in the contract's shape. */
export async function toSubscription(scope: OfficeScope, customer: CardCustomer | null): Promise<Subscription> {
  if (!customer) return { ...withoutPlan, missing: 'customer' };
  const { subscription, card } = customer;
  const cardId = card?.id ?? null;
  if (!subscription) return { ...withoutPlan, default_payment_method: cardId };
  const { subscriptionId, status, cancelAtPeriodEnd, cancelAt, trialEnd, periodEnd, next } = subscription;
  return {
    id: subscriptionId,
    status,
    plan: await toPlan(scope, subscription, subscription),
    next_plan: next && (await toPlan(scope, next, subscription)),
    cancel_at_period_end: cancelAtPeriodEnd,
    cancel_at: secondsOf(cancelAt),
    trial_end: secondsOf(trialEnd),
    default_payment_method: cardId,
    current_period_end: secondsOf(periodEnd),
  };
}

async function toPlan(scope: OfficeScope, { priceId, quantity }: CardPlan, current: CardSubscription) {
  const own = await pricesOf(scope);
  const isCurrent = priceId === current.priceId;
  const [price] = isCurrent ? [current] : await scope.providers.card.readPrices([priceId]);
  const product = price?.productId ?? '';
  const byPrice = plans.find((plan) => own[plan] === priceId);
  return {
    product,
    price: priceId,
    name: byPrice ?? (await planOfProduct(scope, own, product)),
    amount: price?.unitCents ?? 0,
    quantity,
  };
}

/** The plan of a price that is no longer the office's: the one with the same product. */
async function planOfProduct(scope: OfficeScope, own: OwnPrices, product: string): Promise<Plan | null> {
  const priced = plans.filter((plan) => own[plan] !== null);
  const prices = await scope.providers.card.readPrices(priced.map((plan) => own[plan] ?? ''));
  return priced.find((_plan, i) => prices[i]?.productId === product) ?? null;
}

/** Looks at the provider, saves what it has, and tells the open panels if it changed. The only way that our state follows the provider's. */
export async function syncMembership(
  scope: OfficeScope,
): Promise<{ customer: CardCustomer | null; shown: Subscription }> {
  const { officeId } = scope;
  const { customerId, turn } = await scope.transaction(async (tx) => ({
    customerId: await customerOf(tx, officeId),
    turn: await takeTurn(tx, scope),
  }));
  const customer = customerId === null ? null : await scope.providers.card.readCustomer(customerId);
  if (customer && customer.officeId !== null && customer.officeId !== officeId)
    throw new Error('the card provider answers with a customer that is not ours');
  const shown = await toSubscription(scope, customer);
  await scope.transaction(async (tx) => {
    if (await saveSubscription(tx, officeId, { turn, subscription: shown, seenAt: scope.now() }))
      await sendHint(tx, { office: officeId, type: 'membership' });
  });
  return { customer, shown };
}

export async function readSubscription(ctx: OfficeCtx, card: string, customerId: string): Promise<Subscription> {
  await ownCustomer(ctx, card, customerId);
  return (await refuseWhenAway(() => syncMembership(ctx))).shown;
}

/** The membership as last seen, without asking the provider. */
export async function readMembership(ctx: OfficeCtx): Promise<OfficeMembership> {
  const prices = await pricesOf(ctx);
  return ctx.transaction(async (tx) => ({
    customerId: await customerOf(tx, ctx.officeId),
    cardPage: ctx.providers.card.cardPage,
    prices,
    subscription: (await membershipOf(tx, ctx.officeId))?.subscription ?? null,
  }));
}

/** The office's prices in cents. Ids that the caller names are only checked. */
export async function readPrices(ctx: OfficeCtx, card: string, named: Partial<Record<Plan, string | undefined>>) {
  if (card !== ctx.providers.card.name) throw new Refusal('not_found');
  await ctx.limits.take(readsPerMinute, ctx.officeId);
  const own = await pricesOf(ctx);
  if (plans.some((plan) => named[plan] !== undefined && named[plan] !== own[plan])) throw new Refusal('not_found');
  const priced = plans.filter((plan) => own[plan] !== null);
  const prices = await refuseWhenAway(() => ctx.providers.card.readPrices(priced.map((plan) => own[plan] ?? '')));
  const centsOf = (plan: Plan) => prices[priced.indexOf(plan)]?.unitCents ?? null;
  return { pilot: centsOf('pilot'), lite: centsOf('lite'), prime: centsOf('prime') };
}

/** A card as it is shown: never more than its last four digits. */
export function toPaymentDisplay(card: CardOnFile | null) {
  if (!card) return { name: null, number: null, date: null, cvv: null };
  return {
    name: card.name,
    number: `${card.brand} •••• ${card.last4}`,
    date: `${String(card.expMonth).padStart(2, '0')}/${String(card.expYear % 100).padStart(2, '0')}`,
    cvv: '•••',
  };
}

export async function readPaymentMethod(ctx: OfficeCtx, card: string, customerId: string) {
  await ownCustomer(ctx, card, customerId);
  const { customer } = await refuseWhenAway(() => syncMembership(ctx));
  return toPaymentDisplay(customer?.card ?? null);
}

export async function listInvoices(ctx: OfficeCtx, card: string, customerId: string) {
  const own = await ownCustomer(ctx, card, customerId);
  const invoices = await refuseWhenAway(() => ctx.providers.card.listInvoices(own));
  return {
    invoices: invoices.map(({ invoiceId, number, at, status, totalCents }) => ({
      id: invoiceId,
      number,
      at: at.toISOString(),
      status,
      total: totalCents,
    })),
  };
}

export async function readInvoicePdf(ctx: OfficeCtx, card: string, customerId: string, invoiceId: string) {
  const own = await ownCustomer(ctx, card, customerId);
  const pdf = await refuseWhenAway(() => ctx.providers.card.invoicePdf(own, invoiceId, ctx.timeZone));
  if (!pdf) throw new Refusal('not_found');
  return pdf;
}
