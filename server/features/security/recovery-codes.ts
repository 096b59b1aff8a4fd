import { randomInt } from 'node:crypto';
import { recoveryCodeCount } from '#contract/sign-in/second-ways.ts';
import type { Services } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { keyedHash } from '#server/kit/crypto/secret.ts';
import { replaceRecoveryCodes } from './authenticator-sql.ts';

/** Without letters and digits that are easily confused in handwriting. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/** Replaces the recovery codes. The new ones are shown once and stored as keyed hashes. */
export async function createRecoveryCodes(
  tx: Tx,
  services: Pick<Services, 'env'>,
  personId: string,
): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const hashes = codes.map((code) => hashOfRecoveryCode(services, personId, code.replace('-', '')));
  await replaceRecoveryCodes(tx, personId, hashes);
  return codes;
}

/** The keyed hash of a code in capitals without its hyphen. */
export function hashOfRecoveryCode({ env }: Pick<Services, 'env'>, personId: string, code: string): Buffer {
  return keyedHash(env.secrets.session, 'recovery code', personId, code);
}

/** Ten letters and digits, 49 bits, in two groups. */
function newRecoveryCode(): string {
  const letters = Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}
