import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** 192 random bits, safe in a URL. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Tokens are stored as SHA-256 hashes (they are random, so no salt is needed). */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** HMAC with one of the installation's secrets. */
export function keyedHash(secret: string, ...parts: string[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(`${part.length}:${part}`);
  return hmac.digest();
}

/** Six digits from a CSPRNG. */
export function newCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0');
}

/** Compares in constant time. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
