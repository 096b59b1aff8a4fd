import { createHash } from 'node:crypto';
import type { Services } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import {
  cancelSubscription,
  nextDue,
  payWithNewCard,
  reactivateSubscription,
  startSubscription,
  stepAt,
  totalOf,
  upgradeLines,
  type ChargeAnswer,
  type LocalSubscription,
  type Step,
} from './local-engine.ts';
import { readLocalPrice } from './local-prices.ts';
import {
  addEvent,
  claimKey,
  customerIdOfSubscription,
  dueCustomers,
  endOpenInvoices,
  forgetOld,
  insertInvoice,
  lastSubscription,
  lockCustomer,
  moveIntoPast,
  paymentMethodById,
  saveSubscription,
  setPaymentMethod,
  takeToken,
  type CustomerRow,
} from './local-sql.ts';
import { CardRefused, type Card, type CardPlan } from './port.ts';

/** A customer's account at the local provider: one transaction per call, with time brought up to now first. */

export type LocalCardServices = Pick<Services, 'db' | 'id' | 'now'>;

interface Account {
  customer: CustomerRow;
  subscription: LocalSubscription | null;
  answer: ChargeAnswer;
}

/** Runs work on a customer's account, brought up to now; throws if there is no such customer. */
export function withAccount<T>(
  services: LocalCardServices,
  customerId: string,
  work: (tx: Tx, account: Account) => Promise<T>,
): Promise<T> {
  return services.db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId);
    if (!customer) throw new CardRefused('not-found');
    const method = customer.paymentMethodId ? await paymentMethodById(tx, customer.paymentMethodId) : undefined;
    const answer: ChargeAnswer = !method ? 'no-card' : method.behavior === 'ok' ? 'ok' : 'declined';
    const subscription = await bringUpToNow(tx, services, customerId, answer);
    return work(tx, { customer, subscription, answer });
  });
}

async function bringUpToNow(
  tx: Tx,
  services: LocalCardServices,
  customerId: string,
  answer: ChargeAnswer,
): Promise<LocalSubscription | null> {
  let subscription = await lastSubscription(tx, customerId);
  for (let due = subscription && nextDue(subscription); subscription && due && due <= services.now();) {
    const step = stepAt(subscription, due, answer);
    await saveStep(tx, services, customerId, step, due);
    ({ subscription } = step);
    due = nextDue(subscription);
  }
  return subscription;
}

async function saveStep(
  tx: Tx,
  services: LocalCardServices,
  customerId: string,
  { subscription, newInvoice, openInvoice, events }: Step,
  at: Date,
): Promise<void> {
  await saveSubscription(tx, customerId, subscription, at);
  if (openInvoice) await endOpenInvoices(tx, subscription.id, openInvoice, at);
  if (newInvoice) {
    const id = `in_local_${services.id().replaceAll('-', '')}`;
    const totalCents = totalOf(newInvoice.lines);
    await insertInvoice(tx, { id, customerId, subscriptionId: subscription.id, totalCents, ...newInvoice });
  }
  for (const type of events) await addEvent(tx, services, customerId, type);
}

/** Runs a change once per operation id. The same id with another input is a conflict. */
function once(
  services: LocalCardServices,
  customerId: string,
  { operationId, ...input }: { operationId: string },
  change: (tx: Tx, account: Account) => Promise<void>,
): Promise<void> {
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest();
  return withAccount(services, customerId, async (tx, account) => {
    const before = await claimKey(tx, { id: operationId, inputHash, at: services.now() });
    if (!before) return change(tx, account);
    if (!before.equals(inputHash)) throw new CardRefused('conflict');
  });
}

/** The same for a change of the customer's last subscription. */
async function onceFor(
  services: LocalCardServices,
  order: { operationId: string; subscriptionId: string },
  change: (tx: Tx, account: Account & { subscription: LocalSubscription }) => Promise<void>,
): Promise<void> {
  const customerId = await customerIdOfSubscription(services.db, order.subscriptionId);
  if (customerId === undefined) throw new CardRefused('not-found');
  return once(services, customerId, order, (tx, { subscription, ...account }) => {
    if (subscription?.id !== order.subscriptionId) throw new CardRefused('invalid');
    return change(tx, { ...account, subscription });
  });
}

const isRunning = ({ status }: LocalSubscription) => status !== 'canceled' && status !== 'incomplete_expired';

function requireSellable({ priceId, quantity }: CardPlan): void {
  if (!readLocalPrice(priceId) || !Number.isInteger(quantity) || quantity < 1) throw new CardRefused('invalid');
}

export function start(services: LocalCardServices, order: Parameters<Card['start']>[0]): Promise<void> {
  const { customerId, priceId, quantity, trialDays } = order;
  requireSellable(order);
  return once(services, customerId, order, async (tx, { subscription, answer }) => {
    if (subscription && isRunning(subscription)) throw new CardRefused('conflict');
    const at = services.now();
    if (answer === 'no-card' && trialDays === 0) throw new CardRefused('declined');
    const id = `sub_local_${services.id().replaceAll('-', '')}`;
    await saveStep(
      tx,
      services,
      customerId,
      startSubscription(id, { priceId, quantity }, { at, trialDays, answer }),
      at,
    );
  });
}

