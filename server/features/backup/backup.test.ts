import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackupUnreadable, readArchive, writeArchive } from './archive.ts';
import { newKeyPair, openLock, readLockSecret, readTrust, type BackupLock, type LockSecret } from './encryption.ts';
import { collectChecksums } from './postgres-manifest.ts';
import { checkingSink, readBackup } from './read-backup.ts';
import { isSignedBy, openSigner } from './signature.ts';
import { backupName, openTarget, timeOfBackup } from './backup-target.ts';

let folder: string;
let lock: BackupLock;
let archive: Buffer;
const names = ['anteroom-backup.json', 'audit/heads/a.jsonl', `files/${'long/'.repeat(40)}end.file`];
const contents = [Buffer.from('{}'), Buffer.alloc(0), randomBytes(700_000)];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-backup-'));
  const { identity } = await newKeyPair();
  lock = openLock({ identity });
  archive = await archiveOf(lock, names);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function archiveOf(with_: BackupLock, entries: string[]): Promise<Buffer> {
  const output = new PassThrough();
  const written = buffer(output);
  const writer = await writeArchive(with_, output);
  for (const [i, name] of entries.entries()) {
    const content = contents[i] ?? Buffer.alloc(0);
    await writer.add(name, content.length, [content]);
  }
  await writer.addFolder('database/pg_notify');
  await writer.finish();
  return written;
}

async function entriesOf(with_: BackupLock, bytes: Buffer): Promise<[string, Buffer][]> {
  const entries: [string, Buffer][] = [];
  for await (const { name, content, isFolder } of readArchive(with_, Readable.from([bytes])))
    entries.push([name, isFolder ? Buffer.alloc(0) : await buffer(content)]);
  return entries;
}

/** An age file: the header ends with a line of dashes, then come 16 bytes of nonce and chunks of 64 KiB, each with its tag. */
const chunk = 65_536 + 16;
const headerLength = (bytes: Buffer) => bytes.indexOf('\n', bytes.indexOf('\n---') + 1) + 1 + 16;

