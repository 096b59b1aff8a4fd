import type { Session } from '#contract/sign-in/code.ts';
import type { AnyoneCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { networkOf } from '#server/kit/http/client-network.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { encrypt, decrypt } from '#server/kit/crypto/encrypt.ts';
import { GoogleRefused, type Checks, type Google, type GoogleAccount } from '#server/providers/google/port.ts';
import {
  deviceOf,
  readIdentifier,
  openSession,
  welcome,
  type Proven,
  personOf,
} from '#server/features/sign-in/index.ts';
import { findGoogleAccount, linkGoogleAccount } from './sql.ts';

const cookieName = 'google';
const mayTakeSeconds = 600;
const perNetwork = { name: 'google-network', points: 100, seconds: 600 };

/** Where to go to sign in with Google. What must match on the way back waits in this browser, sealed. */
export async function startGoogle(ctx: AnyoneCtx): Promise<{ url: string }> {
  await ctx.limits.take(perNetwork, networkOf(ctx.http.address));
  const { url, checks } = await asked(() => providerOf(ctx).begin());
  const until = ctx.now().getTime() + mayTakeSeconds * 1000;
  const sealed = encrypt(ctx.env.secrets.session, cookieName, Buffer.from(JSON.stringify({ ...checks, until })));
  ctx.http.setCookie(cookieName, sealed.toString('base64url'), mayTakeSeconds);
  return { url };
}

/** Signs in who comes back from Google, in the browser that started and once. It is the first step, as a code is. */
export async function finishGoogle(ctx: AnyoneCtx, search: string): Promise<{ session: Session }> {
  await ctx.limits.take(perNetwork, networkOf(ctx.http.address));
  const checks = checksOf(ctx);
  ctx.http.clearCookie(cookieName);
  if (!checks) throw new Refusal('google_refused');
  const account = await asked(() => providerOf(ctx).finish(search, checks));
  const device = await deviceOf(ctx);
  const opened = await ctx.db.transaction().execute(async (tx) => {
    const who = await personOfGoogle(tx, ctx, account);
    return openSession(tx, ctx, { ...who, bothSteps: false }, { device, bearer: false });
  });
  const { session } = await welcome(ctx, opened);
  return { session };
}

/** A Google account is known by its subject. One we never met is linked by its address, which Google must have verified. */
async function personOfGoogle(tx: Tx, ctx: AnyoneCtx, account: GoogleAccount): Promise<Omit<Proven, 'bothSteps'>> {
  const { issuer, subject } = account;
  const known = await findGoogleAccount(tx, issuer, subject);
  if (known) return { ...known, identityId: null };
  if (!account.emailVerified) throw new Refusal('google_email_unverified');
  const identifier = readIdentifier({ email: account.email });
  const who = await personOf(tx, ctx, identifier);
  await linkGoogleAccount(tx, {
    issuer,
    subject,
    personId: who.personId,
    email: identifier.value,
    linkedAt: ctx.now(),
  });
  return who;
}

function providerOf({ providers }: AnyoneCtx): Google {
  if (!providers.google) throw new Refusal('google_unavailable');
  return providers.google;
}

function checksOf({ env, http, now }: AnyoneCtx): Checks | null {
  const sealed = http.cookie(cookieName);
  const plain =
    sealed === undefined ? null : decrypt(env.secrets.session, cookieName, Buffer.from(sealed, 'base64url'));
  if (!plain) return null;
  const { until, ...checks } = JSON.parse(plain.toString()) as Checks & { until: number };
  return until > now().getTime() ? checks : null;
}

const refusalOf = {
  consent: 'google_consent_refused',
  refused: 'google_refused',
  unavailable: 'google_unavailable',
} as const;

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GoogleRefused) throw new Refusal(refusalOf[error.why]);
    throw error;
  }
}
