import type { Services } from '#server/context.ts';
import { localCharges } from './local.ts';
import { noCharges } from './off.ts';
import type { Charges } from './port.ts';

/** The provider that charges patients' cards: the local stand-in where local providers may be used, otherwise nobody. */
export function openCharges(given: Pick<Services, 'env' | 'db' | 'id' | 'now'>): Charges {
  const { production, demo, localProviders } = given.env;
  return !production || demo || localProviders ? localCharges(given) : noCharges();
}
