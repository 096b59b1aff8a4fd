import { CardRefused, type Card, type CardPlan } from './port.ts';
import { CardUnclear, goOn, isForNow, type StripeCalls } from './stripe-calls.ts';
import { endDeclinedInvoice, endOpenInvoices } from './stripe-invoices.ts';
import {
  Customer,
  isOver,
  itemOf,
  CreatedObject,
  Schedule,
  Subscription,
  Subscriptions,
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

/** The customer's running subscription, else its last one; null before the first. */
export async function lastSubscription(calls: StripeCalls, customer: string): Promise<Subscription | null> {
  const { data } = await calls.read(Subscriptions, (stripe) =>
    stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand: ['data.schedule'] }),
  );
  return data.find((one) => !isOver(one)) ?? data[0] ?? null;
}

/** Stripe tries the card at once unless the trial comes first; a declined first charge leaves the subscription `incomplete`. */
export async function start(calls: StripeCalls, order: Parameters<Card['start']>[0]): Promise<void> {
  const { operationId, customerId, priceId: price, quantity, trialDays } = order;
  if (trialDays === 0 && !(await hasCard(calls, customerId))) throw new CardRefused('declined');
  await calls.change(operationId, CreatedObject, (stripe, options) =>
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

/** A declined charge leaves a pending update, which would be applied whenever its invoice is paid. */
export function upgrade(calls: StripeCalls, order: Parameters<Card['upgrade']>[0]): Promise<void> {
  const { operationId, subscriptionId, priceId: price, quantity } = order;
  return withoutSchedule(calls, order, async (subscription) => {
    if (subscription.status === 'trialing') return changeNow(calls, operationId, subscription, order);
    const changed = await calls.change(operationId, Subscription, (stripe, options) =>
      stripe.subscriptions.update(
        subscriptionId,
        {
          items: [{ id: itemOf(subscription).id, price, quantity }],
          proration_behavior: 'always_invoice',
          // Stripe takes no other parameters together with this one.
          payment_behavior: 'pending_if_incomplete',
        },
        options,
      ),
    );
    if (!changed.pending_update) return;
    await endDeclinedInvoice(calls, operationId, changed.latest_invoice);
    throw new CardRefused('declined');
  });
}

/** During a trial nothing is charged or credited. */
async function changeNow(
  calls: StripeCalls,
  key: string,
  subscription: Subscription,
  { priceId: price, quantity }: CardPlan,
): Promise<void> {
  const items = [{ id: itemOf(subscription).id, price, quantity }];
  await calls.change(key, CreatedObject, (stripe, options) =>
    stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' }, options),
  );
}

export async function changeAtPeriodEnd(
  calls: StripeCalls,
  order: Parameters<Card['changeAtPeriodEnd']>[0],
): Promise<void> {
  const { operationId, subscriptionId } = order;
  const subscription = await readSubscription(calls, subscriptionId);
  const isTrial = subscription.status === 'trialing';
  if (!isTrial && !isSame(toCardSubscription(subscription), order))
    return planChange(calls, operationId, subscription, order);
  await releaseSchedule(calls, operationId, subscription);
  if (isTrial) await changeNow(calls, operationId, subscription, order);
}

const isSame = (one: CardPlan | null, other: CardPlan) =>
  one?.priceId === other.priceId && one.quantity === other.quantity;

/**
 * A schedule of two phases: as it is until the end of the period, then the other plan, which goes on without the schedule. One that is there
 * is changed: an earlier choice, or one that an earlier try began.
 */
async function planChange(
  calls: StripeCalls,
  key: string,
  { id, schedule }: Subscription,
  { priceId, quantity }: CardPlan,
): Promise<void> {
  const own =
    schedule && typeof schedule !== 'string'
      ? schedule
      : await calls.change(`${key}.schedule`, Schedule, (stripe, options) =>
          stripe.subscriptionSchedules.create({ from_subscription: id }, options),
        );
  const { phases, current_phase: now } = own;
  const current = phases.find(({ end_date: end }) => end === now?.end_date) ?? phases[0];
  if (!current) throw new CardRefused('other');
  const items = current.items.map((item) => ({ price: item.price, quantity: item.quantity ?? 1 }));
  await calls.change(key, CreatedObject, (stripe, options) =>
    stripe.subscriptionSchedules.update(
      own.id,
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

/**
 * Makes a change without the schedule of a planned downgrade, because Stripe changes and cancels no subscription under one, and puts the
 * schedule back if the change is refused. What is only refused for now stays unclear: the operation is repeated and ends in one of the two.
 */
async function withoutSchedule(
  calls: StripeCalls,
  { operationId, subscriptionId, planned }: { operationId: string; subscriptionId: string; planned: CardPlan | null },
  change: (subscription: Subscription) => Promise<void>,
): Promise<void> {
  const subscription = await readSubscription(calls, subscriptionId);
  // An earlier try may have taken it off.
  const before = toCardSubscription(subscription).next ?? planned;
  try {
    await releaseSchedule(calls, operationId, subscription);
    await change(subscription);
  } catch (error) {
    if (!(error instanceof CardRefused) || !before) throw error;
    if (isForNow(error)) throw new CardUnclear();
    await putBack(calls, operationId, subscriptionId, before);
    throw error;
  }
}

/** Plans a change again. A subscription that cannot have it any more stays without it. */
async function putBack(calls: StripeCalls, operationId: string, subscriptionId: string, planned: CardPlan) {
  try {
    await goOn(async () => {
      const subscription = await readSubscription(calls, subscriptionId);
      if (isOver(subscription) || isSame(toCardSubscription(subscription).next, planned)) return;
      await planChange(calls, `${operationId}.again`, subscription, planned);
    });
  } catch (error) {
    if (!(error instanceof CardRefused)) throw error;
  }
}

async function releaseSchedule(calls: StripeCalls, key: string, { schedule }: Subscription): Promise<void> {
  if (!schedule) return;
  const id = typeof schedule === 'string' ? schedule : schedule.id;
  await calls.change(`${key}.release`, CreatedObject, (stripe, options) =>
    stripe.subscriptionSchedules.release(id, {}, options),
  );
}

const isPaidFor = ({ status }: Subscription) => ['trialing', 'active', 'past_due'].includes(status);

export async function cancel(calls: StripeCalls, order: Parameters<Card['cancel']>[0]): Promise<void> {
  const { operationId, subscriptionId } = order;
  let isEnded = true;
  await withoutSchedule(calls, order, async (subscription) => {
    // An earlier try may have ended it, and not yet what is due for it.
    if (isOver(subscription)) return;
    isEnded = !isPaidFor(subscription);
    await calls.change(operationId, CreatedObject, (stripe, options) =>
      isEnded
        ? stripe.subscriptions.cancel(subscriptionId, {}, options)
        : stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }, options),
    );
  });
  if (isEnded) await goOn(() => endOpenInvoices(calls, operationId, subscriptionId));
}

/** A paused subscription begins a new period now, once its invoice is paid. A declined charge leaves a pending resumption. */
export async function reactivate(calls: StripeCalls, order: Parameters<Card['reactivate']>[0]): Promise<void> {
  const { operationId, subscriptionId } = order;
  const subscription = await readSubscription(calls, subscriptionId);
  if (subscription.status !== 'paused') {
    const changes = subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' as const };
    await calls.change(operationId, CreatedObject, (stripe, options) =>
      stripe.subscriptions.update(subscriptionId, changes, options),
    );
    return;
  }
  if (!(await hasCard(calls, subscription.customer))) throw new CardRefused('declined');
  const resumed = await calls.change(operationId, Subscription, (stripe, options) =>
    stripe.subscriptions.resume(subscriptionId, { payment_behavior: 'resume_on_payment_success' }, options),
  );
  if (resumed.status === 'active') return;
  await endDeclinedInvoice(calls, operationId, resumed.latest_invoice);
  throw new CardRefused('declined');
}
