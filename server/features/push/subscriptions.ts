import type { PushSubscription } from '#contract/push.ts';
import type { Caller, OfficeCtx } from '#server/context.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import {
  deviceOfSession,
  deleteOwnSubscription,
  deleteSubscription,
  saveSubscription,
  makePushDue,
  subscriptionsOf,
  type SubscriptionRow,
} from './sql.ts';

/** Browsers per person and office. Beyond that the oldest is dropped, as it is probably unused. */
const perPerson = 10;
const tries = { name: 'push-try', points: 10, seconds: 600 };

export async function readPush(ctx: OfficeCtx) {
  const { push } = ctx.providers;
  const device = await deviceOfSession(ctx.db, ctx.caller.sessionId);
  const rows = await ctx.transaction((tx) => subscriptionsOf(tx, ctx.officeId, ctx.caller.personId));
  return {
    publicKey: push.publicKey,
    local: push.name === 'local',
    subscriptions: rows.map((row) => toSubscription(row, ctx.caller, device)),
  };
}

/** Subscribes a browser to arrivals, if it may be sent to. */
export async function subscribe(
  ctx: OfficeCtx,
  { endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } },
): Promise<PushSubscription> {
  if (!ctx.providers.push.accepts({ endpoint, ...keys })) throw new Refusal('push_service_unknown');
  const { officeId, caller } = ctx;
  const device = await deviceOfSession(ctx.db, caller.sessionId);
  const row = await ctx.transaction(async (tx) => {
    const row = await saveSubscription(tx, {
      officeId,
      id: ctx.id(),
      personId: caller.personId,
      sessionId: caller.sessionId,
      deviceId: device,
      endpoint,
      ...keys,
      language: ctx.language,
      userAgent: ctx.http.userAgent,
      createdAt: ctx.now(),
    });
    const all = await subscriptionsOf(tx, officeId, caller.personId);
    for (const old of all.filter(({ id }) => id !== row.id).slice(0, Math.max(0, all.length - perPerson)))
      await deleteSubscription(tx, officeId, old.id);
    return row;
  });
  return toSubscription(row, caller, device);
}

export async function unsubscribe(ctx: OfficeCtx, id: string): Promise<{ unsubscribed: boolean }> {
  const unsubscribed = await ctx.transaction((tx) => deleteOwnSubscription(tx, ctx.officeId, ctx.caller.personId, id));
  return { unsubscribed };
}

/** Sends a test push to one of the caller's own browsers. */
export async function sendTestPush(ctx: OfficeCtx, id: string): Promise<{ due: boolean }> {
  const own = await ctx.transaction((tx) => subscriptionsOf(tx, ctx.officeId, ctx.caller.personId));
  if (!own.some((row) => row.id === id)) throw new Refusal('not_found');
  await ctx.limits.take(tries, ctx.caller.personId);
  await ctx.transaction(async (tx) => {
    await makePushDue(tx, ctx.officeId, id, ctx.now());
    await sendHint(tx, { type: 'push' });
  });
  return { due: true };
}

function toSubscription(row: SubscriptionRow, { sessionId }: Caller, device: string | null): PushSubscription {
  return {
    id: row.id,
    userAgent: row.userAgent,
    since: row.createdAt.toISOString(),
    lastSentAt: row.lastSentAt?.toISOString() ?? null,
    isThisDevice: row.sessionId === sessionId || (device !== null && row.deviceId === device),
  };
}
