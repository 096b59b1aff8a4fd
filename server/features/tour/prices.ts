import { plans, type Plan } from '#contract/subscription.ts';
import type { Services } from '#server/context.ts';
import { CardRefused } from '#server/providers/card/port.ts';

const keptMs = 3_600_000;
/** The card provider is asked again this soon after it did not answer. */
const keptAfterFailureMs = 60_000;

/** What each plan costs a practice without prices of its own, in cents; null if the card provider has none, or does not answer. */
export function createPriceCache({ providers: { card }, now }: Services): () => Promise<Record<Plan, number> | null> {
  let cache: { cents: Promise<Record<Plan, number> | null>; until: number } | undefined;
  return () => {
    if (cache && cache.until >= now().getTime()) return cache.cents;
    // Concurrent requests share one answer, so that strangers cannot use up the provider's limits.
    const entry = { cents: readCents(card), until: now().getTime() + keptMs };
    cache = entry;
    const until = now().getTime() + keptAfterFailureMs;
    void entry.cents.then(
      (cents) => cents === null && (entry.until = until),
      () => (entry.until = until),
    );
    return entry.cents;
  };
}

async function readCents(card: Services['providers']['card']): Promise<Record<Plan, number> | null> {
  const { defaultPrices } = card;
  if (!defaultPrices) return null;
  try {
    const found = await card.readPrices(plans.map((plan) => defaultPrices[plan]));
    const [pilot, lite, prime] = found.map((price) => price?.unitCents);
    return pilot === undefined || lite === undefined || prime === undefined ? null : { pilot, lite, prime };
  } catch (error) {
    if (error instanceof CardRefused) return null;
    throw error;
  }
}
