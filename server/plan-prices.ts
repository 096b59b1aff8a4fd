import { setTimeout as sleep } from 'node:timers/promises';
import { plans, type Plan } from '#contract/subscription.ts';
import type { Card } from '#server/providers/card/port.ts';

const keptMs = 3_600_000;
/** The card provider is asked again this soon after it did not answer. */
const keptAfterFailureMs = 60_000;

/** A page does not wait longer for the card provider: it opens without prices. */
const waitMs = 300;

/** What each plan costs a practice without prices of its own, in cents a month; null if the card provider has none, or does not answer soon. */
export type ReadPlanPrices = () => Promise<Record<Plan, number> | null>;

/** Asks the card provider at most once an hour. A late answer counts for the next caller. */
export function openPlanPrices(card: Card, now: () => Date): ReadPlanPrices {
  let cache: { soon: ReturnType<ReadPlanPrices>; until: number } | undefined;
  return () => {
    if (cache && cache.until >= now().getTime()) return cache.soon;
    // Concurrent requests share one answer, so that strangers cannot use up the provider's limits.
    const cents = readCents(card).catch(() => null);
    const entry = {
      soon: Promise.race([cents, sleep(waitMs, null, { ref: false })]),
      until: now().getTime() + keptMs,
    };
    cache = entry;
    const until = now().getTime() + keptAfterFailureMs;
    void cents.then((found) => {
      entry.soon = cents;
      if (found === null) entry.until = until;
    });
    return entry.soon;
  };
}

async function readCents(card: Card): ReturnType<ReadPlanPrices> {
  const { defaultPrices } = card;
  if (!defaultPrices) return null;
  const found = await card.readPrices(plans.map((plan) => defaultPrices[plan]));
  const [pilot, lite, prime] = found.map((price) => price?.unitCents);
  return pilot === undefined || lite === undefined || prime === undefined ? null : { pilot, lite, prime };
}
