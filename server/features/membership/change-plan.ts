import {
  currentPlanOf,
  mayMove,
  moveToPlan,
  plans,
  subscriptionState,
  trialDays,
  type MembershipMove,
  type Plan,
  type PlanPreview,
  type Subscription,
} from '#contract/membership.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import {
  runOperation,
  type OperationInput,
  type OperationKind,
  type OperationOutcome,
} from '#server/kit/provider-operations/operations.ts';
import { CardRefused, type CardCustomer, type CardPlan, type CardSubscription } from '#server/providers/card/port.ts';
import { membershipSubject } from './card-customer.ts';
import { cardRefusalOf } from './card-refusal.ts';
import { ownCustomer, pricesOf, refuseWhenAway, syncMembership } from './read-membership.ts';

/** Changes cost money, so people and programs get this many. */
const changesPerHour = { name: 'membership-change', points: 30, seconds: 3600 };

type PlanMove = Exclude<MembershipMove, 'cancel'>;
type PlanOrder = {
  move: PlanMove;
  customerId: string;
  subscriptionId: string | null;
  priceId: string;
  quantity: number;
  /** What the choice was made from; if it has changed meanwhile, somebody else was first. */
  fromPriceId: string | null;
  fromQuantity: number;
  trialDays: number;
} & NextPlan;

/** What the plan was to change to when the choice was made; null if nothing. Kept here, because an earlier try may have taken it off. */
type NextPlan = { nextPriceId: string | null; nextQuantity: number };

const plannedOf = ({ next_plan: next }: Subscription): NextPlan => ({
  nextPriceId: next?.price ?? null,
  nextQuantity: next?.quantity ?? 0,
});

/** The planned change in the provider's terms. */
const toPlanned = ({ nextPriceId, nextQuantity }: NextPlan): CardPlan | null =>
  nextPriceId ? { priceId: nextPriceId, quantity: nextQuantity } : null;

/** Every move to a plan, as the provider's verb. */
export const planOperation: OperationKind<PlanOrder, Record<string, never>> = {
  kind: 'card.plan',
  repeatable: true,
  async call({ providers: { card } }, { id: operationId, input }) {
    const { move, customerId, priceId, quantity } = input;
    const current = (await card.readCustomer(customerId))?.subscription ?? null;
    if (hasHappened(current, input)) return {};
    if (!isChoiceCurrent(current, input)) throw new CardRefused('conflict');
    const order = { operationId, subscriptionId: input.subscriptionId ?? '', priceId, quantity };
    if (move === 'start') await card.start({ operationId, customerId, priceId, quantity, trialDays: input.trialDays });
    else if (move === 'upgrade') await card.upgrade({ ...order, planned: toPlanned(input) });
    else if (move === 'reactivate') await card.reactivate({ operationId, subscriptionId: order.subscriptionId });
    else await card.changeAtPeriodEnd(order);
    return {};
  },
  async settle(tx, scope, { input: { move, priceId, quantity, subscriptionId } }) {
    const details = { move, price: priceId, providers: quantity };
    await writeAuditEntry(tx, scope, { action: 'membership.plan', subject: subscriptionId, details });
  },
  reasonOf: cardRefusalOf,
};

const isOver = ({ status }: CardSubscription) => status === 'canceled' || status === 'incomplete_expired';

/** Whether nobody was first. Not every provider refuses to start a second plan beside a running one, so we do. */
function isChoiceCurrent(current: CardSubscription | null, order: PlanOrder): boolean {
  if (order.move !== 'start') return current?.priceId === order.fromPriceId && current.quantity === order.fromQuantity;
  return current === null || (isOver(current) && current.subscriptionId === order.subscriptionId);
}

