import type { Services } from '#server/context.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { dropboxSign } from './dropbox-sign.ts';
import { localEsign } from './local.ts';
import type { Esign } from './port.ts';

/** The e-signature provider the environment selects; the local one unless a vendor is configured. */
export function openEsign(given: Pick<Services, 'env' | 'db' | 'id' | 'now'>, storage: Storage): Esign {
  const { dropboxSign: settings } = given.env;
  return settings ? dropboxSign(given, settings) : localEsign({ ...given, storage });
}
