import type { Session } from '#contract/sign-in/session.ts';
import { tokenLifeSeconds } from '#contract/sign-in/session.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { findCaller } from '#server/kit/http/caller.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { sessionCookie } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { newSessionToken } from '#server/kit/crypto/session-token.ts';
import { rememberDevice, setDeviceCookie } from './devices.ts';
import { auditInOffice } from './audit-in-offices.ts';
import { describeSession } from './session.ts';
import { addSession, endSession } from './session-sql.ts';

/** A session ends after this time even if it is in use. */
export const sessionSeconds = 12 * 3600;

/** A person who has proved their identity. */
export interface VerifiedPerson {
  personId: string;
  personName: string;
  /** The email or number that the code was sent to; null for another sign-in method. */
  identityId: string | null;
  /** Whether the proof counts as both sign-in steps. */
  bothSteps: boolean;
}

interface SessionOptions {
  /** The caller's device, from `deviceOf`. */
  device: string | null;
  bearer: boolean;
}

/** A new session's secrets: the caller gets them after the commit. */
export interface OpenedSession {
  token: string;
  deviceToken: string | null;
  bearer: boolean;
}

/** Opens a session for a verified person and remembers the device. */
export async function openSession(
  tx: Tx,
  ctx: AnyoneCtx,
  who: VerifiedPerson,
  { device, bearer }: SessionOptions,
): Promise<OpenedSession> {
  const { personId, personName, identityId, bothSteps } = who;
  const keepsCookies = !bearer || device !== null;
  const remembered = keepsCookies ? await rememberDevice(tx, ctx, device, personId) : null;
  if (!bearer && ctx.caller) await endReplacedSession(tx, ctx, ctx.caller.sessionId);
  const at = ctx.now();
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  const token = newSessionToken(ctx.env.secrets.session, after(tokenLifeSeconds));
  const sessionId = ctx.id();
  await addSession(tx, {
    id: sessionId,
    personId,
    identityId,
    tokenHash: hashToken(token),
    kind: bearer ? 'bearer' : 'cookie',
    deviceId: remembered?.deviceId ?? null,
    address: ctx.http.address,
    network: networkOfAddress(ctx.http.address),
    userAgent: ctx.http.userAgent,
    createdAt: at,
    activeAt: at,
    provedAt: at,
    secondStepAt: bothSteps ? at : null,
    tokenExpiresAt: after(tokenLifeSeconds),
    expiresAt: after(sessionSeconds),
  });
  await auditInOffice(tx, ctx, { personId, personName, sessionId }, 'session.start');
  return { token, deviceToken: remembered?.token ?? null, bearer };
}

/** Call after the commit: sets the cookies or returns the bearer token, and describes the session. */
export async function finishSignIn(
  ctx: AnyoneCtx,
  { token, deviceToken, bearer }: OpenedSession,
): Promise<{ session: Session; token?: string }> {
  if (deviceToken !== null) setDeviceCookie(ctx, deviceToken);
  if (!bearer) ctx.http.setCookie(sessionCookie, token, sessionSeconds);
  ctx.visitorPace.noteSession(token);
  const caller = await findCaller(ctx, { token, address: ctx.http.address }, ctx.namedOffice);
  const session = await describeSession(ctx, caller);
  return { session, ...(bearer && { token }) };
}

/** Ends the browser's earlier session when the person signs in again. */
async function endReplacedSession(tx: Tx, ctx: AnyoneCtx, sessionId: string): Promise<void> {
  await endSession(tx, sessionId, ctx.now());
  await sendHint(tx, { type: 'session', session: sessionId });
}
