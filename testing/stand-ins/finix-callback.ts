import { createHmac } from 'node:crypto';

export const finixKey = 'whsec-of-the-tests-0123456789abcdef';
export const finixToken = 'bearer-of-the-tests-0123456789abcdef';

/** A callback as Finix sends it, signed at `at`. */
export function finixCallback(told: object | string, at: Date, changes: Record<string, string> = {}) {
  const rawBody = Buffer.from(typeof told === 'string' ? told : JSON.stringify(told));
  const seconds = Math.floor(at.getTime() / 1000);
  const sig = createHmac('sha256', finixKey).update(`${seconds}:`).update(rawBody).digest('hex');
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${finixToken}`,
    'finix-signature': `timestamp=${seconds}, sig=${sig}`,
    ...changes,
  };
  return { headers, rawBody };
}

/** An event about a merchant account, in the vendor's shape. */
export const merchantEvent = (type: string, merchant: { id: string; identity: string }, id = 'event_1') => ({
  id,
  entity: 'merchant',
  type,
  occurred_at: '2026-03-02T15:00:00',
  _embedded: { merchants: [{ ...merchant, onboarding_state: 'APPROVED' }] },
});
