import type { Configuration, CustomFetch } from 'openid-client';
import type { Services } from '#server/context.ts';
import { describeError } from '#server/kit/log.ts';
import { GoogleRefused, type Google } from './port.ts';

export interface OidcClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Accepts only accounts of this Google Workspace; null accepts any. */
  hostedDomain: string | null;
  /** Where Google redirects the browser. */
  redirectUri: string;
  /** Replaces the network, for the local stand-in. */
  fetch?: CustomFetch;
}

const timeoutSeconds = 10;
/** Loaded on the first sign-in with Google. */
const openid = () => import('openid-client');

/** Any OpenID Connect issuer: code flow, PKCE S256, state, nonce. Plain HTTP is accepted only from a loopback issuer. */
export function oidcGoogle(
  { log }: Pick<Services, 'log'>,
  client: OidcClient,
  name: Google['name'] = 'google',
): Google {
  let discovered: Promise<Configuration> | undefined;

  const configuration = (): Promise<Configuration> => {
    discovered ??= discover(client).catch((error: unknown) => {
      discovered = undefined;
      throw refused(error);
    });
    return discovered;
  };
  const refused = (error: unknown): GoogleRefused => {
    if (error instanceof GoogleRefused) return error;
    const why = whyOf(error);
    if (why !== 'consent') log.warn({ err: describeError(error as Error) }, 'sign-in with Google failed');
    return new GoogleRefused(why, { cause: error });
  };

  return {
    name,
    async begin() {
      const config = await configuration();
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
        await openid();
      const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(config, {
        redirect_uri: client.redirectUri,
        scope: 'openid email',
        // Several people share a desk's browser, so the last account must not be chosen automatically.
        prompt: 'select_account',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        ...(client.hostedDomain !== null && { hd: client.hostedDomain }),
      });
      return { url: url.href, checks };
    },
    async finish(search, { state, nonce, verifier }) {
      const config = await configuration();
      const { authorizationCodeGrant } = await openid();
      const back = new URL(client.redirectUri);
      back.search = search;
      const tokens = await authorizationCodeGrant(config, back, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }).catch((error: unknown) => {
        throw refused(error);
      });
      const claims = tokens.claims();
      if (!claims || typeof claims.email !== 'string') throw new GoogleRefused('refused');
      if (client.hostedDomain !== null && claims.hd !== client.hostedDomain) throw new GoogleRefused('refused');
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: claims.email,
        emailVerified: claims.email_verified === true,
      };
    },
  };
}

async function discover({ issuer, clientId, clientSecret, fetch }: OidcClient): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await openid();
  const url = new URL(issuer);
  return discovery(url, clientId, clientSecret, undefined, {
    timeout: timeoutSeconds,
    ...(fetch && { [customFetch]: fetch }),
    // Verify the ID token's signature too, although it came straight from the issuer.
    execute: [enableNonRepudiationChecks, ...(isLoopback(url) || fetch ? [allowInsecureRequests] : [])],
  });
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

function whyOf(error: unknown): GoogleRefused['why'] {
  const {
    error: said,
    code,
    status,
    cause,
    name,
  } = error as {
    error?: unknown;
    code?: unknown;
    status?: unknown;
    cause?: { status?: unknown };
    name?: unknown;
  };
  if (said === 'access_denied') return 'consent';
  if (Number(status ?? cause?.status) >= 500) return 'unavailable';
  if (code === 'OAUTH_TIMEOUT' || name === 'TimeoutError') return 'unavailable';
  return error instanceof TypeError && error.message === 'fetch failed' ? 'unavailable' : 'refused';
}
