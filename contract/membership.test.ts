import { expect, test } from 'vitest';
import {
  mayMove,
  membershipMoves,
  membershipStatuses,
  moveToPlan,
  plans,
  startsTrial,
  stateOf,
  warningOf,
  type MembershipMove,
  type MembershipState,
  type Subscription,
} from './membership.ts';

const subscription = (of: Partial<Subscription>): Subscription => ({
  id: 'sub',
  status: 'active',
  plan: null,
  next_plan: null,
  cancel_at_period_end: false,
  cancel_at: null,
  trial_end: null,
  default_payment_method: 'pm',
  current_period_end: null,
  ...of,
});
const seconds = (at: string) => Date.parse(at) / 1000;
const dayIn = (timeZone: string) => (at: Date) =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }).format(at);

const ending = (at: string) => subscription({ cancel_at_period_end: true, cancel_at: seconds(at) });
const trial = (at: string) =>
  subscription({ status: 'trialing', trial_end: seconds(at), default_payment_method: null });

test.each([
  // now, the end, the office's zone, days
  ['2026-01-31T17:00:00Z', '2026-02-01T17:00:00Z', 'America/New_York', 1],
  ['2026-02-26T17:00:00Z', '2026-03-05T17:00:00Z', 'America/New_York', 7],
  ['2028-02-26T17:00:00Z', '2028-03-04T17:00:00Z', 'America/New_York', 7], // a leap year
  ['2026-12-29T17:00:00Z', '2027-01-01T17:00:00Z', 'America/New_York', 3],
  // 11:30 PM in New York, 6:30 PM in Honolulu: another day's midnight
  ['2026-03-03T04:30:00Z', '2026-03-04T04:30:00Z', 'America/New_York', 1],
  ['2026-03-03T04:30:00Z', '2026-03-03T11:00:00Z', 'Pacific/Honolulu', 1],
  ['2026-03-03T04:30:00Z', '2026-03-03T11:00:00Z', 'America/New_York', 1],
  ['2026-03-03T14:00:00Z', '2026-03-03T20:00:00Z', 'America/New_York', 0],
  // the night in which the clocks change has 23 hours
  ['2026-03-07T17:00:00Z', '2026-03-10T04:30:00Z', 'America/New_York', 3],
])('at %s an end at %s is in %s %d days away', (now, end, zone, days) => {
  expect(warningOf(ending(end), new Date(now), dayIn(zone))).toEqual({ kind: 'membership-ends', days });
  expect(warningOf(trial(end), new Date(now), dayIn(zone))).toEqual({ kind: 'trial-ends', days });
});

test('nothing is warned of eight days before, after the end, or with a card on file', () => {
  const now = new Date('2026-03-02T15:00:00Z');
  const warn = (of: Subscription) => warningOf(of, now, dayIn('America/New_York'));
  expect(warn(ending('2026-03-10T15:00:00Z'))).toBeNull();
  expect(warn(ending('2026-03-01T15:00:00Z'))).toBeNull();
  expect(warn({ ...trial('2026-03-04T15:00:00Z'), default_payment_method: 'pm' })).toBeNull();
  expect(warn(subscription({}))).toBeNull();
  expect(warn({ ...ending('2026-03-04T15:00:00Z'), status: 'canceled' })).toBeNull();
});

test.each(['incomplete', 'past_due', 'unpaid'] as const)('%s warns that the payment was declined', (status) => {
  expect(warningOf(subscription({ status }), new Date(), dayIn('UTC'))).toEqual({ kind: 'declined' });
});

test('a plan that is paused after its trial is warned of', () => {
  expect(warningOf(subscription({ status: 'paused' }), new Date(), dayIn('UTC'))).toEqual({ kind: 'paused' });
});

test('only the first plan, which costs nothing today, starts a trial', () => {
  expect(startsTrial({ move: 'start', dueToday: 0, monthly: 9_900 })).toBe(true);
  expect(startsTrial({ move: 'start', dueToday: 9_900, monthly: 9_900 })).toBe(false);
  expect(startsTrial({ move: 'reactivate', dueToday: 0, monthly: 9_900 })).toBe(false);
  expect(startsTrial({ move: 'start', dueToday: 0, monthly: 0 })).toBe(false);
});

const states: MembershipState[] = ['none', 'ending', ...membershipStatuses];

test('every state has the moves of the table, and no other', () => {
  const table = states.map((state) => [
    state,
    Object.keys(membershipMoves)
      .filter((move) => mayMove(state, move as MembershipMove))
      .join(' '),
  ]);
  expect(Object.fromEntries(table)).toEqual({
    none: 'start',
    ending: 'reactivate',
    trialing: 'upgrade downgrade keep cancel',
    active: 'upgrade downgrade keep cancel',
    past_due: 'cancel',
    incomplete: 'cancel',
    incomplete_expired: 'start',
    unpaid: 'cancel',
    paused: 'cancel reactivate',
    canceled: 'start',
  });
});

test('a plan above the current one is an upgrade, one below a downgrade, in every pair', () => {
  for (const [i, from] of plans.entries())
    for (const [j, to] of plans.entries()) {
      const current = { state: 'active', plan: from, providers: 2, price: `old ${from}`, next: null } as const;
      const expected = i < j ? 'upgrade' : i > j ? 'downgrade' : null;
      expect(moveToPlan(current, { plan: to, providers: 2, price: `old ${to}` }), `${from} to ${to}`).toBe(expected);
    }
});

const lite = { state: 'active', plan: 'lite', providers: 2, price: 'old', next: null } as const;

test('more providers on the same plan are an upgrade, fewer a downgrade', () => {
  expect(moveToPlan(lite, { plan: 'lite', providers: 3, price: 'old' })).toBe('upgrade');
  expect(moveToPlan(lite, { plan: 'lite', providers: 1, price: 'old' })).toBe('downgrade');
  // At once it would give money back.
  expect(moveToPlan(lite, { plan: 'prime', providers: 1, price: 'prime' })).toBe('downgrade');
  expect(moveToPlan(lite, { plan: 'pilot', providers: 3, price: 'pilot' })).toBe('downgrade');
  const next = { plan: 'lite', providers: 1 } as const;
  expect(moveToPlan({ ...lite, next }, { plan: 'lite', providers: 2, price: 'old' })).toBe('keep');
});

test('a new price of the current plan waits for the end of the period; keeping and resuming a plan keep its price', () => {
  const wanted = { plan: 'lite', providers: 2, price: 'new' } as const;
  expect(moveToPlan(lite, wanted)).toBe('downgrade');
  expect(moveToPlan({ ...lite, state: 'ending' }, wanted)).toBe('reactivate');
  expect(moveToPlan({ ...lite, next: { plan: 'pilot', providers: 2 } }, wanted)).toBe('keep');
  const repriced = { ...lite, next: { plan: 'lite', providers: 2 } } as const;
  expect(moveToPlan(repriced, wanted)).toBe('downgrade');
  expect(moveToPlan(repriced, { ...wanted, price: 'old' })).toBe('keep');
});

test('a canceled plan that still runs is ending', () => {
  expect(stateOf({ status: 'active', cancel_at_period_end: true })).toBe('ending');
  expect(stateOf({ status: 'canceled', cancel_at_period_end: true })).toBe('canceled');
  expect(stateOf(null)).toBe('none');
});
