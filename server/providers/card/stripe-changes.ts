import { CardRefused, type Card, type CardPlan } from './port.ts';
import type { StripeCalls } from './stripe-calls.ts';
import {
  Customer,
  isOver,
  itemOf,
  Made,
  Schedule,
  Subscription,
  toCardOnFile,
  toCardSubscription,
} from './stripe-shapes.ts';

/**
 * The changes of a subscription at Stripe. Each is one or a few calls with keys made of the operation's id, so that a repeated operation goes
 * on where an earlier try stopped.
 */

const withSchedule = { expand: ['schedule'] };

export const readSubscription = (calls: StripeCalls, id: string): Promise<Subscription> =>
  calls.read(Subscription, (stripe) => stripe.subscriptions.retrieve(id, withSchedule));

/** Stripe tries the card at once unless the trial comes first; a declined first charge leaves the subscription `incomplete`. */
export async function start(calls: StripeCalls, order: Parameters<Card['start']>[0]): Promise<void> {
  const { operationId, customerId, priceId: price, quantity, trialDays } = order;
  if (trialDays === 0 && !(await hasCard(calls, customerId))) throw new CardRefused('declined');
  await calls.change(operationId, Made, (stripe, options) =>
    stripe.subscriptions.create(
      {
        customer: customerId,
        items: [{ price, quantity }],
        ...(trialDays > 0
          ? {
              trial_period_days: trialDays,
              trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
              payment_behavior: 'default_incomplete',
            }
          : { payment_behavior: 'allow_incomplete', off_session: true }),
      },
      options,
    ),
  );
}

async function hasCard(calls: StripeCalls, customerId: string): Promise<boolean> {
  const customer = await calls.read(Customer, (stripe) =>
    stripe.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }),
  );
  return toCardOnFile(customer) !== null;
}

/**
 * A declined charge leaves a pending update, which would be applied whenever its invoice is paid, also days later: so the invoice is voided.
 * A planned downgrade is taken off before, because Stripe does not change a subscription under a schedule, and put back if the charge fails.
 */
export async function upgrade(calls: StripeCalls, order: Parameters<Card['upgrade']>[0]): Promise<void> {
  const { operationId, subscriptionId, ...plan } = order;
  const subscription = await readSubscription(calls, subscriptionId);
  const planned = toCardSubscription(subscription).next;
  await releaseSchedule(calls, operationId, subscription);
  if (subscription.status === 'trialing') return changeNow(calls, operationId, subscription, plan);
  const changed = await calls.change(operationId, Subscription, (stripe, options) =>
    stripe.subscriptions.update(
      subscriptionId,
      {
        items: [{ id: itemOf(subscription).id, price: plan.priceId, quantity: plan.quantity }],
        proration_behavior: 'always_invoice',
        // Stripe takes no other parameters together with this one.
        payment_behavior: 'pending_if_incomplete',
      },
      options,
    ),
  );
  if (!changed.pending_update) return;
  const { latest_invoice: invoice } = changed;
  if (invoice)
    await calls.change(`${operationId}.void`, Made, (stripe, options) =>
      stripe.invoices.voidInvoice(invoice, {}, options),
    );
  if (planned) await planChange(calls, `${operationId}.again`, subscriptionId, planned);
  throw new CardRefused('declined');
}

/** During a trial nothing is charged or credited. */
async function changeNow(
  calls: StripeCalls,
  key: string,
  subscription: Subscription,
  { priceId: price, quantity }: CardPlan,
): Promise<void> {
  const items = [{ id: itemOf(subscription).id, price, quantity }];
  await calls.change(key, Made, (stripe, options) =>
    stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' }, options),
  );
}

export async function changeAtPeriodEnd(
  calls: StripeCalls,
  order: Parameters<Card['changeAtPeriodEnd']>[0],
): Promise<void> {
  const { operationId, subscriptionId, ...plan } = order;
  const subscription = await readSubscription(calls, subscriptionId);
  await releaseSchedule(calls, operationId, subscription);
  if (subscription.status === 'trialing') return changeNow(calls, operationId, subscription, plan);
  const { price, quantity } = itemOf(subscription);
  if (price.id === plan.priceId && quantity === plan.quantity) return;
  await planChange(calls, operationId, subscriptionId, plan);
}

/** A schedule of two phases: as it is until the end of the period, then the other plan, which goes on without the schedule. */
async function planChange(
  calls: StripeCalls,
  key: string,
  subscriptionId: string,
  { priceId, quantity }: CardPlan,
): Promise<void> {
  const made = await calls.change(`${key}.schedule`, Schedule, (stripe, options) =>
    stripe.subscriptionSchedules.create({ from_subscription: subscriptionId }, options),
  );
  const [current] = made.phases;
  if (!current) throw new CardRefused('other');
  const items = current.items.map((item) => ({ price: item.price, quantity: item.quantity ?? 1 }));
  await calls.change(key, Made, (stripe, options) =>
    stripe.subscriptionSchedules.update(
      made.id,
      {
        end_behavior: 'release',
        phases: [
          { items, start_date: current.start_date, end_date: current.end_date, proration_behavior: 'none' },
          {
            items: [{ price: priceId, quantity }],
            duration: { interval: 'month', interval_count: 1 },
            proration_behavior: 'none',
          },
        ],
      },
      options,
    ),
  );
}

/** Stripe refuses to cancel or to switch a subscription that a schedule manages. */
async function releaseSchedule(calls: StripeCalls, key: string, { schedule }: Subscription): Promise<void> {
  if (!schedule) return;
  const id = typeof schedule === 'string' ? schedule : schedule.id;
  await calls.change(`${key}.release`, Made, (stripe, options) =>
    stripe.subscriptionSchedules.release(id, {}, options),
  );
}

const isPaidFor = ({ status }: Subscription) => ['trialing', 'active', 'past_due'].includes(status);

export async function cancel(calls: StripeCalls, order: Parameters<Card['cancel']>[0]): Promise<void> {
  const { operationId, subscriptionId } = order;
  const subscription = await readSubscription(calls, subscriptionId);
  if (isOver(subscription)) return;
  await releaseSchedule(calls, operationId, subscription);
  await calls.change(operationId, Made, (stripe, options) =>
    isPaidFor(subscription)
      ? stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }, options)
      : stripe.subscriptions.cancel(subscriptionId, {}, options),
  );
}

/** A paused subscription begins a new period now, once its invoice is paid. */
export async function reactivate(calls: StripeCalls, order: Parameters<Card['reactivate']>[0]): Promise<void> {
  const { operationId, subscriptionId } = order;
  const subscription = await readSubscription(calls, subscriptionId);
  if (subscription.status !== 'paused') {
    const changes = subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' as const };
    await calls.change(operationId, Made, (stripe, options) =>
      stripe.subscriptions.update(subscriptionId, changes, options),
    );
    return;
  }
  if (!(await hasCard(calls, subscription.customer))) throw new CardRefused('declined');
  const resumed = await calls.change(operationId, Subscription, (stripe, options) =>
    stripe.subscriptions.resume(subscriptionId, { payment_behavior: 'resume_on_payment_success' }, options),
  );
  if (resumed.status !== 'active') throw new CardRefused('declined');
}
