import type { Session } from '#contract/sign-in/session.ts';
import type { AnyoneCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { encrypt, decrypt } from '#server/kit/crypto/encrypt.ts';
import { GoogleRefused, type Checks, type Google, type GoogleAccount } from '#server/providers/google/port.ts';
import {
  deviceOf,
  readIdentifier,
  openSession,
  finishSignIn,
  type VerifiedPerson,
  findOrCreatePerson,
} from '#server/features/sign-in/index.ts';
import { findGoogleAccount, linkGoogleAccount } from './sql.ts';

const cookieName = 'google';
const flowSeconds = 600;
const perNetwork = { name: 'google-network', points: 100, seconds: 600 };

/** Returns Google's sign-in address. The values to check on return are stored encrypted in a cookie of this browser. */
export async function startGoogle(ctx: AnyoneCtx): Promise<{ url: string }> {
  await ctx.limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address));
  const { url, checks } = await callGoogle(() => providerOf(ctx).begin());
  const until = ctx.now().getTime() + flowSeconds * 1000;
  const encrypted = encrypt(ctx.env.secrets.session, cookieName, Buffer.from(JSON.stringify({ ...checks, until })));
  ctx.http.setCookie(cookieName, encrypted.toString('base64url'), flowSeconds);
  return { url };
}

/** Signs in after the return from Google: once, and only in the browser that started. Counts as the first sign-in step, like a code. */
export async function finishGoogle(ctx: AnyoneCtx, search: string): Promise<{ session: Session }> {
  await ctx.limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address));
  const checks = checksOf(ctx);
  ctx.http.clearCookie(cookieName);
  if (!checks) throw new Refusal('google_refused');
  const account = await callGoogle(() => providerOf(ctx).finish(search, checks));
  const device = await deviceOf(ctx);
  const opened = await ctx.db.transaction().execute(async (tx) => {
    const person = await findOrCreateGooglePerson(tx, ctx, account);
    return openSession(tx, ctx, { ...person, bothSteps: false }, { device, bearer: false });
  });
  const { session } = await finishSignIn(ctx, opened);
  return { session };
}

/** Finds the person by the account's subject. A new account is linked by its email address, which Google must have verified. */
async function findOrCreateGooglePerson(
  tx: Tx,
  ctx: AnyoneCtx,
  account: GoogleAccount,
): Promise<Omit<VerifiedPerson, 'bothSteps'>> {
  const { issuer, subject } = account;
  const linked = await findGoogleAccount(tx, issuer, subject);
  if (linked) return { ...linked, identityId: null };
  if (!account.emailVerified) throw new Refusal('google_email_unverified');
  const identifier = readIdentifier({ email: account.email });
  const person = await findOrCreatePerson(tx, ctx, identifier);
  await linkGoogleAccount(tx, {
    issuer,
    subject,
    personId: person.personId,
    email: identifier.value,
    linkedAt: ctx.now(),
  });
  return person;
}

function providerOf({ providers }: AnyoneCtx): Google {
  if (!providers.google) throw new Refusal('google_unavailable');
  return providers.google;
}

function checksOf({ env, http, now }: AnyoneCtx): Checks | null {
  const encrypted = http.cookie(cookieName);
  const plain =
    encrypted === undefined ? null : decrypt(env.secrets.session, cookieName, Buffer.from(encrypted, 'base64url'));
  if (!plain) return null;
  const { until, ...checks } = JSON.parse(plain.toString()) as Checks & { until: number };
  return until > now().getTime() ? checks : null;
}

const refusalOf = {
  consent: 'google_consent_refused',
  refused: 'google_refused',
  unavailable: 'google_unavailable',
} as const;

/** Turns the provider's errors into refusals. */
async function callGoogle<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof GoogleRefused) throw new Refusal(refusalOf[error.why]);
    throw error;
  }
}
