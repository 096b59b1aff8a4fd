import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { sameBytes } from '#server/kit/crypto/secret.ts';
import type { FinixWebhook } from './finix-settings.ts';
import { MerchantSignatureInvalid, type MerchantCall, type MerchantEvent } from './port.ts';

const toleranceSeconds = 300;

const Id = z.string().check(z.regex(/^[A-Za-z0-9_]{1,100}$/));
const Things = z.optional(z.array(z.looseObject({ id: Id, identity: z.nullish(Id) })));
const FinixEvent = z.looseObject({
  id: z.optional(z.string()),
  entity: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
  type: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
  _embedded: z.looseObject({ merchants: Things, identities: Things, onboarding_forms: Things }),
});

/**
 * Verifies a callback and reads its event; null for events about something else and for the empty test when a webhook is created. Its
 * content only says what to look at.
 */
export function readFinixEvent(
  webhook: FinixWebhook | undefined,
  { headers, rawBody }: MerchantCall,
  now: Date,
): MerchantEvent | null {
  const kind = kindOfFinixCall(webhook, webhook?.signingKey, { headers, rawBody }, now);
  if (kind === 'foreign') throw new MerchantSignatureInvalid();
  if (kind === 'test') return null;
  const read = z.safeParse(FinixEvent, parse(rawBody));
  if (!read.success) return null;
  const { id, entity, type, _embedded: things } = read.data;
  const all = [...(things.merchants ?? []), ...(things.identities ?? []), ...(things.onboarding_forms ?? [])];
  if (all.length === 0) return null;
  return {
    // A retry repeats the body; an event without an id is told apart by it.
    key: `${entity}:${id ?? createHash('sha256').update(rawBody).digest('hex')}`.slice(0, 200),
    type: `${entity}.${type}`.slice(0, 60),
    about: [...new Set(all.flatMap((thing) => [thing.id, ...(thing.identity ? [thing.identity] : [])]))].slice(0, 20),
  };
}

/** Whether a call has the login and the signature of one of our webhooks. `test`: the empty call when a webhook is created, without one. */
export function kindOfFinixCall(
  webhook: FinixWebhook | undefined,
  key: string | undefined,
  { headers, rawBody }: MerchantCall,
  now: Date,
): 'event' | 'test' | 'foreign' {
  if (!webhook || !key || !isSame(headerOf(headers, 'authorization'), webhook.authorization)) return 'foreign';
  if (rawBody.length === 0 || rawBody.toString('latin1').trim() === '{}') return 'test';
  return isSignedByFinix(key, headerOf(headers, 'finix-signature'), rawBody, now) ? 'event' : 'foreign';
}

/**
 * `timestamp=<seconds>, sig=<hex>`: HMAC-SHA256 over `timestamp:rawBody`. Taken from programs that receive these callbacks; the vendor's
 * contract does not say it. A correction belongs here.
 */
function isSignedByFinix(key: string, header: string, rawBody: Buffer, now: Date): boolean {
  const [, seconds, signature] = /^timestamp=(\d{1,12}),\s*sig=([0-9a-f]{64})$/i.exec(header.trim()) ?? [];
  if (seconds === undefined || signature === undefined) return false;
  const mac = createHmac('sha256', key).update(`${seconds}:`).update(rawBody).digest();
  if (!sameBytes(mac, Buffer.from(signature, 'hex'))) return false;
  return Math.abs(now.getTime() / 1000 - Number(seconds)) <= toleranceSeconds;
}

const hash = (text: string) => createHash('sha256').update(text).digest();
const isSame = (given: string, expected: string) => sameBytes(hash(given), hash(expected));

function headerOf(headers: MerchantCall['headers'], name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

function parse(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return null;
  }
}
