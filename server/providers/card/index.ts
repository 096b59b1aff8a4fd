import type { Services } from '#server/context.ts';
import { localCard } from './local.ts';
import { noCard } from './off.ts';
import type { Card } from './port.ts';

/** The provider that charges practices for their plans: the local stand-in where local providers may be used, otherwise nobody. */
export function openCard(given: Pick<Services, 'env' | 'db' | 'id' | 'now'>): Card {
  const { production, demo, localProviders } = given.env;
  return !production || demo || localProviders ? localCard(given) : noCard();
}