/** In a trial nothing is charged. A declined charge rolls everything back. */
export function upgrade(services: LocalCardServices, order: Parameters<Card['upgrade']>[0]): Promise<void> {
  const { priceId, quantity } = order;
  requireSellable(order);
  return onceFor(services, order, async (tx, { customer, subscription, answer }) => {
    if (subscription.cancelAtPeriodEnd || !['trialing', 'active'].includes(subscription.status))
      throw new CardRefused('invalid');
    const at = services.now();
    const isFree = subscription.status === 'trialing';
    const lines = upgradeLines(subscription, { priceId, quantity }, at);
    if (!isFree && totalOf(lines) > 0 && answer !== 'ok') throw new CardRefused('declined');
    await saveStep(
      tx,
      services,
      customer.id,
      {
        subscription: { ...subscription, priceId, quantity, next: null },
        newInvoice: isFree ? null : { at, status: 'paid', lines, paidAt: at },
        openInvoice: null,
        events: ['customer.subscription.updated', ...(isFree ? [] : ['invoice.paid'])],
      },
      at,
    );
  });
}

export function changeAtPeriodEnd(
  services: LocalCardServices,
  order: Parameters<Card['changeAtPeriodEnd']>[0],
): Promise<void> {
  const plan = { priceId: order.priceId, quantity: order.quantity };
  requireSellable(plan);
  return onceFor(services, order, async (tx, { customer, subscription }) => {
    if (subscription.cancelAtPeriodEnd || !['trialing', 'active'].includes(subscription.status))
      throw new CardRefused('invalid');
    const isSame = subscription.priceId === plan.priceId && subscription.quantity === plan.quantity;
    const isAtOnce = subscription.status === 'trialing';
    const changed: LocalSubscription = isAtOnce
      ? { ...subscription, ...plan, next: null }
      : { ...subscription, next: isSame ? null : plan };
    const events = ['customer.subscription.updated'];
    await saveStep(
      tx,
      services,
      customer.id,
      { subscription: changed, newInvoice: null, openInvoice: null, events },
      services.now(),
    );
  });
}

export function cancel(services: LocalCardServices, order: Parameters<Card['cancel']>[0]): Promise<void> {
  return onceFor(services, order, async (tx, { customer, subscription }) => {
    if (!isRunning(subscription)) throw new CardRefused('invalid');
    const at = services.now();
    await saveStep(tx, services, customer.id, cancelSubscription(subscription, at), at);
  });
}

export function reactivate(services: LocalCardServices, order: Parameters<Card['reactivate']>[0]): Promise<void> {
  return onceFor(services, order, async (tx, { customer, subscription, answer }) => {
    if (!subscription.cancelAtPeriodEnd && subscription.status !== 'paused') throw new CardRefused('invalid');
    const at = services.now();
    const step = reactivateSubscription(subscription, at, answer);
    if (!step) throw new CardRefused('declined');
    await saveStep(tx, services, customer.id, step, at);
  });
}

const tokenLifeMs = 3_600_000;

/** A card that the bank refuses is not saved; the one before it stays. */
export function saveCard(services: LocalCardServices, order: Parameters<Card['saveCard']>[0]): Promise<void> {
  const { customerId, token, name } = order;
  return once(services, customerId, order, async (tx, { subscription }) => {
    const at = services.now();
    const card = await takeToken(tx, hashToken(token), new Date(at.getTime() - tokenLifeMs));
    if (!card || card.behavior === 'declined') throw new CardRefused('declined');
    const { tokenHash: _, createdAt: _createdAt, behavior, ...shown } = card;
    const id = `pm_local_${services.id().replaceAll('-', '')}`;
    await setPaymentMethod(tx, { id, customerId, name, behavior, createdAt: at, ...shown });
    await addEvent(tx, services, customerId, 'payment_method.attached');
    const step = subscription && payWithNewCard(subscription, behavior === 'ok' ? 'ok' : 'declined');
    if (step) await saveStep(tx, services, customerId, step, at);
  });
}

const batch = 50;

/** Brings the subscriptions that are due up to now; true if more may be due. */
export async function advanceDue(services: LocalCardServices): Promise<boolean> {
  const due = await dueCustomers(services.db, services.now(), batch);
  for (const customerId of due) await withAccount(services, customerId, async () => undefined);
  return due.length === batch;
}

/** Lets days pass for one customer, to try out what happens then: its dates move into the past, so that its clock and ours agree. */
export async function letDaysPass(services: LocalCardServices, customerId: string, days: number): Promise<void> {
  await withAccount(services, customerId, async (tx) => {
    await moveIntoPast(tx, customerId, days);
    await addEvent(tx, services, customerId, 'customer.subscription.updated');
  });
  await withAccount(services, customerId, async () => undefined);
}

/** Once a day is enough. */
export async function forgetUsed({ db, now }: LocalCardServices): Promise<void> {
  await forgetOld(db, new Date(now().getTime() - 86_400_000));
}
