/**
 * Signing in with Google (OpenID Connect, code flow with PKCE).
 *
 * Google redirects the browser to the panel's page `/sign-in/google`, which sends us the query of its URL.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Session } from './session.ts';

/** The panel's page that Google redirects to. */
export const googleReturnPath = '/sign-in/google';

export const startGoogle = endpoint({
  method: 'POST',
  path: '/sign-in/google',
  summary: 'The URL for signing in with Google; state, nonce and PKCE verifier are kept in an encrypted cookie',
  access: 'anyone',
  reply: z.object({ url: z.string() }),
  refusals: ['google_unavailable', 'too_many_tries'],
});

export const finishGoogle = endpoint({
  method: 'POST',
  path: '/sign-in/google/finish',
  summary: "Signs in with Google's redirect, once and only in the browser that started",
  access: 'anyone',
  /** The URL's query, including the question mark. */
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
