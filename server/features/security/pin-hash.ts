import { scrypt } from 'node:crypto';
import type { Services } from '#server/context.ts';
import { keyedHash } from '#server/kit/crypto/secret.ts';
import { openFairQueue } from '#server/kit/fair-queue.ts';
import type { PinKey } from './pin-sql.ts';

/** scrypt takes 50 ms, 16 MB and one of Node's four threads: two at a time leave the others to files and pictures. */
const hashing = openFairQueue({ running: 2, waiting: 100, waitingOfSender: 8 });

/**
 * A million PINs are few: the key is outside the database, and scrypt makes each guess slow for those who have both. Throws `overloaded`.
 */
export function hashPin(
  { env }: Pick<Services, 'env'>,
  { deviceId, personId }: PinKey,
  salt: Buffer,
  pin: string,
): Promise<Buffer> {
  const keyed = keyedHash(env.secrets.session, 'device pin', deviceId, personId, pin);
  return hashing.run(
    personId,
    () =>
      new Promise((resolve, reject) => {
        scrypt(keyed, salt, 32, (error, hash) => (error ? reject(error) : resolve(hash)));
      }),
  );
}
