import type { AnyoneCtx } from '#server/context.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import type { Scope } from './code-limits.ts';
import type { Identifier } from './identifier.ts';
import { addDevice, findDevice, isKnownDevice, rememberSignIn } from './device-sql.ts';

const cookieName = 'device';
const cookieSeconds = 400 * 86_400;
/** A device is forgotten when the person has not signed in on it for so long. */
const knownDays = 90;

/** The device this browser says it is, by its cookie of random bits; null when we never met. */
export async function deviceOf({ db, http }: Pick<AnyoneCtx, 'db' | 'http'>): Promise<string | null> {
  const token = http.cookie(cookieName);
  return token === undefined ? null : findDevice(db, hashToken(token));
}

/** Whose budget a code for this identifier comes out of. */
export async function scopeOf(db: Db, deviceId: string | null, { value }: Identifier, now: Date): Promise<Scope> {
  const since = new Date(now.getTime() - knownDays * 86_400_000);
  return deviceId !== null && (await isKnownDevice(db, deviceId, value, since)) ? `device:${deviceId}` : 'stranger';
}

/** Remembers that this person signed in on this device. `token` is a new device's: set its cookie after the commit. */
export async function rememberDevice(
  tx: Tx,
  { id, now }: Pick<AnyoneCtx, 'id' | 'now'>,
  known: string | null,
  personId: string,
): Promise<{ deviceId: string; token: string | null }> {
  const token = known === null ? newToken() : null;
  const deviceId = known ?? id();
  if (token !== null) await addDevice(tx, { id: deviceId, tokenHash: hashToken(token), at: now() });
  await rememberSignIn(tx, { deviceId, personId, at: now() });
  return { deviceId, token };
}

/** Gives a new device its cookie. */
export function setDeviceCookie({ http }: Pick<AnyoneCtx, 'http'>, token: string): void {
  http.setCookie(cookieName, token, cookieSeconds);
}
