import type { Device } from '#contract/sign-in/session.ts';
import type { Caller, PersonCtx } from '#server/context.ts';
import { isIdle } from '#server/session-lock.ts';
import { sessionCookie } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { forgetDevice, forgetOtherDevices, forgetPins } from './device-sql.ts';
import { parseUserAgent } from './device-name.ts';
import { auditInOffice } from './audit-in-offices.ts';
import { endSessionsOf, openSessionsOf } from './session-sql.ts';

/** The devices on which the caller is signed in: this one first, then the last used. */
export async function listDevices(ctx: PersonCtx): Promise<{ devices: Device[] }> {
  const { caller, http } = ctx;
  const open = await openSessionsOf(ctx.db, caller.personId, ctx.now());
  const devices = open.map((session) => ({
    id: session.id,
    kind: session.kind === 'bearer' ? ('program' as const) : ('browser' as const),
    ...parseUserAgent(session.userAgent ?? ''),
    address: session.address,
    sameAddress: session.address === http.address,
    signedInAt: session.createdAt.toISOString(),
    activeAt: session.activeAt.toISOString(),
    locked: session.lockedAt !== null || isIdle(session, caller.lockMinutes, ctx.now()),
    current: session.id === caller.sessionId,
  }));
  return { devices: devices.sort((a, b) => Number(b.current) - Number(a.current)) };
}

/** Signs out one of the caller's devices. From then on it counts as unknown. */
export async function signOutDevice(ctx: PersonCtx, deviceId: string): Promise<{ devices: Device[] }> {
  const { caller } = ctx;
  await ctx.db.transaction().execute(async (tx) => {
    const [ended] = await endSessionsOf(tx, caller.personId, ctx.now(), deviceId);
    if (!ended) throw new Refusal('not_found');
    if (ended.deviceId && ended.id !== caller.sessionId) await forgetDevice(tx, ended.deviceId, caller.personId);
    await announceEndedSessions(tx, ctx, caller, [ended]);
  });
  if (deviceId === caller.sessionId) ctx.http.clearCookie(sessionCookie);
  return listDevices(ctx);
}

/** Signs out all of the caller's devices, including this one. The others count as unknown from then on, and no PIN is left. */
export async function signOutEverywhere(ctx: PersonCtx): Promise<{ signedOut: number }> {
  const { caller } = ctx;
  const signedOut = await ctx.db.transaction().execute(async (tx) => {
    const ended = await endSessionsOf(tx, caller.personId, ctx.now());
    const here = ended.find(({ id }) => id === caller.sessionId)?.deviceId ?? null;
    await forgetOtherDevices(tx, caller.personId, here);
    await forgetPins(tx, caller.personId);
    await announceEndedSessions(tx, ctx, caller, ended);
    return ended.length;
  });
  ctx.http.clearCookie(sessionCookie);
  return { signedOut };
}

async function announceEndedSessions(tx: Tx, ctx: PersonCtx, caller: Caller, ended: { id: string }[]): Promise<void> {
  for (const { id } of ended) {
    await auditInOffice(tx, ctx, { ...caller, sessionId: id }, 'session.end');
    await sendHint(tx, { type: 'session', session: id });
  }
}
