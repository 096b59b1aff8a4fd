/**
 * Web push: a note on the desk's own screen, also while the panel is closed.
 *
 * subscription: one browser of one person that wants to hear of one office's arrivals. No push ever names a patient.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant } from './shapes.ts';

/** base64url; whether it is a key is seen by using it. */
const Key = z.string().check(z.maxLength(120));

export const PushSubscription = z.object({
  id: z.uuid(),
  /** The browser as it names itself. */
  userAgent: z.string(),
  since: Instant,
  /** When a push last reached its push service. */
  lastSentAt: z.nullable(Instant),
  /** Subscribed from the browser that asks. */
  isThisDevice: z.boolean(),
});
export type PushSubscription = z.output<typeof PushSubscription>;

export const readPush = endpoint({
  method: 'GET',
  path: '/push',
  summary: "The installation's push key, and the caller's subscriptions for this office",
  access: 'office',
  reply: z.object({
    /** VAPID public key, base64url: what a browser subscribes with. */
    publicKey: z.string(),
    /** The stand-in is in use: pushes go to the outbox, and a browser makes its subscription up. */
    local: z.boolean(),
    subscriptions: z.array(PushSubscription),
  }),
});

export const subscribePush = endpoint({
  method: 'POST',
  path: '/push/subscriptions',
  summary: 'This browser wants to hear of arrivals; the same one again is one subscription',
  access: 'office',
  body: z.object({
    endpoint: z.string().check(z.maxLength(1000)),
    keys: z.object({ p256dh: Key, auth: Key }),
  }),
  reply: PushSubscription,
  refusals: ['push_service_unknown'],
});

export const unsubscribePush = endpoint({
  method: 'DELETE',
  path: '/push/subscriptions/:subscriptionId',
  summary: 'No more pushes to that browser',
  access: 'office',
  params: z.object({ subscriptionId: z.uuid() }),
  reply: z.object({ unsubscribed: z.boolean() }),
});

export const tryPush = endpoint({
  method: 'POST',
  path: '/push/subscriptions/:subscriptionId/try',
  summary: 'Sends a push to that browser now, to see what it is like',
  access: 'office',
  params: z.object({ subscriptionId: z.uuid() }),
  reply: z.object({ due: z.boolean() }),
  refusals: ['not_found', 'too_many_tries'],
});