/** Whether the provider has already applied this order: in an earlier try, or because a colleague chose the same at the same moment. */
function hasHappened(current: CardSubscription | null, { move, priceId, quantity }: PlanOrder): boolean {
  if (!current || isOver(current)) return false;
  const isPlan = (plan: CardPlan | null) => plan?.priceId === priceId && plan.quantity === quantity;
  if (move === 'downgrade') return isPlan(current.next ?? current);
  if (!isPlan(current)) return false;
  if (move === 'reactivate') return !current.cancelAtPeriodEnd && current.status !== 'paused';
  return move === 'start' || current.next === null;
}

export const cancelOperation: OperationKind<{ subscriptionId: string } & NextPlan, Record<string, never>> = {
  kind: 'card.cancel',
  repeatable: true,
  async call({ providers: { card } }, { id: operationId, input }) {
    await card.cancel({ operationId, subscriptionId: input.subscriptionId, planned: toPlanned(input) });
    return {};
  },
  async settle(tx, scope, { input }) {
    await writeAuditEntry(tx, scope, { action: 'membership.cancel', subject: input.subscriptionId });
  },
  reasonOf: cardRefusalOf,
};

/** Runs a change at the provider, and looks at what became of it. */
export async function change<Input extends OperationInput>(
  ctx: OfficeCtx,
  kind: OperationKind<Input, Record<string, never>>,
  input: Input,
): Promise<{ customer: CardCustomer | null; shown: Subscription }> {
  const outcome = await runOperation(ctx, kind, { subject: membershipSubject, input });
  const seen = await refuseWhenAway(() => syncMembership(ctx));
  if (outcome.state !== 'done') throw refusalOf(kind, outcome, seen.shown);
  return seen;
}

/** `invalid`, `conflict` and `not-found` are about what was chosen: a plan, or the token of a card. */
function refusalOf(
  { kind }: { kind: string },
  outcome: Exclude<OperationOutcome<unknown>, { state: 'done' }>,
  current: Subscription,
): Refusal {
  if (outcome.state !== 'refused') return new Refusal('card_away', undefined, 5);
  if (outcome.reason === 'declined') return new Refusal('card_not_verified');
  if (!['invalid', 'conflict', 'not-found'].includes(outcome.reason)) return new Refusal('card_away', undefined, 5);
  return kind === 'card.save' ? new Refusal('card_not_verified') : new Refusal('plan_moved_on', current);
}

/** These two keep the plan at the price it has, whatever it costs by now. */
const keepsPrice = (move: PlanMove | null) => move === 'reactivate' || move === 'keep';

/** What choosing this price means for the office now; refuses a price that is neither one of its three nor the one it pays. */
async function readChoice(
  ctx: OfficeCtx,
  {
    card,
    customerId,
    price,
    providers,
  }: { card: string; customerId: string; price: string; providers?: number | undefined },
) {
  const own = await ownCustomer(ctx, card, customerId);
  const prices = await pricesOf(ctx);
  const offered = plans.find((name) => prices[name] === price);
  const { customer, shown } = await refuseWhenAway(() => syncMembership(ctx));
  if (!customer) throw new Refusal('customer_missing');
  const plan = offered ?? (shown.plan?.price === price ? shown.plan.name : null);
  if (!plan) throw new Refusal('not_found');
  const quantity = providers ?? shown.next_plan?.quantity ?? shown.plan?.quantity ?? 1;
  const move = moveOf(shown, { plan, providers: quantity, price });
  if (!offered && move !== null && !keepsPrice(move)) throw new Refusal('not_found');
  return { own, shown, quantity, move, priceId: keepsPrice(move) ? (shown.plan?.price ?? price) : price };
}

/** Refuses a move that the current state does not allow; null if nothing would change. */
function moveOf(shown: Subscription, wanted: { plan: Plan; providers: number; price: string }): PlanMove | null {
  const { next_plan: next } = shown;
  const move = moveToPlan(currentPlanOf(shown), wanted);
  if (move === null || move === 'cancel') return null;
  if (next?.price === wanted.price && next.quantity === wanted.providers) return null;
  if (!mayMove(subscriptionState(shown), move)) throw new Refusal('plan_moved_on', shown);
  return move;
}

