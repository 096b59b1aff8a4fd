import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plans } from '#contract/membership.ts';
import {
  addMonths,
  nextDue,
  periodEndOf,
  restOf,
  startSubscription,
  stepAt,
  totalOf,
  upgradeLines,
  type ChargeAnswer,
  type LocalSubscription,
} from './local-engine.ts';
import { localPrices } from './local-prices.ts';
import type { CardPlan } from './port.ts';

const at = new Date('2026-03-02T15:00:00.000Z');
const plan = (name: (typeof plans)[number], quantity = 1) => ({ priceId: localPrices[name], quantity });
const active = (of: CardPlan = plan('pilot'), trialDays = 0) =>
  startSubscription('sub', of, { at, trialDays, answer: 'ok' }).subscription;
const anyPlan = fc.record({
  priceId: fc.integer({ min: 1, max: 99_999 }).map((cents) => `price_local_lite_${cents}`),
  quantity: fc.integer({ min: 1, max: 60 }),
});

/** Lets time pass until nothing is due before `until`; returns the subscription and what was charged. */
function pass(subscription: LocalSubscription, until: Date, answer: ChargeAnswer) {
  const invoices: number[] = [];
  for (let due = nextDue(subscription); due && due <= until; due = nextDue(subscription)) {
    const step = stepAt(subscription, due, answer);
    if (step.newInvoice) invoices.push(totalOf(step.newInvoice.lines));
    ({ subscription } = step);
  }
  return { subscription, invoices };
}

describe('proration', () => {
  test('Pilot to Prime for 2 providers with 20 of 30 days left: credit 132.00, charge 265.33, due 133.33', () => {
    const periodStart = new Date('2026-06-01T00:00:00Z');
    const period = { ...active(plan('pilot', 2)), periodStart, periodEnd: new Date('2026-07-01T00:00:00Z') };
    const lines = upgradeLines(period, plan('prime', 2), new Date('2026-06-11T00:00:00Z'));
    expect(lines.map(({ cents }) => cents)).toEqual([-13_200, 26_533]);
    expect(totalOf(lines)).toBe(13_333);
  });

  test('up and down again at the same moment nets zero within one cent a line', () => {
    fc.assert(
      fc.property(anyPlan, anyPlan, fc.integer({ min: 0, max: 31 * 86_400_000 }), (one, other, after) => {
        const now = new Date(at.getTime() + after);
        const up = upgradeLines(active(one), other, now);
        const down = upgradeLines({ ...active(one), ...other }, one, now);
        const byLine = up.map(({ cents }, i) => cents + (down[1 - i]?.cents ?? 0));
        for (const cents of byLine) expect(Math.abs(cents)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('nothing is due at the end of the period, and the whole price at its beginning', () => {
    fc.assert(
      fc.property(anyPlan, (of) => {
        const subscription = active(of);
        expect(restOf(of, subscription, subscription.periodEnd)).toBe(0);
        expect(restOf(of, subscription, subscription.periodStart)).toBe(
          Number(of.priceId.split('_').at(-1)) * of.quantity,
        );
      }),
    );
  });

  test('the rest of a period never grows with time', () => {
    const moment = fc.integer({ min: 0, max: 40 * 86_400_000 });
    fc.assert(
      fc.property(anyPlan, moment, moment, (of, a, b) => {
        const [early, late] = [Math.min(a, b), Math.max(a, b)].map((ms) => new Date(at.getTime() + ms));
        expect(restOf(of, active(of), early as Date)).toBeGreaterThanOrEqual(restOf(of, active(of), late as Date));
      }),
    );
  });
});

describe('periods', () => {
  test.each([
    ['2026-01-31T10:00:00Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2026-01-31T10:00:00Z', 2, '2026-03-31T10:00:00.000Z'],
    ['2028-01-31T10:00:00Z', 1, '2028-02-29T10:00:00.000Z'],
    ['2026-12-15T10:00:00Z', 1, '2027-01-15T10:00:00.000Z'],
  ])('%s plus %d months is %s', (from, months, to) => {
    expect(addMonths(new Date(from), months).toISOString()).toBe(to);
  });

  test('each period begins where the one before ended, for years', () => {
    fc.assert(
      fc.property(fc.date({ min: at, max: new Date('2030-01-01'), noInvalidDate: true }), (anchor) => {
        let start = anchor;
        for (let month = 1; month <= 30; month++) {
          const end = periodEndOf(anchor, start);
          expect(end).toEqual(addMonths(anchor, month));
          start = end;
        }
      }),
    );
  });
});

describe('a subscription in time', () => {
  test('renews each month at its price', () => {
    const { subscription, invoices } = pass(active(plan('lite', 3)), addMonths(at, 4), 'ok');
    expect(invoices).toEqual([44_700, 44_700, 44_700, 44_700]);
    expect(subscription).toMatchObject({ status: 'active', periodEnd: addMonths(at, 5) });
  });

  test('a downgrade takes effect with the next period', () => {
    const { subscription, invoices } = pass({ ...active(plan('prime')), next: plan('pilot') }, addMonths(at, 2), 'ok');
    expect(invoices).toEqual([9_900, 9_900]);
    expect(subscription).toMatchObject({ ...plan('pilot'), next: null });
  });

  test('a canceled one ends with its period and charges no more', () => {
    const { subscription, invoices } = pass({ ...active(), cancelAtPeriodEnd: true }, addMonths(at, 3), 'ok');
    expect([subscription.status, invoices]).toEqual(['canceled', []]);
    expect(subscription.endedAt).toEqual(addMonths(at, 1));
  });

  test('a declined renewal is retried after 3, 8 and 15 days, is unpaid then, and ends with the period', () => {
    const states = [1, 4, 9, 16, 40].map((days) => {
      const until = new Date(addMonths(at, 1).getTime() + days * 86_400_000);
      return pass(active(), until, 'declined').subscription;
    });
    expect(states.map(({ status, retries }) => `${status} ${retries}`)).toEqual([
      'past_due 0',
      'past_due 1',
      'past_due 2',
      'unpaid 3',
      'canceled 3',
    ]);
  });

  test('a trial without a card pauses at its end and charges nothing', () => {
    const { subscription, invoices } = pass(active(plan('pilot'), 14), addMonths(at, 6), 'no-card');
    expect([subscription.status, invoices]).toEqual(['paused', []]);
  });

  test('a first charge that was declined expires after 23 hours', () => {
    const { subscription } = startSubscription('sub', plan('pilot'), { at, trialDays: 0, answer: 'declined' });
    expect(subscription.status).toBe('incomplete');
    expect(pass(subscription, addMonths(at, 1), 'declined').subscription.status).toBe('incomplete_expired');
  });
});
