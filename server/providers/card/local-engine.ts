import type { MembershipStatus } from '#contract/membership.ts';
import type { CardPlan, InvoiceLine, InvoiceStatus } from './port.ts';
import { productOf, unitCentsOf } from './local-prices.ts';

/** The local provider's books: pure functions that say how a subscription goes on with time, and what it is charged. */

export interface LocalSubscription extends CardPlan {
  id: string;
  status: MembershipStatus;
  /** The day of the month on which periods begin. */
  anchor: Date;
  periodStart: Date;
  periodEnd: Date;
  trialEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  next: CardPlan | null;
  /** When a declined charge is tried again, and how often it was. */
  retryAt: Date | null;
  retries: number;
  endedAt: Date | null;
}

export interface LocalInvoice {
  at: Date;
  status: InvoiceStatus;
  lines: InvoiceLine[];
  paidAt: Date | null;
}

/** What a step of time did: the subscription after it, a new invoice, what became of the open one, and the events to report. */
export interface Step {
  subscription: LocalSubscription;
  newInvoice: LocalInvoice | null;
  openInvoice: 'paid' | 'void' | 'uncollectible' | null;
  events: string[];
}

/** How the card on file answers a charge. */
export type ChargeAnswer = 'ok' | 'declined' | 'no-card';

const day = 86_400_000;
/** After a declined renewal: after 3, 5 and 7 more days, then no more. */
const retryAfterDays = [3, 5, 7];
const incompleteForMs = 23 * 3_600_000;

/** `months` after `anchor`, on the same day of the month or the last one of a shorter month. */
export function addMonths(anchor: Date, months: number): Date {
  const at = new Date(anchor);
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return at;
}

/** The end of the period that begins at `start`. */
export function periodEndOf(anchor: Date, start: Date): Date {
  for (let months = 1; ; months++) {
    const end = addMonths(anchor, months);
    if (end > start) return end;
  }
}

/** The price of the rest of a period, to the second, rounded to a cent. */
export function restOf(
  plan: CardPlan,
  { periodStart, periodEnd }: Pick<LocalSubscription, 'periodStart' | 'periodEnd'>,
  at: Date,
): number {
  const seconds = (from: Date, to: Date) => Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));
  const left = Math.min(seconds(at, periodEnd), seconds(periodStart, periodEnd));
  return Math.round((unitCentsOf(plan.priceId) * plan.quantity * left) / seconds(periodStart, periodEnd));
}

/** The two lines of an upgrade at this time: a credit for the rest of the old plan, a charge for the rest of the new one. */
export function upgradeLines(subscription: LocalSubscription, wanted: CardPlan, at: Date): InvoiceLine[] {
  const { periodEnd } = subscription;
  const line = (kind: 'credit' | 'charge', plan: CardPlan, cents: number): InvoiceLine => ({
    text: {
      kind,
      productId: productOf(plan.priceId),
      quantity: plan.quantity,
      from: at.toISOString(),
      to: periodEnd.toISOString(),
    },
    cents,
  });
  return [
    line('credit', subscription, 0 - restOf(subscription, subscription, at)),
    line('charge', wanted, restOf(wanted, subscription, at)),
  ];
}

export const totalOf = (lines: readonly InvoiceLine[]) => lines.reduce((sum, { cents }) => sum + cents, 0);

function periodLine(subscription: LocalSubscription): InvoiceLine {
  const { priceId, quantity, periodStart, periodEnd } = subscription;
  return {
    text: {
      kind: 'period',
      productId: productOf(priceId),
      quantity,
      from: periodStart.toISOString(),
      to: periodEnd.toISOString(),
    },
    cents: unitCentsOf(priceId) * quantity,
  };
}

const none = { newInvoice: null, openInvoice: null } as const;

/** A new subscription, in its trial or with its first charge. */
export function startSubscription(
  id: string,
  plan: CardPlan,
  { at, trialDays, answer }: { at: Date; trialDays: number; answer: ChargeAnswer },
): Step {
  const trialEnd = trialDays > 0 ? new Date(at.getTime() + trialDays * day) : null;
  const subscription: LocalSubscription = {
    id,
    ...plan,
    status: 'trialing',
    anchor: trialEnd ?? at,
    periodStart: at,
    periodEnd: trialEnd ?? addMonths(at, 1),
    trialEnd,
    cancelAtPeriodEnd: false,
    next: null,
    retryAt: null,
    retries: 0,
    endedAt: null,
  };
  const created = 'customer.subscription.created';
  if (trialEnd) return { subscription, ...none, events: [created] };
  const paidStep = answer === 'ok';
  return {
    subscription: {
      ...subscription,
      status: paidStep ? 'active' : 'incomplete',
      retryAt: paidStep ? null : new Date(at.getTime() + incompleteForMs),
    },
    newInvoice: newInvoice(subscription, at, paidStep),
    openInvoice: null,
    events: [created, paidStep ? 'invoice.paid' : 'invoice.payment_failed'],
  };
}

