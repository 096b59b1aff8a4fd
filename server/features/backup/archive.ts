import { Readable, type Writable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from 'modern-tar';
import type { BackupLock } from './encryption.ts';
import { openTranscript } from './signature.ts';

/** A backup file is tar, compressed with zstd, encrypted with age: `age -d FILE | zstd -d | tar -x` opens it without this program. */
export interface ArchiveWriter {
  /** Adds one file; `content` must be exactly `size` bytes. */
  add(name: string, size: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  addFolder(name: string): Promise<void>;
  /** The hash of everything added so far, to be signed. */
  digest(): Buffer;
  /** Writes the end and waits until `output` has everything. */
  finish(): Promise<void>;
  /** Ends the output with an error, so that it cannot be mistaken for a complete backup. */
  abort(error: unknown): Promise<void>;
}

/** Entries are private, so that unpacking by hand does not make patients' files readable for all users. */
const fileMode = 0o600;
const folderMode = 0o700;

export async function writeArchive(lock: BackupLock, output: Writable): Promise<ArchiveWriter> {
  const { readable, controller } = createTarPacker();
  const compress = createZstdCompress();
  const compressed = pipeline(Readable.fromWeb(readable as ReadableStream), compress);
  const encrypted = await lock.encrypt(Readable.toWeb(compress) as ReadableStream<Uint8Array>);
  const written = pipeline(Readable.fromWeb(encrypted), output);
  // A failed write must reject `add`, which would otherwise wait forever for a drain.
  const failed = Promise.all([compressed, written]).then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  const transcript = openTranscript();
  const orFailed = <T>(work: Promise<T>) => Promise.race([work, failed]);

  async function writeEntry(
    header: Parameters<typeof controller.add>[0],
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    const entry = controller.add(header).getWriter();
    // `write` and `close` already report it.
    entry.closed.catch(() => undefined);
    const isFolder = header.type === 'directory';
    transcript.begin({ name: header.name.replace(/\/$/, ''), isFolder, size: header.size ?? 0 });
    for await (const chunk of content) {
      transcript.update(chunk);
      await orFailed(entry.write(chunk));
    }
    await orFailed(entry.close());
  }

  return {
    add: (name, size, content) => writeEntry({ name, size, type: 'file', mode: fileMode }, content),
    addFolder: (name) => writeEntry({ name: `${name}/`, size: 0, type: 'directory', mode: folderMode }, []),
    digest: () => transcript.digest(),
    async finish() {
      controller.finalize();
      await Promise.all([compressed, written]);
    },
    async abort(error) {
      controller.error(error);
      await Promise.allSettled([compressed, written]);
    },
  };
}

/** One file or folder of a backup. Read its content before requesting the next entry. */
export interface ArchiveEntry {
  name: string;
  isFolder: boolean;
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** The backup cannot be read: a wrong key, or a truncated or changed file. */
export class BackupUnreadable extends Error {
  override readonly name = 'BackupUnreadable';
}

/**
 * Reads a backup file. Every byte is authenticated before it is returned; a truncated, changed or reordered file ends with
 * BackupUnreadable.
 */
export async function* readArchive(lock: BackupLock, input: Readable): AsyncGenerator<ArchiveEntry> {
  const decrypted = await lock.decrypt(Readable.toWeb(input) as ReadableStream<Uint8Array>);
  const decoder = createTarDecoder({ strict: true });
  const decompress = createZstdDecompress();
  const decompressed = pipeline(Readable.fromWeb(decrypted), decompress);
  const decoded = (Readable.toWeb(decompress) as ReadableStream<Uint8Array>).pipeTo(decoder.writable);
  // Handled below; without this a failure while the caller is busy would end the process.
  decompressed.catch(() => undefined);
  decoded.catch(() => undefined);
  try {
    for await (const entry of decoder.readable as unknown as AsyncIterable<ParsedTarEntry>) yield entryOf(entry);
    await decompressed;
    await decoded;
  } catch (error) {
    throw unreadable(error);
  } finally {
    input.destroy();
  }
}

function entryOf({ header, body }: ParsedTarEntry): ArchiveEntry {
  const isFolder = header.type === 'directory';
  if (!isFolder && header.type !== 'file')
    throw new BackupUnreadable(`The backup holds "${header.name}", which is neither a file nor a folder.`);
  const name = header.name.replace(/\/$/, '');
  if (!isSafeName(name)) throw new BackupUnreadable(`The backup holds a file with the forbidden name "${name}".`);
  return { name, isFolder, size: header.size, content: readable(body) };
}

/** Reports a truncated or changed file, which is detected while an entry is read. */
async function* readable(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (cause) {
    throw unreadable(cause);
  }
}

const unreadable = (cause: unknown) =>
  cause instanceof BackupUnreadable
    ? cause
    : new BackupUnreadable('The backup is damaged or incomplete: it was cut short or changed after it was made.', {
        cause,
      });

/** Whether the name stays within the folder it is unpacked into. */
function isSafeName(name: string): boolean {
  const hasControls = [...name].some((char) => char < ' ');
  return name !== '' && !hasControls && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
