/**
 * Web push: a notification on the desk's own screen, even while the panel is closed.
 *
 * subscription: one browser of one person, notified when patients arrive at one office, text it, or need a nurse's call. No push names a patient or quotes a message.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant } from './shapes.ts';

/**
 * What a push is about. `both`: a patient arrived and another one wrote before the push was sent. `callback`: a patient after surgery needs a
 * call, whatever else happened.
 */
export const PushReason = z.enum(['arrival', 'message', 'both', 'callback']);
export type PushReason = z.output<typeof PushReason>;

/** base64url; only using it shows whether it is a valid key. */
const Key = z.string().check(z.maxLength(120));

export const PushSubscription = z.object({
  id: z.uuid(),
  /** The browser's user agent. */
  userAgent: z.string(),
  since: Instant,
  /** When the push service last accepted a push. */
  lastSentAt: z.nullable(Instant),
  /** Created by the browser that sends this request. */
  isThisDevice: z.boolean(),
});
export type PushSubscription = z.output<typeof PushSubscription>;

export const readPush = endpoint({
  method: 'GET',
  path: '/push',
  summary: "The installation's push key, and the caller's subscriptions for this office",
  access: 'office',
  reply: z.object({
    /** VAPID public key, base64url; browsers subscribe with it. */
    publicKey: z.string(),
    /** The local provider is in use: pushes go to the outbox, and the browser invents its subscription. */
    local: z.boolean(),
    subscriptions: z.array(PushSubscription),
  }),
});

export const subscribePush = endpoint({
  method: 'POST',
  path: '/push/subscriptions',
  summary: 'Subscribes this browser to arrivals, messages and nurse callbacks; subscribing it again changes nothing',
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
  summary: 'Removes a subscription',
  access: 'office',
  params: z.object({ subscriptionId: z.uuid() }),
  reply: z.object({ unsubscribed: z.boolean() }),
});

export const tryPush = endpoint({
  method: 'POST',
  path: '/push/subscriptions/:subscriptionId/try',
  summary: 'Sends a test push to that browser now',
  access: 'office',
  params: z.object({ subscriptionId: z.uuid() }),
  reply: z.object({ due: z.boolean() }),
  refusals: ['not_found', 'too_many_tries'],
});
