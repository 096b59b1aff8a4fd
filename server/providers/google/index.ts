import { googleReturnPath } from '#contract/sign-in/google.ts';
import type { Services } from '#server/context.ts';
import { localGoogle, type LocalGoogle } from './local.ts';
import { oidcGoogle } from './oidc.ts';
import type { Google } from './port.ts';

export { localGoogleRoutes } from './local.ts';

/** Google if configured, its stand-in in the demo, otherwise null: then there is no button. */
export function openGoogle(given: Pick<Services, 'env' | 'log'>): Google | null {
  const { google, publicUrl, demo } = given.env;
  if (google) return oidcGoogle(given, { ...google, redirectUri: `${publicUrl}${googleReturnPath}` });
  return demo ? localGoogle(given) : null;
}

export function isLocal(google: Google | null): google is LocalGoogle {
  return google?.name === 'local';
}