function newInvoice(subscription: LocalSubscription, at: Date, paid: boolean): LocalInvoice {
  return { at, status: paid ? 'paid' : 'open', lines: [periodLine(subscription)], paidAt: paid ? at : null };
}

/** When something happens next by itself; null if never. */
export function nextDue({ status, periodEnd, retryAt }: LocalSubscription): Date | null {
  if (status === 'trialing' || status === 'active' || status === 'unpaid') return periodEnd;
  if (status === 'incomplete') return retryAt;
  if (status === 'past_due') return retryAt && retryAt < periodEnd ? retryAt : periodEnd;
  return null;
}

/** What happens at `nextDue`. */
export function stepAt(subscription: LocalSubscription, at: Date, answer: ChargeAnswer): Step {
  const { status, periodEnd, cancelAtPeriodEnd } = subscription;
  if (status === 'incomplete') return endStep(subscription, at, 'incomplete_expired');
  if (at < periodEnd) return retryStep(subscription, at, answer);
  if (cancelAtPeriodEnd || status === 'unpaid') return endStep(subscription, at, 'canceled');
  if (status === 'trialing' && answer === 'no-card')
    return { subscription: { ...subscription, status: 'paused' }, ...none, events: ['customer.subscription.paused'] };
  return renewalStep(subscription, at, answer);
}

function endStep(subscription: LocalSubscription, at: Date, status: 'canceled' | 'incomplete_expired'): Step {
  return {
    subscription: { ...subscription, status, endedAt: at, retryAt: null, next: null },
    newInvoice: null,
    openInvoice: subscription.status === 'unpaid' ? 'uncollectible' : 'void',
    events: ['customer.subscription.deleted'],
  };
}

/** A new period, with the plan that was chosen for it. */
function renewalStep(subscription: LocalSubscription, at: Date, answer: ChargeAnswer): Step {
  const paid = answer === 'ok';
  const renewedSubscription: LocalSubscription = {
    ...subscription,
    ...subscription.next,
    next: null,
    status: paid ? 'active' : 'past_due',
    periodStart: at,
    periodEnd: periodEndOf(subscription.anchor, at),
    retryAt: paid ? null : new Date(at.getTime() + (retryAfterDays[0] ?? 0) * day),
    retries: 0,
  };
  return {
    subscription: renewedSubscription,
    newInvoice: newInvoice(renewedSubscription, at, paid),
    openInvoice: null,
    events: ['customer.subscription.updated', paid ? 'invoice.paid' : 'invoice.payment_failed'],
  };
}

/** Another try at an unpaid invoice: after the last one it stays unpaid. */
function retryStep(subscription: LocalSubscription, at: Date, answer: ChargeAnswer): Step {
  if (answer === 'ok') return markPaid(subscription);
  const retries = subscription.retries + 1;
  const wait = retryAfterDays[retries];
  return {
    subscription: {
      ...subscription,
      retries,
      status: wait === undefined ? 'unpaid' : 'past_due',
      retryAt: wait === undefined ? null : new Date(at.getTime() + wait * day),
    },
    ...none,
    events: ['invoice.payment_failed', 'customer.subscription.updated'],
  };
}

function markPaid(subscription: LocalSubscription): Step {
  return {
    subscription: { ...subscription, status: 'active', retryAt: null, retries: 0 },
    newInvoice: null,
    openInvoice: 'paid',
    events: ['invoice.paid', 'customer.subscription.updated'],
  };
}

/** Another card pays what is due at once. */
export function payWithNewCard(subscription: LocalSubscription, answer: ChargeAnswer): Step | null {
  const isDue = ['past_due', 'unpaid', 'incomplete'].includes(subscription.status);
  return isDue && answer === 'ok' ? markPaid(subscription) : null;
}

/** Ends at the end of the period; at once if nothing of it is paid. */
export function cancelSubscription(subscription: LocalSubscription, at: Date): Step {
  const isPaidFor = ['trialing', 'active', 'past_due'].includes(subscription.status);
  if (!isPaidFor) return endStep(subscription, at, 'canceled');
  return {
    subscription: { ...subscription, cancelAtPeriodEnd: true, next: null },
    ...none,
    events: ['customer.subscription.updated'],
  };
}

/** Takes the cancellation back. A paused subscription begins a new period, if its charge succeeds. */
export function reactivateSubscription(subscription: LocalSubscription, at: Date, answer: ChargeAnswer): Step | null {
  const events = ['customer.subscription.updated'];
  if (subscription.status !== 'paused')
    return { subscription: { ...subscription, cancelAtPeriodEnd: false }, ...none, events };
  if (answer !== 'ok') return null;
  const step = renewalStep({ ...subscription, anchor: at }, at, answer);
  return { ...step, events: ['customer.subscription.resumed', ...step.events] };
}
