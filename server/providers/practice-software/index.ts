import type { Services } from '#server/context.ts';
import { athenaSoftware } from './athena.ts';
import { localPracticeSoftware } from './local.ts';
import { noPracticeSoftware } from './off.ts';
import type { PracticeSoftware } from './port.ts';

/**
 * The practice software that payments are recorded in: athenahealth if it is configured, otherwise the local stand-in where local providers
 * may be used, otherwise none.
 */
export function openPracticeSoftware(given: Pick<Services, 'env' | 'db' | 'id' | 'now' | 'log'>): PracticeSoftware {
  const { athena, production, demo, localProviders } = given.env;
  if (athena) return athenaSoftware(given, athena);
  return !production || demo || localProviders ? localPracticeSoftware(given) : noPracticeSoftware();
}
