import type { Session } from '#contract/sign-in/code.ts';
import { tokenLifeSeconds } from '#contract/sign-in/session.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { findCaller } from '#server/kit/http/caller.ts';
import { sessionCookie } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { rememberDevice, setDeviceCookie } from './devices.ts';
import { recordInOffice } from './audit-in-offices.ts';
import { describeSession } from './session.ts';
import { addSession, endSession } from './session-sql.ts';

/** A session ends after this at the latest, however busy it is. */
export const sessionSeconds = 12 * 3600;

/** Somebody who proved who they are. */
export interface Proven {
  personId: string;
  personName: string;
  /** The address or number they proved it by, where it was one. */
  identityId: string | null;
  /** What they proved it by counts as both steps. */
  bothSteps: boolean;
}

interface Way {
  /** The device of the call, as `deviceOf` knows it. */
  device: string | null;
  bearer: boolean;
}

/** A session that was opened: what the caller is handed after the commit. */
export interface Opened {
  token: string;
  deviceToken: string | null;
  bearer: boolean;
}

/** Opens a session for somebody who proved who they are, and remembers the device. */
export async function openSession(tx: Tx, ctx: AnyoneCtx, who: Proven, { device, bearer }: Way): Promise<Opened> {
  const { personId, personName, identityId, bothSteps } = who;
  const keepsCookies = !bearer || device !== null;
  const remembered = keepsCookies ? await rememberDevice(tx, ctx, device, personId) : null;
  if (!bearer && ctx.caller) await replace(tx, ctx, ctx.caller.sessionId);
  const token = newToken();
  const at = ctx.now();
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1000);
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
    provedAt: at,
    secondStepAt: bothSteps ? at : null,
    tokenExpiresAt: after(tokenLifeSeconds),
    expiresAt: after(sessionSeconds),
  });
  await recordInOffice(tx, ctx, { personId, personName, sessionId }, 'session.start');
  return { token, deviceToken: remembered?.token ?? null, bearer };
}

/** After the commit: hands over the cookies, or the bearer token, and says who is signed in now. */
export async function welcome(
  ctx: AnyoneCtx,
  { token, deviceToken, bearer }: Opened,
): Promise<{ session: Session; token?: string }> {
  if (deviceToken !== null) setDeviceCookie(ctx, deviceToken);
  if (!bearer) ctx.http.setCookie(sessionCookie, token, sessionSeconds);
  const session = await describeSession(ctx, await findCaller(ctx, token, ctx.namedOffice));
  return { session, ...(bearer && { token }) };
}

/** Signing in again in the same browser leaves no second session behind. */
async function replace(tx: Tx, ctx: AnyoneCtx, sessionId: string): Promise<void> {
  await endSession(tx, sessionId, ctx.now());
  await sendHint(tx, { type: 'session', session: sessionId });
}
