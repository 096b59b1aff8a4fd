import * as z from 'zod/mini';
import { membershipStatuses } from '#contract/membership.ts';
import { CardRefused, type CardOnFile, type CardPlan, type CardSubscription } from './port.ts';

/** The fields we read of Stripe's answers; the others may change. */

/** Another object, named by its id or given whole. */
const Id = z.pipe(
  z.union([z.string(), z.looseObject({ id: z.string() })]),
  z.transform((given) => (typeof given === 'string' ? given : given.id)),
);
const Seconds = z.nullish(z.number());

export const Price = z.looseObject({ id: z.string(), product: Id, unit_amount: z.nullish(z.number()) });

const Item = z.looseObject({
  id: z.string(),
  price: Price,
  quantity: z.nullish(z.number()),
  /** Newer versions of the API have it here, older ones at the subscription. */
  current_period_end: Seconds,
});
const PhaseItem = z.looseObject({ price: Id, quantity: z.nullish(z.number()) });
const Phase = z.looseObject({ start_date: z.number(), end_date: z.number(), items: z.array(PhaseItem) });
export const Schedule = z.looseObject({
  id: z.string(),
  status: z.string(),
  current_phase: z.nullish(z.looseObject({ end_date: z.number() })),
  phases: z.array(Phase),
});
export const Subscription = z.looseObject({
  id: z.string(),
  customer: Id,
  status: z.string(),
  items: z.looseObject({ data: z.array(Item).check(z.minLength(1)) }),
  current_period_end: Seconds,
  trial_end: Seconds,
  cancel_at_period_end: z.boolean(),
  cancel_at: Seconds,
  ended_at: Seconds,
  schedule: z.nullish(z.union([z.string(), Schedule])),
  latest_invoice: z.nullish(Id),
  pending_update: z.nullish(z.looseObject({})),
});
export type Subscription = z.output<typeof Subscription>;
export const Subscriptions = z.looseObject({ data: z.array(Subscription) });

export const PaymentMethod = z.looseObject({
  id: z.string(),
  billing_details: z.nullish(z.looseObject({ name: z.nullish(z.string()) })),
  card: z.nullish(z.looseObject({ brand: z.string(), last4: z.string(), exp_month: z.number(), exp_year: z.number() })),
});
export const Customer = z.looseObject({
  id: z.string(),
  deleted: z.optional(z.boolean()),
  name: z.nullish(z.string()),
  metadata: z.nullish(z.record(z.string(), z.string())),
  invoice_settings: z.nullish(
    z.looseObject({ default_payment_method: z.nullish(z.union([z.string(), PaymentMethod])) }),
  ),
});
export type Customer = z.output<typeof Customer>;

export const SetupIntent = z.looseObject({ status: z.string() });
export const CreatedObject = z.looseObject({ id: z.string() });

export const Invoice = z.looseObject({
  id: z.string(),
  customer: z.nullish(Id),
  number: z.nullish(z.string()),
  created: z.number(),
  /** What it was made for: `subscription_create` is the first charge of a plan. */
  billing_reason: z.nullish(z.string()),
  status: z.nullish(z.string()),
  total: z.number(),
  invoice_pdf: z.nullish(z.string()),
});
export const Invoices = z.looseObject({ data: z.array(Invoice) });
export const Preview = z.looseObject({
  amount_due: z.number(),
  lines: z.looseObject({ data: z.array(z.looseObject({ amount: z.number() })) }),
});

/** Parses an answer; an unexpected shape counts as no answer. */
export function parse<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const read = z.safeParse(schema, answer);
  if (!read.success) throw new UnexpectedShape();
  return read.data;
}

/** An answer we do not understand: what it was the answer to may have happened. */
export class UnexpectedShape extends Error {
  override readonly name = 'UnexpectedShape';
}

/** The first item: our subscriptions have one. */
export function itemOf({ items }: Subscription): z.output<typeof Item> {
  const [item] = items.data;
  if (!item) throw new UnexpectedShape();
  return item;
}

/** The end of the paid period, in both places it can be. */
export function periodEndOf(subscription: Subscription): number | null {
  const ends = subscription.items.data.flatMap(({ current_period_end: end }) => (end ? [end] : []));
  return ends.length > 0 ? Math.min(...ends) : (subscription.current_period_end ?? subscription.trial_end ?? null);
}

export const isOver = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired';

/** What a schedule changes the plan to after the current phase; null if it changes nothing. */
function nextOf(subscription: Subscription): CardPlan | null {
  const { schedule } = subscription;
  if (!schedule || typeof schedule === 'string' || schedule.status !== 'active') return null;
  const from = schedule.current_phase?.end_date ?? periodEndOf(subscription) ?? 0;
  const [item] = schedule.phases.find(({ start_date }) => start_date >= from)?.items ?? [];
  if (!item) return null;
  const current = itemOf(subscription);
  const next = { priceId: item.price, quantity: item.quantity ?? 1 };
  return next.priceId === current.price.id && next.quantity === current.quantity ? null : next;
}

const dateOf = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);

export function toCardSubscription(subscription: Subscription): CardSubscription {
  const { id, customer, trial_end, cancel_at, ended_at } = subscription;
  const item = itemOf(subscription);
  const status = membershipStatuses.find((known) => known === subscription.status);
  const periodEnd = dateOf(periodEndOf(subscription));
  if (!status || !periodEnd) throw new CardRefused('other');
  // A cancellation in Stripe's own portal may only set the date.
  const ends = subscription.cancel_at_period_end || (!isOver(subscription) && Boolean(cancel_at));
  return {
    subscriptionId: id,
    customerId: customer,
    status,
    priceId: item.price.id,
    productId: item.price.product,
    unitCents: item.price.unit_amount ?? 0,
    quantity: item.quantity ?? 1,
    trialEnd: dateOf(trial_end),
    periodEnd,
    cancelAtPeriodEnd: ends,
    cancelAt: ends ? (dateOf(cancel_at) ?? periodEnd) : dateOf(ended_at),
    next: nextOf(subscription),
  };
}

const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** The card that is charged; null without one. */
export function toCardOnFile({ name, invoice_settings }: Customer): CardOnFile | null {
  const method = invoice_settings?.default_payment_method;
  if (!method || typeof method === 'string' || !method.card) return null;
  const { brand, last4, exp_month, exp_year } = method.card;
  return {
    id: method.id,
    name: method.billing_details?.name ?? name ?? '',
    brand: brands[brand] ?? 'Card',
    last4,
    expMonth: exp_month,
    expYear: exp_year,
  };
}
