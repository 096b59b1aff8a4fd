/**
 * Signing in with Google (OpenID Connect, code flow with PKCE).
 *
 * Google sends the browser back to the panel's page `/sign-in/google`, which hands over what stands in its address.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Session } from './session.ts';

/** The panel's page that Google sends the browser back to. */
export const googleReturnPath = '/sign-in/google';

export const startGoogle = endpoint({
  method: 'POST',
  path: '/sign-in/google',
  summary: 'Where to go to sign in with Google; what must match on the way back is kept in a sealed cookie',
  access: 'anyone',
  reply: z.object({ url: z.string() }),
  refusals: ['google_unavailable', 'too_many_tries'],
});

export const finishGoogle = endpoint({
  method: 'POST',
  path: '/sign-in/google/finish',
  summary: 'Signs in with what Google sent the browser back with, once and only in the browser that started',
  access: 'anyone',
  /** The query of the address, from the question mark on. */
  body: z.object({ search: z.string().check(z.maxLength(6000)) }),
  reply: z.object({ session: Session }),
  refusals: [
    'google_consent_refused',
    'google_refused',
    'google_email_unverified',
    'google_unavailable',
    'too_many_tries',
  ],
});
