import type { AnyoneCtx, Caller } from '#server/context.ts';
import { deviceOf, deviceOfSession } from '#server/features/sign-in/index.ts';
import type { PinKey } from './pin-sql.ts';

/**
 * The person and the device of this request; null where the session cannot have a PIN: a program's token, or a session whose device cookie
 * is not in this browser. A stolen session cookie alone therefore cannot try PINs.
 */
export async function pinKeyHere(
  ctx: Pick<AnyoneCtx, 'db' | 'http'>,
  { kind, personId, sessionId }: Caller,
): Promise<PinKey | null> {
  const deviceId = kind === 'cookie' ? await deviceOf(ctx) : null;
  if (deviceId === null || (await deviceOfSession(ctx.db, { sessionId, personId })) !== deviceId) return null;
  return { deviceId, personId };
}
