import { createHmac } from 'node:crypto';
import { sameBytes } from './secret.ts';

/** The signature header of a callback: `t=<unix seconds>,v1=<hex>`. */
export const signatureHeader = 'anteroom-signature';

/** How far a callback's time may differ from ours, in seconds. */
export const signatureSeconds = 300;

/** HMAC-SHA256 over the time and the raw body. */
export function signBody(secret: string, rawBody: string | Buffer, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${macOf(secret, seconds, rawBody).toString('hex')}`;
}

/** Whether `header` was made with this secret over exactly this body, within 300 seconds of now. Constant time. */
export function isSigned(secret: string, header: string | undefined, rawBody: Buffer, now: Date): boolean {
  const [, seconds, mac] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (seconds === undefined || mac === undefined) return false;
  const isOurs = sameBytes(macOf(secret, Number(seconds), rawBody), Buffer.from(mac, 'hex'));
  return isOurs && Math.abs(now.getTime() / 1000 - Number(seconds)) <= signatureSeconds;
}

function macOf(secret: string, seconds: number, rawBody: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest();
}
