import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { StoredFile } from '#server/providers/storage/port.ts';
import { BackupUnreadable, readArchive, type ArchiveEntry } from './archive.ts';
import {
  firstEntry,
  formatVersion,
  manifestEntry,
  signatureEntry,
  summaryEntry,
  unsignedFormat,
  type BackupHeader,
  type BackupSignature,
  type BackupSummary,
} from './backup-format.ts';
import { BackupUnopened, type BackupLock } from './encryption.ts';
import { collectChecksums } from './postgres-manifest.ts';
import { isSignedBy, openTranscript, type Transcript } from './signature.ts';
import type { Trust } from './trust.ts';

/** Receives the parts of a backup while it is read. */
export interface BackupSink {
  /** Called first; throws if the backup does not fit. */
  begin(header: BackupHeader): Promise<void> | void;
  /** Must read `content` to its end. */
  entry(entry: ArchiveEntry): Promise<void>;
}

export interface BackupContents {
  header: BackupHeader;
  summary: BackupSummary;
}

/** Enough for the small entries of any real backup; without a limit a forged one could fill the memory. */
const smallBytes = 16_000_000;
const manifestBytes = 256_000_000;

/**
 * Reads a whole backup and checks it: encryption, signature, PostgreSQL's checksums, the files' own hashes. Throws BackupUnreadable. The
 * signature is known only at the end: nothing that `sink` stored may be used before this resolves.
 */
export async function readBackup(
  lock: BackupLock,
  input: Readable,
  sink: BackupSink,
  trust: Trust,
): Promise<BackupContents> {
  const contents = checkContents(sink);
  const transcript = openTranscript();
  let header: BackupHeader | null = null;
  let summary: BackupSummary | null = null;
  let isSigned = false;

  for await (const read of readArchive(lock, input)) {
    const digest = transcript.digest();
    const entry = withTranscript(read, transcript);
    if (!header) {
      header = await readHeader(entry, trust);
      await sink.begin(header);
    } else if (summary && entry.name === signatureEntry && header.format !== unsignedFormat && !isSigned) {
      expectSignature(await readJson<BackupSignature>(entry), digest, header);
      isSigned = true;
    } else if (summary) throw new BackupUnreadable(`The backup goes on after its end, with "${entry.name}".`);
    else if (entry.name === summaryEntry) summary = await readJson<BackupSummary>(entry);
    else await contents.read(entry);
  }

  if (!header || !summary) throw new BackupUnreadable('The backup ends before its summary: it was not finished.');
  if (header.format !== unsignedFormat && !isSigned)
    throw new BackupUnreadable('The backup ends before its signature: it was not finished, or it was changed.');
  contents.expectUndamaged(header, summary);
  return { header, summary };
}

