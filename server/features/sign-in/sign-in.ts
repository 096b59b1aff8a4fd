import type { Session } from '#contract/sign-in.ts';
import type { AnyoneCtx } from '#server/ctx.ts';
import { findCaller } from '#server/kit/caller.ts';
import { sessionCookie } from '#server/kit/context.ts';
import type { Tx } from '#server/kit/db.ts';
import { tell } from '#server/kit/live.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { hashToken, newToken } from '#server/kit/secret.ts';
import { sendCode, tryCode, type Lock } from './codes.ts';
import { deviceOf, rememberDevice, scopeOf, setDeviceCookie } from './devices.ts';
import { readIdentifier } from './identifier.ts';
import { personOf } from './people.ts';
import { recordInOffices } from './record.ts';
import { describeSession } from './session.ts';
import { addSession, endSession } from './sql.ts';

/** A session ends after this at the latest, however busy it is. */
export const sessionSeconds = 12 * 3600;

interface Given {
  email?: string | undefined;
  phone?: string | undefined;
}

/** Sends a code to whoever asks: who is known and who is not cannot be told from the answer. */
export async function requestCode(
  ctx: AnyoneCtx,
  given: Given,
): Promise<{ expiresAt: string; resendAfterSeconds: number }> {
  const identifier = readIdentifier(given);
  const scope = await scopeOf(ctx.db, await deviceOf(ctx), identifier, ctx.now());
  return sendCode(ctx, { identifier, purpose: 'sign-in', scope });
}

/** Signs in with a code. A newcomer's account is made here, after the right code and never before. */
export async function verifyCode(
  ctx: AnyoneCtx,
  { code, bearer = false, ...given }: Given & { code: string; bearer?: boolean | undefined },
): Promise<{ session: Session; token?: string }> {
  const identifier = readIdentifier(given);
  const device = await deviceOf(ctx);
  const lock: Lock = {
    identifier,
    purpose: 'sign-in',
    scope: await scopeOf(ctx.db, device, identifier, ctx.now()),
  };
  const token = newToken();
  const tried = await ctx.db.transaction().execute(async (tx) => {
    const outcome = await tryCode(tx, ctx, lock, code);
    if (outcome !== 'right') return { outcome, newDevice: null };
    return { outcome, newDevice: await startSession(tx, ctx, lock, { token, device, bearer }) };
  });
  if (tried.outcome !== 'right') throw new Refusal(tried.outcome);

  if (tried.newDevice !== null) setDeviceCookie(ctx, tried.newDevice);
  if (!bearer) ctx.http.setCookie(sessionCookie, token, sessionSeconds);
  const session = await describeSession(ctx, await findCaller(ctx, token, ctx.namedOffice));
  return { session, ...(bearer && { token }) };
}

/** The session, its person and the device they will be known by; answers a new device's token. */
async function startSession(
  tx: Tx,
  ctx: AnyoneCtx,
  { identifier }: Lock,
  { token, device, bearer }: { token: string; device: string | null; bearer: boolean },
): Promise<string | null> {
  const { identityId, personId, personName } = await personOf(tx, ctx, identifier);
  const keepsCookies = !bearer || device !== null;
  const remembered = keepsCookies ? await rememberDevice(tx, ctx, device, personId) : null;
  if (!bearer && ctx.caller) await replace(tx, ctx, ctx.caller.sessionId);
  const at = ctx.now();
  const sessionId = ctx.id();
  await addSession(tx, {
    id: sessionId,
    personId,
    identityId,
    tokenHash: hashToken(token),
    kind: bearer ? 'bearer' : 'cookie',
    deviceId: remembered?.deviceId ?? null,
    address: ctx.http.address,
    userAgent: ctx.http.userAgent,
    createdAt: at,
    activeAt: at,
    expiresAt: new Date(at.getTime() + sessionSeconds * 1000),
  });
  await recordInOffices(tx, ctx, { personId, personName, sessionId }, 'session.start');
  return remembered?.token ?? null;
}

/** Signing in again in the same browser leaves no second session behind. */
async function replace(tx: Tx, ctx: AnyoneCtx, sessionId: string): Promise<void> {
  await endSession(tx, sessionId, ctx.now());
  await tell(tx, { type: 'session', session: sessionId });
}