/** Starts a plan, switches to it or resumes it. Choosing what the office has already changes nothing. */
export async function choosePlan(
  ctx: OfficeCtx,
  card: string,
  { customerId, price, providers }: { customerId: string; price: string; providers?: number | undefined },
): Promise<Subscription> {
  const { own, shown, quantity, move, priceId } = await readChoice(ctx, { card, customerId, price, providers });
  if (move === null) return shown;
  await ctx.limits.take(changesPerHour, ctx.officeId);
  const isFirst = shown.id === null;
  const order: PlanOrder = {
    move,
    customerId: own,
    subscriptionId: shown.id,
    priceId,
    quantity,
    fromPriceId: shown.plan?.price ?? null,
    fromQuantity: shown.plan?.quantity ?? 0,
    trialDays: move === 'start' && isFirst ? trialDays : 0,
    ...plannedOf(shown),
  };
  return (await change(ctx, planOperation, order)).shown;
}

/** Cancels the office's plan at the end of its period. */
export async function cancelPlan(ctx: OfficeCtx, card: string, subscriptionId: string): Promise<Subscription> {
  await ownCustomer(ctx, card);
  const { customer, shown } = await refuseWhenAway(() => syncMembership(ctx));
  if (!customer) throw new Refusal('customer_missing');
  if (shown.id !== subscriptionId) throw new Refusal('not_found');
  if (subscriptionState(shown) === 'ending') return shown;
  if (!mayMove(subscriptionState(shown), 'cancel')) throw new Refusal('plan_moved_on', shown);
  await ctx.limits.take(changesPerHour, ctx.officeId);
  return (await change(ctx, cancelOperation, { subscriptionId, ...plannedOf(shown) })).shown;
}

/** What choosing a plan would cost today, and when it takes effect. */
export async function previewPlan(
  ctx: OfficeCtx,
  choice: { card: string; customerId: string; price: string; providers?: number | undefined },
): Promise<PlanPreview> {
  const { shown, quantity, move, priceId } = await readChoice(ctx, choice);
  const [price] = await refuseWhenAway(() => ctx.providers.card.readPrices([priceId]));
  if (!price) throw new Refusal('not_found');
  const now = ctx.now();
  const monthly = price.unitCents * quantity;
  const periodEnd = shown.current_period_end === null ? now : new Date(shown.current_period_end * 1000);
  const free = { move, dueToday: 0, credit: 0, charge: 0, monthly };
  const at = (takesEffect: Date, nextBilling: Date) => ({
    takesEffect: takesEffect.toISOString(),
    nextBilling: nextBilling.toISOString(),
  });
  if (move === 'start') {
    const isFirst = shown.id === null;
    const billing = isFirst ? new Date(now.getTime() + trialDays * 86_400_000) : addMonth(now);
    return { ...free, dueToday: isFirst ? 0 : monthly, charge: isFirst ? 0 : monthly, ...at(now, billing) };
  }
  if (move === 'reactivate' && subscriptionState(shown) === 'paused')
    return { ...free, dueToday: monthly, charge: monthly, ...at(now, addMonth(now)) };
  if (move === 'upgrade') {
    const order = { subscriptionId: shown.id ?? '', priceId, quantity };
    const { dueCents, creditCents, chargeCents } = await refuseWhenAway(() => ctx.providers.card.previewUpgrade(order));
    return { ...free, dueToday: dueCents, credit: creditCents, charge: chargeCents, ...at(now, periodEnd) };
  }
  const isLater = move === 'downgrade' && shown.status === 'active';
  return { ...free, ...at(isLater ? periodEnd : now, periodEnd) };
}

/** The same day of the next month, or its last one. */
function addMonth(at: Date): Date {
  const end = new Date(at);
  end.setUTCMonth(at.getUTCMonth() + 1);
  if (end.getUTCDate() !== at.getUTCDate()) end.setUTCDate(0);
  return end;
}
