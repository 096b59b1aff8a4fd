import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** 192 random bits, safe in a URL. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The code by which the desk and the operator name a patient of an office. A command would take a dash in front for an option. */
export function newPatientCode(): string {
  return newToken().slice(0, 16).replace(/^-/, '_');
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
