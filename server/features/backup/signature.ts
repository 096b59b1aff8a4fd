import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type Hash,
} from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '#server/kit/command.ts';

/**
 * Everybody who knows a BACKUP_RECIPIENT can encrypt for it, so encryption alone does not prove who made a backup. Each installation
 * therefore signs its backups with its own Ed25519 key. The public key, `ed25519:…`, is printed with every backup and required by a
 * restore.
 */
export const signingKeyFile = 'backup-signing-key.pem';

export interface BackupSigner {
  /** The public key, `ed25519:` and 43 characters of base64url. */
  name: string;
  sign(digest: Buffer): string;
}

/** The installation's key, created once in DATA_DIR/secrets. */
export function openSigner(dataDir: string): BackupSigner {
  const folder = join(dataDir, 'secrets');
  const file = join(folder, signingKeyFile);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  const key = createPrivateKey(readFileSync(file));
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return { name: `ed25519:${x}`, sign: (digest) => sign(null, signedBytes(digest), key).toString('base64url') };
}

const signerPattern = /^ed25519:([A-Za-z0-9_-]{43})$/;

/** Throws UsageError for an invalid public key, so that a typing error is not mistaken for a forged backup. */
export function checkSignerName(name: string): string {
  if (!signerPattern.test(name))
    throw new UsageError(`A signer begins with "ed25519:" and has 43 more characters; this one is "${name}".`);
  return name;
}

/** Whether the holder of this public key signed this digest. */
export function isSignedBy(name: string, digest: Buffer, signature: string): boolean {
  const x = signerPattern.exec(name)?.[1];
  if (x === undefined) return false;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, signedBytes(digest), key, Buffer.from(signature, 'base64url'));
}

/** The prefix makes a signature of this key useless in any other context. */
const signedBytes = (digest: Buffer) => Buffer.concat([Buffer.from('anteroom backup v2\n'), digest]);

/** One running hash over everything in a backup: names, kinds, sizes and contents, in their order. */
export interface Transcript {
  begin(entry: { name: string; isFolder: boolean; size: number }): void;
  update(content: Uint8Array): void;
  /** The hash of all entries so far. */
  digest(): Buffer;
}

export function openTranscript(): Transcript {
  const hash: Hash = createHash('sha256');
  return {
    // The size precedes the content, so two different lists of entries never give the same bytes.
    begin: ({ name, isFolder, size }) => void hash.update(`${JSON.stringify([name, isFolder, size])}\n`),
    update: (content) => void hash.update(content),
    digest: () => hash.copy().digest(),
  };
}
