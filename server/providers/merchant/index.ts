import type { Services } from '#server/context.ts';
import { finixMerchant } from './finix.ts';
import { localMerchant } from './local.ts';
import { noMerchant } from './off.ts';
import type { Merchant } from './port.ts';

/** The payment provider the environment selects. Without one, the local stand-in, where local providers may be used. */
export function openMerchant(given: Pick<Services, 'env' | 'db' | 'id' | 'now'>): Merchant {
  const { finix, production, demo, localProviders } = given.env;
  const mayBeLocal = !production || demo || localProviders;
  // Otherwise the practices that Finix approved would take payments that only look like payments.
  if (finix && !finix.applicationId && !mayBeLocal)
    throw new Error(
      'FINIX_APPLICATION is missing: with FINIX_USERNAME give the id of your application, which shows the card form. ' +
        'Or add LOCAL_PROVIDERS=1 to try the application of practices; card payments then stay in this installation.',
    );
  if (finix) return finixMerchant(given, finix);
  return mayBeLocal ? localMerchant(given) : noMerchant();
}
