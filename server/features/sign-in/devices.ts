import type { AnyoneCtx } from '#server/context.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import type { Scope } from './code-limits.ts';
import type { Identifier } from './identifier.ts';
import { addDevice, findDevice, isKnownDevice, rememberSignIn } from './device-sql.ts';

const cookieName = 'device';
const cookieSeconds = 400 * 86_400;
/** A device is forgotten when the person has not signed in on it for this many days. */
const knownDays = 90;

/** The id of this browser's device, found by its cookie; null for a new device. */
export async function deviceOf({ db, http }: Pick<AnyoneCtx, 'db' | 'http'>): Promise<string | null> {
  const token = http.cookie(cookieName);
  return token === undefined ? null : findDevice(db, hashToken(token));
}

/** Whose limits a code for this identifier counts against. */
export async function scopeOf(db: Db, deviceId: string | null, { value }: Identifier, now: Date): Promise<Scope> {
  const since = new Date(now.getTime() - knownDays * 86_400_000);
  return deviceId !== null && (await isKnownDevice(db, deviceId, value, since)) ? `device:${deviceId}` : 'stranger';
}

/** Saves that this person signed in on this device. `token` is set for a new device: set its cookie after the commit. */
export async function rememberDevice(
  tx: Tx,
  { id, now }: Pick<AnyoneCtx, 'id' | 'now'>,
  knownDeviceId: string | null,
  personId: string,
): Promise<{ deviceId: string; token: string | null }> {
  const token = knownDeviceId === null ? newToken() : null;
  const deviceId = knownDeviceId ?? id();
  if (token !== null) await addDevice(tx, { id: deviceId, tokenHash: hashToken(token), at: now() });
  await rememberSignIn(tx, { deviceId, personId, at: now() });
  return { deviceId, token };
}

/** Sets the cookie of a new device. */
export function setDeviceCookie({ http }: Pick<AnyoneCtx, 'http'>, token: string): void {
  http.setCookie(cookieName, token, cookieSeconds);
}
