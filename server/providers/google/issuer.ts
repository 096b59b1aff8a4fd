import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Adapter, AdapterPayload, Configuration, default as Provider } from 'oidc-provider';
import { pickerPage } from './account-picker.ts';
import type { TestPerson } from './test-people.ts';

export interface IssuerSetup {
  /** The issuer URL as browsers reach it, without a trailing slash. */
  issuer: string;
  product: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  people: readonly TestPerson[];
  stylesheet: string;
}

/** Handles a request below the issuer; `path` is the part after it. */
export type IssuerHandler = (req: IncomingMessage, res: ServerResponse, path: string) => Promise<void>;

/**
 * An OpenID Connect issuer that behaves like Google's, with a page to choose an account. Everything is in memory and ends with the process.
 */
export async function openIssuer(setup: IssuerSetup): Promise<IssuerHandler> {
  const { default: IssuingProvider, interactionPolicy } = await import('oidc-provider');
  const { issuer, people } = setup;
  const base = new URL(issuer);
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  const provider = new IssuingProvider(issuer, {
    ...settingsOf(setup),
    interactions: { policy, url: (_ctx, { uid }) => `${base.pathname.replace(/\/$/, '')}/pick/${uid}` },
  });
  provider.proxy = true;
  const callback = provider.callback();

  return async (req, res, path) => {
    req.headers['x-forwarded-host'] = base.host;
    req.headers['x-forwarded-proto'] = base.protocol.slice(0, -1);
    // Drop the issuer's session cookies, so that every sign-in starts without the last user's choice.
    req.headers.cookie = req.headers.cookie?.replaceAll(/_session[^=]*=[^;]*;?/g, '');
    if (path.startsWith('/pick/')) return pick(provider, setup, req, res);
    // Tells the issuer the path it is mounted under.
    Object.assign(req, { originalUrl: base.pathname.replace(/\/$/, '') + path, url: path });
    await callback(req, res);
  };

  async function pick(
    on: Provider,
    { clientId, product, stylesheet }: IssuerSetup,
    req: IncomingMessage,
    res: ServerResponse,
  ) {
    if (req.method !== 'POST') {
      res.setHeader('content-type', 'text/html; charset=utf-8');
      // Otherwise the browser would send no origin with the choice, and it would be refused.
      res.setHeader('referrer-policy', 'same-origin');
      res.end(pickerPage(product, people, stylesheet));
      return;
    }
    const accountId = new URLSearchParams(await bodyOf(req)).get('account') ?? '';
    if (!people.some(({ sub }) => sub === accountId))
      return on.interactionFinished(req, res, { error: 'access_denied', error_description: 'refused' });
    const grant = new on.Grant({ accountId, clientId });
    grant.addOIDCScope('openid email');
    const consent = { grantId: await grant.save() };
    return on.interactionFinished(req, res, { login: { accountId, remember: false }, select_account: {}, consent });
  }
}

function settingsOf({ clientId, clientSecret, redirectUri, people }: IssuerSetup): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    adapter: keptInMemory(),
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomUUID() }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // As Google does: the email address is in the ID token itself.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_ctx, accountId) => {
      const person = people.find(({ sub }) => sub === accountId);
      return person && { accountId, claims: () => ({ ...person }) };
    },
  };
}

/** The issuer's storage, for as long as the process runs. */
function keptInMemory(): new (name: string) => Adapter {
  const payloads = new Map<string, AdapterPayload>();
  return class implements Adapter {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
    keyOf(id: string): string {
      return `${this.name}:${id}`;
    }
    async upsert(id: string, payload: AdapterPayload): Promise<void> {
      payloads.set(this.keyOf(id), payload);
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      return payloads.get(this.keyOf(id));
    }
    async findByUserCode(): Promise<undefined> {
      return undefined;
    }
    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return [...payloads].find(([key, payload]) => key.startsWith(`${this.name}:`) && payload.uid === uid)?.[1];
    }
    async consume(id: string): Promise<void> {
      const payload = payloads.get(this.keyOf(id));
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id: string): Promise<void> {
      payloads.delete(this.keyOf(id));
    }
    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, payload] of payloads) if (payload.grantId === grantId) payloads.delete(key);
    }
  };
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of req) {
    body += String(part);
    if (body.length > 10_000) throw new Error('too much for a choice');
  }
  return body;
}
