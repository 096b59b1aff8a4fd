import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { sameBytes } from '#server/kit/crypto/secret.ts';
import { CardSignatureInvalid, type Card, type CardEvent } from './port.ts';

const toleranceSeconds = 300;

/** The events after which a membership may look different. All others are acknowledged and ignored. */
export const handledEvents: ReadonlySet<string> = new Set([
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.upcoming',
  'invoice.finalization_failed',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'payment_method.attached',
  'payment_method.automatically_updated',
  'payment_method.detached',
  'subscription_schedule.released',
  'subscription_schedule.aborted',
  'charge.dispute.created',
]);

const Customer = z.union([z.string(), z.looseObject({ id: z.string() })]);
const StripeEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  data: z.looseObject({
    object: z.looseObject({ customer: z.nullish(Customer) }),
    /** A card that is taken off a customer names it only here. */
    previous_attributes: z.nullish(z.looseObject({ customer: z.nullish(Customer) })),
  }),
});

/**
 * Verifies a callback and reads its event; null for events we ignore. Only its id, type and customer are used, and the customer is looked up:
 * so an older event, or one that comes twice, changes nothing. `payment_method.detached` names its customer as what it was before.
 */
export function readStripeEvent(
  secret: string | undefined,
  { headers, rawBody }: Parameters<Card['readCallback']>[0],
  now: Date,
): CardEvent | null {
  const header = headers['stripe-signature'];
  if (!secret || typeof header !== 'string' || !isSignedByStripe(secret, header, rawBody, now))
    throw new CardSignatureInvalid();
  const read = z.safeParse(StripeEvent, parseJson(rawBody));
  if (!read.success || !handledEvents.has(read.data.type)) return null;
  const { id, type, data } = read.data;
  const customer = data.object.customer ?? data.previous_attributes?.customer ?? null;
  const customerId = typeof customer === 'object' ? (customer?.id ?? null) : customer;
  return { key: id.slice(0, 200), type: type.slice(0, 60), customerId };
}

/** `t=<seconds>,v1=<hex>`: HMAC-SHA256 over `t.rawBody`. While a secret is being replaced there is a `v1` for each. */
export function isSignedByStripe(secret: string, header: string, rawBody: Buffer, now: Date): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const seconds = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(seconds)) return false;
  const mac = createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest();
  const isOurs = parts.some(
    ([name, hex = '']) => name === 'v1' && /^[0-9a-f]{64}$/i.test(hex) && sameBytes(mac, Buffer.from(hex, 'hex')),
  );
  return isOurs && Math.abs(now.getTime() / 1000 - Number(seconds)) <= toleranceSeconds;
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return null;
  }
}
