import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { StoredFile } from '#server/providers/storage/port.ts';
import { BackupUnreadable, readArchive, type ArchiveEntry } from './archive.ts';
import {
  firstEntry,
  formatVersion,
  lastEntry,
  manifestEntry,
  type BackupHeader,
  type BackupSummary,
} from './description.ts';
import { BackupUnopened, type BackupLock } from './lock.ts';
import { collectChecksums } from './postgres-manifest.ts';

/** Where the parts of a backup go while it is read. */
export interface BackupSink {
  /** Called before anything else; throws when the backup does not fit. */
  begin(header: BackupHeader): Promise<void> | void;
  /** Must read `content` to its end. */
  entry(entry: ArchiveEntry): Promise<void>;
}

export interface BackupContents {
  header: BackupHeader;
  summary: BackupSummary;
}

/** Reads a whole backup and checks it: encryption, PostgreSQL's checksums, the files' own hashes. Throws BackupUnreadable. */
export async function readBackup(lock: BackupLock, input: Readable, sink: BackupSink): Promise<BackupContents> {
  const checksums = collectChecksums();
  let header: BackupHeader | null = null;
  let summary: BackupSummary | null = null;
  let manifest: Buffer | null = null;
  let file: StoredFile | null = null;
  const damagedFiles: string[] = [];

  for await (const entry of readArchive(lock, input)) {
    if (!header) {
      header = await readHeader(entry);
      await sink.begin(header);
    } else if (summary) throw new BackupUnreadable(`The backup goes on after its end, with "${entry.name}".`);
    else if (entry.name === lastEntry) summary = JSON.parse((await buffer(entry.content)).toString()) as BackupSummary;
    else if (entry.name === manifestEntry) {
      manifest = await buffer(entry.content);
      await sink.entry({ ...entry, content: contentOf(manifest) });
    } else if (entry.isFolder) await sink.entry(entry);
    else if (entry.name.startsWith('database/'))
      await sink.entry({ ...entry, content: checksums.pass(entry.name.slice('database/'.length), entry.content) });
    else if (entry.name.startsWith('files/') && entry.name.endsWith('.json')) {
      const description = await buffer(entry.content);
      file = JSON.parse(description.toString()) as StoredFile;
      await sink.entry({ ...entry, content: contentOf(description) });
    } else if (entry.name.startsWith('files/')) {
      const hash = createHash('sha256');
      await sink.entry({ ...entry, content: hashed(entry.content, hash) });
      if (!file || entry.name !== `files/${file.key}.file`)
        throw new BackupUnreadable(`The backup holds "${entry.name}" without its description.`);
      if (hash.digest('hex') !== file.sha256) damagedFiles.push(file.key);
    } else await sink.entry(entry);
  }

  if (!header || !summary) throw new BackupUnreadable('The backup ends before its summary: it was not finished.');
  if (header.database.kind === 'folder') {
    const problem = manifest ? checksums.compare(manifest) : "PostgreSQL's list of files is missing";
    if (problem) throw new BackupUnreadable(`The backup is damaged: ${problem}.`);
  }
  const unexpected = damagedFiles.find((key) => !summary.damagedFiles.includes(key));
  if (unexpected) throw new BackupUnreadable(`The backup is damaged: the file ${unexpected} is not as it was stored.`);
  return { header, summary };
}

async function readHeader(entry: ArchiveEntry): Promise<BackupHeader> {
  if (entry.name !== firstEntry) throw new BackupUnopened('This is not a backup of this program.');
  const header = JSON.parse((await buffer(entry.content)).toString()) as BackupHeader;
  if (header.format !== formatVersion)
    throw new BackupUnopened(
      `This backup has format ${header.format}, this version of the program reads format ${formatVersion}. ` +
        `Use the version that made it: ${header.programVersion}.`,
    );
  return header;
}

async function* contentOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Reads everything and keeps nothing. */
export const checkingSink: BackupSink = {
  begin: () => undefined,
  async entry({ content, isFolder }) {
    if (!isFolder) for await (const _chunk of content);
  },
};
