/** The life cycle of the office's subscription: its states, which move is possible in which state, and what a dashboard warns about. */
import * as z from 'zod/mini';

/** In the order of upgrades. */
export const plans = ['pilot', 'lite', 'prime'] as const;
export type Plan = (typeof plans)[number];

/**
 * trialing: free until the trial's end. incomplete: the first charge was declined. past_due: a renewal was declined and is retried.
 * unpaid: the retries are used up. paused: the trial ended without a card.
 */
export const membershipStatuses = [
  'trialing',
  'active',
  'past_due',
  'incomplete',
  'incomplete_expired',
  'unpaid',
  'paused',
  'canceled',
] as const;
export type MembershipStatus = (typeof membershipStatuses)[number];

/** `none`: the office never had a plan. `ending`: canceled, and still runs until the end of its period. */
export type MembershipState = MembershipStatus | 'none' | 'ending';

/** The life cycle: which move is possible in which state. The provider's answer says which state follows. */
export const membershipMoves = {
  start: { from: ['none', 'canceled', 'incomplete_expired'] },
  upgrade: { from: ['trialing', 'active'] },
  downgrade: { from: ['trialing', 'active'] },
  /** Takes a planned downgrade back. */
  keep: { from: ['trialing', 'active'] },
  cancel: { from: ['trialing', 'active', 'past_due', 'incomplete', 'unpaid', 'paused'] },
  reactivate: { from: ['ending', 'paused'] },
} as const satisfies Record<string, { from: readonly MembershipState[] }>;
export type MembershipMove = keyof typeof membershipMoves;

export const mayMove = (state: MembershipState, move: MembershipMove) =>
  (membershipMoves[move].from as readonly MembershipState[]).includes(state);

/** What a state is made of. */
interface Membership {
  status: MembershipStatus;
  cancel_at_period_end: boolean;
}

export function stateOf(subscription: Membership | null): MembershipState {
  if (!subscription) return 'none';
  const { status, cancel_at_period_end: ends } = subscription;
  const runs = status === 'trialing' || status === 'active' || status === 'past_due';
  return runs && ends ? 'ending' : status;
}

interface WantedPlan {
  plan: Plan;
  providers: number;
  price: string;
}

interface CurrentPlan {
  state: MembershipState;
  plan: Plan | null;
  providers: number;
  price: string | null;
  /** What it changes to at the end of the period; null if nothing changes. */
  next: { plan: Plan | null; providers: number } | null;
}

/** The plan of a subscription as it is served. */
export function currentPlanOf(subscription: Subscription): CurrentPlan {
  const { plan, next_plan: next } = subscription;
  return {
    state: subscriptionState(subscription),
    plan: plan?.name ?? null,
    providers: plan?.quantity ?? 0,
    price: plan?.price ?? null,
    next: next && { plan: next.name, providers: next.quantity },
  };
}

/** What choosing a plan means for a subscription; null if nothing would change. */
export function moveToPlan(current: CurrentPlan, wanted: WantedPlan): MembershipMove | null {
  const { state, plan, next } = current;
  if (mayMove(state, 'start')) return 'start';
  const isSame = plan === wanted.plan && current.providers === wanted.providers;
  // At its own price, whatever the plan costs for others by now.
  if (isSame && mayMove(state, 'reactivate')) return 'reactivate';
  if (isSame && next && !(next.plan === plan && next.providers === current.providers)) return 'keep';
  if (isSame && current.price === wanted.price) return next ? 'keep' : null;
  const rank = plan === null ? -1 : plans.indexOf(plan);
  const wantedRank = plans.indexOf(wanted.plan);
  const isLess = wantedRank < rank || wanted.providers < current.providers;
  const isUp = !isLess && (wantedRank > rank || wanted.providers > current.providers);
  return isUp ? 'upgrade' : 'downgrade';
}

/** The first plan of an office is free for this long, with or without a card. */
export const trialDays = 14;
/** A warning is shown this many days before the end. */
export const warningDays = 7;

const PlanOfSubscription = z.object({
  /** The card provider's id of what is sold. */
  product: z.string(),
  price: z.string(),
  /** Null for a price that is not one of the office's three. */
  name: z.nullable(z.enum(plans)),
  /** For one provider and one month, in cents. */
  amount: z.int(),
  /** The number of providers. */
  quantity: z.int(),
});

const Seconds = z.nullable(z.int());

/** The office's subscription; `status` is null without one. Times are seconds since 1970. */
export const Subscription = z.object({
  /** `customer`: the card provider does not know the office (any more). Create it again. */
  missing: z.optional(z.literal('customer')),
  id: z.nullable(z.string()),
  status: z.nullable(z.enum(membershipStatuses)),
  plan: z.nullable(PlanOfSubscription),
  /** What the plan changes to at `current_period_end`; null if nothing changes. */
  next_plan: z.nullable(PlanOfSubscription),
  cancel_at_period_end: z.boolean(),
  cancel_at: Seconds,
  trial_end: Seconds,
  /** The card that is charged; null without one. */
  default_payment_method: z.nullable(z.string()),
  current_period_end: Seconds,
});
export type Subscription = z.output<typeof Subscription>;

/** The state of a subscription as it is served. */
export const subscriptionState = ({ status, cancel_at_period_end }: Subscription): MembershipState =>
  stateOf(status === null ? null : { status, cancel_at_period_end });

/** Whether a charge was declined and is still open. */
export const isDeclined = ({ status }: Subscription): boolean =>
  status === 'incomplete' || status === 'past_due' || status === 'unpaid';

/** What a dashboard warns about. `days` are days of the office's time zone: 0 is today. */
export type MembershipWarning =
  | { kind: 'membership-ends' | 'trial-ends'; days: number }
  | { kind: 'declined' }
  | { kind: 'paused' };

/** The most urgent warning; null if there is none. `dayOf` gives the office's day of an instant, as YYYY-MM-DD. */
export function warningOf(
  subscription: Subscription,
  now: Date,
  dayOf: (at: Date) => string,
): MembershipWarning | null {
  const { status, cancel_at_period_end, cancel_at, trial_end, default_payment_method } = subscription;
  if (isDeclined(subscription)) return { kind: 'declined' };
  if (status === 'paused') return { kind: 'paused' };
  const daysUntil = (seconds: number) =>
    Math.round((Date.parse(dayOf(new Date(seconds * 1000))) - Date.parse(dayOf(now))) / 86_400_000);
  const isNear = (days: number) => days >= 0 && days <= warningDays;
  const runs = status === 'active' || status === 'trialing';
  if (runs && cancel_at_period_end && cancel_at !== null) {
    const days = daysUntil(cancel_at);
    return isNear(days) ? { kind: 'membership-ends', days } : null;
  }
  if (status === 'trialing' && trial_end !== null && default_payment_method === null) {
    const days = daysUntil(trial_end);
    return isNear(days) ? { kind: 'trial-ends', days } : null;
  }
  return null;
}
