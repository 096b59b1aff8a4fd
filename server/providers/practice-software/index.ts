import type { Services } from '#server/context.ts';
import { localPracticeSoftware } from './local.ts';
import type { PracticeSoftware } from './port.ts';

/** The practice software that payments are recorded in. */
export function openPracticeSoftware(given: Pick<Services, 'db' | 'id' | 'now'>): PracticeSoftware {
  return localPracticeSoftware(given);
}