/** Passes the database and the files of a backup to `sink` and compares them with PostgreSQL's checksums and the files' own hashes. */
function checkContents(sink: BackupSink) {
  const checksums = collectChecksums();
  const damagedFiles: string[] = [];
  let manifest: Buffer | null = null;
  let file: StoredFile | null = null;

  async function readManifest(entry: ArchiveEntry): Promise<void> {
    manifest = await readBytes(entry, manifestBytes);
    await sink.entry({ ...entry, content: contentOf(manifest) });
  }

  async function readDescription(entry: ArchiveEntry): Promise<void> {
    const description = await readBytes(entry, smallBytes);
    file = parse<StoredFile>(description, entry.name);
    if (entry.name !== `files/${file.key}.file.json`)
      throw new BackupUnreadable(`The backup holds "${entry.name}", which describes another file.`);
    await sink.entry({ ...entry, content: contentOf(description) });
  }

  async function readFile(entry: ArchiveEntry): Promise<void> {
    if (!file || entry.name !== `files/${file.key}.file`)
      throw new BackupUnreadable(`The backup holds "${entry.name}" without its description.`);
    const hash = createHash('sha256');
    await sink.entry({ ...entry, content: withHash(entry.content, hash) });
    if (hash.digest('hex') !== file.sha256) damagedFiles.push(file.key);
  }

  return {
    async read(entry: ArchiveEntry): Promise<void> {
      const { name, isFolder } = entry;
      if (name === manifestEntry) return readManifest(entry);
      if (isFolder) return sink.entry(entry);
      if (name.startsWith('database/'))
        return sink.entry({ ...entry, content: checksums.pass(name.slice('database/'.length), entry.content) });
      if (!name.startsWith('files/')) return sink.entry(entry);
      return name.endsWith('.json') ? readDescription(entry) : readFile(entry);
    },

    /** Throws BackupUnreadable if anything was damaged after the backup was made. */
    expectUndamaged({ database }: BackupHeader, summary: BackupSummary): void {
      if (database.kind === 'folder') {
        const problem = manifest ? checksums.compare(manifest) : "PostgreSQL's list of files is missing";
        if (problem) throw new BackupUnreadable(`The backup is damaged: ${problem}.`);
      }
      const unexpected = damagedFiles.find((key) => !summary.damagedFiles.includes(key));
      if (unexpected)
        throw new BackupUnreadable(`The backup is damaged: the file ${unexpected} is not as it was stored.`);
    },
  };
}

async function readHeader(entry: ArchiveEntry, trust: Trust): Promise<BackupHeader> {
  if (entry.name !== firstEntry) throw new BackupUnopened('This is not a backup of this program.');
  const header = await readJson<BackupHeader>(entry);
  if (header.format !== formatVersion && header.format !== unsignedFormat)
    throw new BackupUnopened(
      `This backup has format ${header.format}, this version of the program reads formats up to ${formatVersion}. ` +
        `Use the version that made it: ${header.programVersion}.`,
    );
  const signer = header.format === unsignedFormat ? undefined : header.signer;
  if (signer === undefined && !trust.mayBeUnsigned)
    throw new BackupUnopened(
      'This backup has no signature, so it may be forged. Only older versions of this program made such backups. If it was kept where ' +
        'nobody else could write, repeat the command with --unsigned and without a signer.',
    );
  if (trust.signer !== null && signer !== trust.signer)
    throw new BackupUnopened(
      `This backup was signed by another installation (${signer}), not by ${trust.signer}. It may be forged: do not restore it.`,
    );
  return header;
}

function expectSignature({ signer, signature }: BackupSignature, digest: Buffer, header: BackupHeader): void {
  if (signer !== header.signer || !isSignedBy(signer, digest, signature))
    throw new BackupUnreadable(
      'The signature of this backup is wrong: it was changed after it was made, or it is forged.',
    );
}

/** Adds the entry to the transcript while its content is read. */
function withTranscript(entry: ArchiveEntry, transcript: Transcript): ArchiveEntry {
  transcript.begin(entry);
  return { ...entry, content: record(entry.content, transcript) };
}

async function* record(content: AsyncIterable<Uint8Array>, transcript: Transcript): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    transcript.update(chunk);
    yield chunk;
  }
}

async function readBytes({ name, size, content }: ArchiveEntry, atMost: number): Promise<Buffer> {
  if (size > atMost) throw new BackupUnreadable(`The backup holds "${name}" with ${size} bytes, which is too large.`);
  return buffer(content);
}

const readJson = async <T>(entry: ArchiveEntry) => parse<T>(await readBytes(entry, smallBytes), entry.name);

function parse<T>(bytes: Buffer, name: string): T {
  try {
    return JSON.parse(bytes.toString()) as T;
  } catch {
    throw new BackupUnreadable(`The backup is damaged: "${name}" cannot be read.`);
  }
}

async function* contentOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* withHash(content: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Reads everything and stores nothing. */
export const checkingSink: BackupSink = {
  begin: () => undefined,
  async entry({ content, isFolder }) {
    if (!isFolder) for await (const _chunk of content);
  },
};
