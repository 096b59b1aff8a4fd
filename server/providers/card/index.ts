import type { Services } from '#server/context.ts';
import { localCard } from './local.ts';
import { noCard } from './off.ts';
import type { Card } from './port.ts';
import { stripeCard } from './stripe.ts';

/**
 * The provider that charges practices for their plans: Stripe if it is configured, otherwise the local stand-in where local providers may be
 * used, otherwise nobody.
 */
export function openCard(given: Pick<Services, 'env' | 'db' | 'id' | 'now' | 'log'>): Card {
  const { stripe, production, demo, localProviders } = given.env;
  if (stripe) return stripeCard(given, stripe);
  return !production || demo || localProviders ? localCard(given) : noCard();
}
