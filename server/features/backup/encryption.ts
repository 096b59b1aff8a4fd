import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { UsageError } from '#server/kit/command.ts';
import { checkSignerName } from './signature.ts';
import type { Trust } from './trust.ts';

/** How a backup is encrypted or opened (https://age-encryption.org/v1): by a passphrase, or by a key pair. */
export interface BackupLock {
  encrypt(plain: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  decrypt(encrypted: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
}

/** Opens a backup, or only makes one: with a recipient the server itself cannot read its backups. */
export type LockSecret =
  | { passphrase: string }
  | { recipient: string }
  /** `signer`: the public key that the key file names in a comment, `# signer: ed25519:…`. */
  | { identity: string; signer?: string };

const leastPassphrase = 12;

export function openLock(secret: LockSecret): BackupLock {
  return {
    async encrypt(plain) {
      const { Encrypter, identityToRecipient } = await import('age-encryption');
      const encrypter = new Encrypter();
      if ('passphrase' in secret) encrypter.setPassphrase(secret.passphrase);
      else
        encrypter.addRecipient('recipient' in secret ? secret.recipient : await identityToRecipient(secret.identity));
      return encrypter.encrypt(plain as never) as unknown as Promise<ReadableStream<Uint8Array>>;
    },
    async decrypt(encrypted) {
      const { Decrypter } = await import('age-encryption');
      const decrypter = new Decrypter();
      if ('recipient' in secret)
        throw new UsageError(
          'A recipient (age1…) only makes backups. Opening one needs the key file that belongs to it.',
        );
      if ('passphrase' in secret) decrypter.addPassphrase(secret.passphrase);
      else decrypter.addIdentity(secret.identity);
      try {
        return (await decrypter.decrypt(encrypted as never)) as unknown as ReadableStream<Uint8Array>;
      } catch (error) {
        throw new BackupUnopened(reasonOf(error), { cause: error });
      }
    },
  };
}

/** The backup's header could not be opened. */
export class BackupUnopened extends Error {
  override readonly name = 'BackupUnopened';
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/no identity matched/.test(message))
    return 'The passphrase or key does not open this backup. Use the one it was made with.';
  return 'This is not a backup of this program, or its beginning is damaged.';
}

/** A new key pair: the identity opens backups, the recipient only makes them. */
export async function newKeyPair(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/**
 * Finds out who must have made the backup: the signer in the options, in BACKUP_SIGNER or in the key file. Only those who know a passphrase
 * can encrypt with it, so then no signer is needed; everybody who knows a recipient can encrypt for it. Throws UsageError when the signer is
 * missing.
 */
export function readTrust(
  secret: LockSecret,
  { signer: asked, unsigned }: { signer?: string | undefined; unsigned: boolean },
  from: NodeJS.ProcessEnv = process.env,
): Trust {
  if (asked !== undefined && unsigned) throw new UsageError('Give either --signer or --unsigned, not both.');
  if (unsigned) return { signer: null, mayBeUnsigned: true };
  const signer = asked || from.BACKUP_SIGNER || ('identity' in secret && secret.signer) || null;
  if (signer !== null) return { signer: checkSignerName(signer), mayBeUnsigned: false };
  if ('passphrase' in secret) return { signer: null, mayBeUnsigned: true };
  throw new UsageError(
    'Everybody who knows BACKUP_RECIPIENT could have made this backup, so say who signed it: add --signer ed25519:…, as "backup" printed it, ' +
      'or put the line "# signer: ed25519:…" into the key file. Only if you cannot find it, and nobody else could write where the backup was ' +
      'kept: --unsigned.',
  );
}

interface LockOptions {
  'passphrase-file'?: string | undefined;
  'key-file'?: string | undefined;
  recipient?: string | undefined;
}

/**
 * Finds the passphrase or key: in the options, in BACKUP_RECIPIENT (only to make), BACKUP_KEY_FILE, BACKUP_PASSPHRASE_FILE or
 * BACKUP_PASSPHRASE, or asks at the terminal. Never in an argument, where every user of the machine could read it.
 */
export async function readLockSecret(
  use: 'make' | 'open',
  options: LockOptions,
  from: NodeJS.ProcessEnv = process.env,
): Promise<LockSecret> {
  const fromOptions = secretFrom(use, options.recipient, options['key-file'], options['passphrase-file'], undefined);
  const fromEnvironment = () =>
    secretFrom(use, from.BACKUP_RECIPIENT, from.BACKUP_KEY_FILE, from.BACKUP_PASSPHRASE_FILE, from.BACKUP_PASSPHRASE);
  const secret = fromOptions ?? fromEnvironment() ?? (await askForPassphrase(use));
  if (use === 'make' && 'passphrase' in secret && secret.passphrase.length < leastPassphrase)
    throw new UsageError(
      `The passphrase is too short: use at least ${leastPassphrase} characters, or five random words. Whoever has the file can try passphrases for ever.`,
    );
  return secret;
}

function secretFrom(
  use: 'make' | 'open',
  recipient: string | undefined,
  keyFile: string | undefined,
  passphraseFile: string | undefined,
  passphrase: string | undefined,
): LockSecret | null {
  if (recipient && use === 'make') {
    if (!/^age1[a-z0-9]{20,}$/.test(recipient))
      throw new UsageError(`A recipient begins with age1, it is "${recipient}".`);
    return { recipient };
  }
  if (keyFile) {
    const text = readText(keyFile);
    const identity = /^AGE-SECRET-KEY-[A-Z0-9-]+$/m.exec(text)?.[0];
    if (!identity) throw new UsageError(`${keyFile} holds no key: it needs a line that begins with AGE-SECRET-KEY-.`);
    const signer = /^#\s*signer:\s*(\S+)\s*$/m.exec(text)?.[1];
    return { identity, ...(signer !== undefined && { signer }) };
  }
  if (passphraseFile) return { passphrase: readText(passphraseFile).replace(/\r?\n[^]*$/, '') };
  return passphrase ? { passphrase } : null;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} could not be read: ${(error as Error).message}`);
  }
}

async function askForPassphrase(use: 'make' | 'open'): Promise<LockSecret> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(
      use === 'make'
        ? 'A backup is always encrypted: give BACKUP_PASSPHRASE_FILE, BACKUP_PASSPHRASE or BACKUP_RECIPIENT.'
        : 'The backup is encrypted: give BACKUP_PASSPHRASE_FILE, BACKUP_PASSPHRASE or BACKUP_KEY_FILE.',
    );
  const passphrase = await askHidden('Passphrase of the backup: ');
  if (use === 'make' && (await askHidden('The same again: ')) !== passphrase)
    throw new UsageError('The two passphrases differ.');
  return { passphrase };
}

/** Reads a line from the terminal without showing it. */
function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    terminal.once('line', (line) => {
      terminal.close();
      process.stderr.write('\n');
      resolve(line);
    });
    terminal.once('SIGINT', () => {
      terminal.close();
      reject(new UsageError('Stopped.'));
    });
  });
}
