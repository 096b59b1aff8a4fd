import { createECDH } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Vapid } from './web-push.ts';

/**
 * Reads `VAPID_SUBJECT`, `VAPID_PUBLIC_KEY` and `VAPID_PRIVATE_KEY`; undefined without a subject: pushes stay in the outbox. Missing keys
 * are generated once in `dataDir`, unless `mustBeGiven`. Throws a message an operator can act on.
 */
export function readVapid(from: NodeJS.ProcessEnv, dataDir: string, mustBeGiven: boolean): Vapid | undefined {
  checkVapid(from, mustBeGiven);
  const { VAPID_SUBJECT: subject, VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = from;
  if (!subject) return undefined;
  if (publicKey && privateKey) return { subject, publicKey, privateKey };
  return withKeysChecked({ subject, ...madeOnce(join(dataDir, 'secrets', 'vapid.json')) });
}

/** Throws if the variables are wrong or missing; touches no file. */
export function checkVapid(from: NodeJS.ProcessEnv, mustBeGiven: boolean): void {
  const { VAPID_SUBJECT: subject, VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = from;
  if (!subject) return;
  if (!/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(subject))
    throw new Error(`VAPID_SUBJECT must be mailto:you@your.domain or an https address, it is "${subject}"`);
  if (publicKey && privateKey) return void withKeysChecked({ subject, publicKey, privateKey });
  if (publicKey || privateKey) throw new Error('Give VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY together');
  if (mustBeGiven)
    throw new Error(
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are missing: with DATABASE_URL the environment must give them',
    );
}

function madeOnce(file: string): Omit<Vapid, 'subject'> {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, JSON.stringify(newKeys()), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Omit<Vapid, 'subject'>;
}

/** A P-256 key pair (RFC 8292), base64url. */
function newKeys(): Omit<Vapid, 'subject'> {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // Without padding, a small number would lose its leading zeros.
  const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
  return { publicKey, privateKey };
}

function withKeysChecked(vapid: Vapid): Vapid {
  const bytes = (key: string) => Buffer.from(key, 'base64url').length;
  if (bytes(vapid.publicKey) !== 65 || bytes(vapid.privateKey) !== 32)
    throw new Error('VAPID_PUBLIC_KEY must be 65 bytes and VAPID_PRIVATE_KEY 32 bytes, each as base64url');
  return vapid;
}
