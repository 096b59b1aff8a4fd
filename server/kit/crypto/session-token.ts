import { keyedHash, newToken, sameBytes } from './secret.ts';

/** 192 random bits; then, in 12 bytes, the time until which the token counts as issued (seconds since 1970) and a MAC. */
const randomChars = 32;
const tokenChars = 48;

/**
 * A new session's token. By its MAC the server recognizes its own tokens without a database round trip; the database still decides whether
 * the session goes on. `until`: when the token ends at the latest.
 */
export function newSessionToken(secret: string, until: Date): string {
  return withMac(secret, newToken(), secondsOf(until));
}

/** The token that follows this one: only this installation can derive it, and always the same one. */
export function nextSessionToken(secret: string, token: string, lifeSeconds: number): string {
  const random = keyedHash(secret, 'next token', token).subarray(0, 24).toString('base64url');
  // A token of an earlier version has no MAC, nor have those that follow it.
  return hasMac(secret, token) ? withMac(secret, random, untilOf(token) + lifeSeconds) : random;
}

/** Whether this installation issued the token and its time is not over. Its session may have ended. */
export function isIssuedToken(secret: string, token: string, now: Date): boolean {
  return hasMac(secret, token) && untilOf(token) > secondsOf(now);
}

function withMac(secret: string, random: string, until: number): string {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(until);
  const mac = keyedHash(secret, 'session token', random, String(until)).subarray(0, 8);
  return random + Buffer.concat([time, mac]).toString('base64url');
}

function hasMac(secret: string, token: string): boolean {
  if (token.length !== tokenChars) return false;
  return sameBytes(Buffer.from(withMac(secret, token.slice(0, randomChars), untilOf(token))), Buffer.from(token));
}

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000);

function untilOf(token: string): number {
  const tail = Buffer.alloc(12);
  tail.write(token.slice(randomChars), 'base64url');
  return tail.readUInt32BE();
}
