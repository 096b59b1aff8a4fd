import type { Services } from '#server/context.ts';
import type { Charges } from './port.ts';
import { localCharges } from './local.ts';

/** The provider that charges patients' cards. */
export function openCharges(given: Pick<Services, 'env' | 'db' | 'id' | 'now'>): Charges {
  return localCharges(given);
}