describe('the archive', () => {
  test('an archive returns every file and folder as it was written', async () => {
    const entries = await entriesOf(lock, archive);
    expect(entries.map(([name]) => name)).toEqual([...names, 'database/pg_notify']);
    expect(entries.slice(0, 3).map(([, content]) => content)).toEqual(contents);
  });

  test('an archive with any flipped byte is refused', async () => {
    const places = [0, 30, 180, 220, ...Array.from({ length: 20 }, () => Math.floor(Math.random() * archive.length))];
    for (const place of [...places, archive.length - 1]) {
      const flipped = Buffer.from(archive);
      flipped[place] = (flipped[place] ?? 0) ^ 1;
      await expect(entriesOf(lock, flipped), `byte ${place} of ${archive.length}`).rejects.toThrow(
        /damaged|not a backup|does not open/,
      );
    }
  });

  test('a truncated archive is refused, even if cut between encrypted chunks', async () => {
    const header = headerLength(archive);
    for (const length of [0, 10, 200, header, header + chunk, header + 5 * chunk, archive.length - 1])
      await expect(entriesOf(lock, archive.subarray(0, length)), `${length} bytes`).rejects.toThrow(
        /damaged|not a backup|does not open/,
      );
  });

  test('an archive is refused if two encrypted chunks are swapped, or something follows its end', async () => {
    const header = headerLength(archive);
    const [first, second] = [
      archive.subarray(header, header + chunk),
      archive.subarray(header + chunk, header + 2 * chunk),
    ];
    const swapped = Buffer.concat([archive.subarray(0, header), second, first, archive.subarray(header + 2 * chunk)]);
    await expect(entriesOf(lock, swapped)).rejects.toThrow(BackupUnreadable);
    await expect(entriesOf(lock, Buffer.concat([archive, Buffer.from('more')]))).rejects.toThrow(BackupUnreadable);
  });

  test('writing an archive waits for a slow output instead of buffering', async () => {
    let received = 0;
    let open = () => undefined as void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const slow = new Writable({
      write(part: Buffer, _encoding, done) {
        received += part.length;
        void gate.then(() => done());
      },
    });
    const writer = await writeArchive(lock, slow);
    let given = 0;
    const endless = async function* () {
      for (; given < 80; given++) yield randomBytes(1_000_000);
    };
    const adding = writer.add('big', 80_000_000, endless());
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(given).toBeLessThan(30);
    open();
    await adding;
    await writer.finish();
    expect(received).toBeGreaterThan(80_000_000);
  });

  test('writing an archive reports a full disk and keeps no file', async () => {
    const full = new Writable({
      write: (_part, _encoding, done) => done(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
    });
    const writer = await writeArchive(lock, full);
    const work = async () => {
      for (let i = 0; i < 50; i++) await writer.add(`file-${i}`, 1_000_000, [randomBytes(1_000_000)]);
      await writer.finish();
    };
    await expect(work()).rejects.toMatchObject({ code: 'ENOSPC' });
    await writer.abort(new Error('full'));
  });

  test('an archive refuses names that lead out of the folder', async () => {
    for (const name of ['../up', 'a/../../b', '/etc/passwd', 'a//b', './c']) {
      const bytes = await archiveOf(lock, [name]);
      await expect(entriesOf(lock, bytes), name).rejects.toThrow(/forbidden name/);
    }
  });

  test.each(['symlink', 'link'] as const)('an archive refuses a %s', async (type) => {
    const tar = await packTar([{ header: { name: 'database/base', type, size: 0, linkname: '/etc' } }]);
    const encrypted = await lock.encrypt(new Blob([zstdCompressSync(tar)]).stream() as never);
    const bytes = await buffer(encrypted as never);
    await expect(entriesOf(lock, bytes)).rejects.toThrow(/neither a file nor a folder/);
  });
});

describe('who must have made a backup', () => {
  const name = `ed25519:${'x'.repeat(43)}`;
  const trust = (secret: LockSecret, options: { signer?: string; unsigned?: boolean }, from: NodeJS.ProcessEnv = {}) =>
    readTrust(secret, { unsigned: false, ...options }, from);

  test('a passphrase proves the origin; a key pair needs a signer from the options, the environment or the key file', () => {
    expect(trust({ passphrase: 'p' }, {})).toEqual({ signer: null, mayBeUnsigned: true });
    expect(trust({ passphrase: 'p' }, { signer: name })).toEqual({ signer: name, mayBeUnsigned: false });
    expect(trust({ identity: 'i' }, { signer: name })).toEqual({ signer: name, mayBeUnsigned: false });
    expect(trust({ identity: 'i' }, {}, { BACKUP_SIGNER: name })).toEqual({ signer: name, mayBeUnsigned: false });
    expect(trust({ identity: 'i', signer: name }, {})).toEqual({ signer: name, mayBeUnsigned: false });
    expect(trust({ identity: 'i', signer: name }, { unsigned: true })).toEqual({ signer: null, mayBeUnsigned: true });
    expect(() => trust({ identity: 'i' }, {})).toThrow(/say who signed it/);
  });

  test('a signature is valid only for its key and its digest', async () => {
    const [a, b] = [openSigner(join(folder, 'a')), openSigner(join(folder, 'b'))];
    expect(openSigner(join(folder, 'a')).name).toBe(a.name);
    const [digest, other] = [randomBytes(32), randomBytes(32)];
    expect(isSignedBy(a.name, digest, a.sign(digest))).toBe(true);
    expect(isSignedBy(b.name, digest, a.sign(digest))).toBe(false);
    expect(isSignedBy(a.name, other, a.sign(digest))).toBe(false);
    expect(isSignedBy(a.name, digest, '')).toBe(false);
    expect(isSignedBy('ed25519:short', digest, a.sign(digest))).toBe(false);
    expect((await stat(join(folder, 'a/secrets/backup-signing-key.pem'))).mode & 0o777).toBe(0o600);
  });
});

describe('the lock', () => {
  test('a backup opens with its passphrase and no other, and with no key', async () => {
    const passphrase = 'five words nobody would guess';
    const bytes = await archiveOf(openLock({ passphrase }), names);
    expect(await entriesOf(openLock({ passphrase }), bytes)).toHaveLength(4);
    await expect(entriesOf(openLock({ passphrase: 'another passphrase' }), bytes)).rejects.toThrow(/does not open/);
    await expect(entriesOf(lock, bytes)).rejects.toThrow(/does not open/);
  });

  test('a backup for a recipient opens only with its key file', async () => {
    const { identity, recipient } = await newKeyPair();
    const bytes = await archiveOf(openLock({ recipient }), names);
    expect(await entriesOf(openLock({ identity }), bytes)).toHaveLength(4);
    await expect(entriesOf(openLock({ recipient }), bytes)).rejects.toThrow(/key file/);
  });

  test('passphrases come from a file or the environment, short ones are refused, and nothing is prompted without a terminal', async () => {
    const file = join(folder, 'passphrase');
    await writeFile(file, 'a long passphrase of mine\nsecond line\n');
    expect(await readLockSecret('make', { 'passphrase-file': file }, {})).toEqual({
      passphrase: 'a long passphrase of mine',
    });
    expect(await readLockSecret('open', {}, { BACKUP_PASSPHRASE: 'short' })).toEqual({ passphrase: 'short' });
    await expect(readLockSecret('make', {}, { BACKUP_PASSPHRASE: 'short' })).rejects.toThrow(/too short/);
    await expect(readLockSecret('make', {}, {})).rejects.toThrow(/always encrypted/);
    await expect(readLockSecret('make', { recipient: 'ssh-rsa' }, {})).rejects.toThrow(/begins with age1/);
    await expect(readLockSecret('open', { 'key-file': file }, {})).rejects.toThrow(/holds no key/);
  });
});

describe('the checks', () => {
  const anybody = { signer: null, mayBeUnsigned: true };

  test('a backup without its summary was not finished', async () => {
    const bytes = await archiveOf(lock, ['anteroom-backup.json']);
    await expect(readBackup(lock, Readable.from([bytes]), checkingSink, anybody)).rejects.toThrow(/format|summary/);
  });

  test("a database file that differs from PostgreSQL's checksum is named", async () => {
    const list = (sum: string) => {
      const lines = `{ "Files": [ { "Path": "base/1/2", "Size": 3, "Checksum-Algorithm": "SHA256", "Checksum": "${sum}" } ],\n`;
      return lines;
    };
    const { createHash } = await import('node:crypto');
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const signed = (text: string) => Buffer.from(`${text}"Manifest-Checksum": "${sha256(text)}"}\n`);
    const checksums = collectChecksums();
    await buffer(Readable.from(checksums.pass('base/1/2', Readable.from([Buffer.from('abc')]))));
    expect(checksums.compare(signed(list(sha256('abc'))))).toBeNull();
    expect(checksums.compare(signed(list(sha256('abd'))))).toBe(
      'the database file base/1/2 is not as PostgreSQL sent it',
    );
    expect(checksums.compare(signed(list(sha256('abc')).replace('2"', '3"')))).toBe(
      'the database file base/1/3 is missing',
    );
    expect(checksums.compare(Buffer.from(list(sha256('abc'))))).toMatch(/damaged/);
    expect(
      checksums.compare(
        Buffer.from(
          signed(list(sha256('abc')))
            .toString()
            .replace('base/1/2', 'base/1/4'),
        ),
      ),
    ).toMatch(/damaged/);
  });
});

describe('the file', () => {
  test('a backup file gets its final name only when it is complete', async () => {
    const now = new Date('2026-03-02T15:00:00.000Z');
    const target = openTarget(folder, now);
    const path = join(folder, 'anteroom-2026-03-02T150000Z.backup');
    expect(target.path).toBe(path);
    const writer = await writeArchive(lock, target.output);
    await writer.add('a', 1, [Buffer.from('a')]);
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await writer.finish();
    await target.keep();
    expect(await entriesOf(lock, await readFile(path))).toHaveLength(1);
  });

  test("timeOfBackup reads the time from a backup's name", () => {
    const now = new Date('2026-12-31T23:59:58.000Z');
    expect(timeOfBackup(backupName(now))).toEqual(now);
    expect(timeOfBackup('notes.backup')).toBeNull();
  });
});
