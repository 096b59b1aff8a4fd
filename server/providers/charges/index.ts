import type { Services } from '#server/context.ts';
import { finixCharges } from './finix.ts';
import { localCharges } from './local.ts';
import { noCharges } from './off.ts';
import type { Charges } from './port.ts';

/**
 * The provider that charges patients' cards: Finix if its card form is configured, otherwise the local stand-in where local providers may be
 * used, otherwise nobody.
 */
export function openCharges(given: Pick<Services, 'env' | 'db' | 'id' | 'now' | 'log'>): Charges {
  const { finix, production, demo, localProviders } = given.env;
  if (finix?.applicationId) return finixCharges(given, finix);
  return !production || demo || localProviders ? localCharges(given) : noCharges();
}
