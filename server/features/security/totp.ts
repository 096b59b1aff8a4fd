import { createHmac } from 'node:crypto';
import { sameBytes } from '#server/kit/crypto/secret.ts';

const stepSeconds = 30;
/** Phone clocks are a little off, so the previous and the next code are accepted too. */
const toleratedSteps = 1;

/** The 30-second step that contains a time. */
export const stepOf = (at: Date): number => Math.floor(at.getTime() / 1000 / stepSeconds);

/** The six digits an authenticator app shows (RFC 6238 with SHA-1, as all of them do). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hmac = createHmac('sha1', secret).update(counter).digest();
  const offset = (hmac.at(-1) as number) & 15;
  return String((hmac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

/** The step of a currently valid code, later than step `after`; null if the code is not valid now. */
export function stepOfCode(secret: Buffer, code: string, at: Date, after: number): number | null {
  const now = stepOf(at);
  for (let step = now - toleratedSteps; step <= now + toleratedSteps; step++)
    if (step > after && sameBytes(Buffer.from(codeAt(secret, step)), Buffer.from(code))) return step;
  return null;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding, as apps and people type it. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The address in the QR code. */
export function otpauthUri(product: string, account: string, secret: Buffer): string {
  const label = [product, account].map(encodeURIComponent).join(':');
  const query = new URLSearchParams({ secret: base32(secret), issuer: product });
  return `otpauth://totp/${label}?${query}`;
}
