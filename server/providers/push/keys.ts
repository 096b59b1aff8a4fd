import { createECDH } from 'node:crypto';
import type { PushTarget } from './port.ts';

/** Whether the keys are a point on the curve and 16 bytes; nothing else can be encrypted for. */
export function hasValidKeys({ p256dh, auth }: PushTarget): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false;
  const ours = createECDH('prime256v1');
  ours.generateKeys();
  try {
    return ours.computeSecret(Buffer.from(p256dh, 'base64url')).length === 32;
  } catch {
    return false;
  }
}
