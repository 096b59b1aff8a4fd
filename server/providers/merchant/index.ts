import type { Services } from '#server/context.ts';
import { localMerchant } from './local.ts';
import type { Merchant } from './port.ts';

/** The payment provider the environment selects; the local one unless a vendor is configured. */
export function openMerchant(given: Pick<Services, 'env' | 'db' | 'id' | 'now'>): Merchant {
  return localMerchant(given);
}
