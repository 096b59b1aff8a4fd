import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import * as yauzl from 'yauzl';
import { UsageError } from '#server/kit/command.ts';

const mega = 1 << 20;
const longestHeader = 64 * 1024;

/** The monthly file, plain or inside CMS's zip; offsets count its unpacked bytes. */
export interface NppesFile {
  name: string;
  /** Tells this file from any other: its packed size, its first and its last megabyte. */
  mark: string;
  bytes: number;
  header: string[];
  /** Where the first record begins. */
  firstRecord: number;
  /** Its bytes from an offset on. A zip is unpacked up to there again. */
  from(offset: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

interface ByteSource {
  name: string;
  bytes: number;
  from(offset: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Opens a file and reads its header; throws UsageError when it cannot be an NPPES file. */
export async function openNppes(path: string): Promise<NppesFile> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${error.code}).`,
    );
  });
  try {
    const { size } = await handle.stat().then((stat) => {
      if (!stat.isFile()) throw new UsageError(`${path} is no file.`);
      return stat;
    });
    const start = await part(handle, 0, mega);
    const mark = createHash('sha256').update(`${size}\n`).update(start);
    mark.update(await part(handle, Math.max(0, size - mega), mega));
    const isZip = start.subarray(0, 2).toString('latin1') === 'PK';
    const source = isZip ? await openZippedFile(path) : plain(path, size);
    try {
      return { ...source, mark: mark.digest('hex'), ...(await readHeader(source)) };
    } catch (error) {
      await source.close();
      throw error;
    }
  } finally {
    await handle.close();
  }
}

async function part(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function plain(path: string, bytes: number): ByteSource {
  return {
    name: basename(path),
    bytes,
    from: (offset) => createReadStream(path, { start: offset, highWaterMark: mega / 4 }),
    close: async () => undefined,
  };
}

/** The data file in the archive CMS ships beside its notes, headers and other lists. */
async function openZippedFile(path: string): Promise<ByteSource> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, opened) =>
      error ? reject(badZip(path, error)) : resolve(opened),
    ),
  );
  try {
    const entries = await entriesOf(zip).catch((error: Error) => Promise.reject(badZip(path, error)));
    const tables = entries.filter(({ fileName }) => /\.csv$/i.test(fileName) && !/fileheader/i.test(fileName));
    const entry = tables.find(({ fileName }) => /(^|\/)npidata_pfile[^/]*$/i.test(fileName)) ?? tables[0];
    if (!entry || (tables.length > 1 && !/npidata_pfile/i.test(entry.fileName)))
      throw new UsageError(`${basename(path)} holds no npidata_pfile_….csv.`);
    return {
      name: basename(entry.fileName),
      bytes: entry.uncompressedSize,
      from: (offset) => unpack(zip, entry, offset, path),
      close: async () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function entriesOf(zip: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: yauzl.Entry[] = [];
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

async function* unpack(zip: yauzl.ZipFile, entry: yauzl.Entry, offset: number, path: string): AsyncIterable<Buffer> {
  const stream = await new Promise<Readable>((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) => (error ? reject(badZip(path, error)) : resolve(opened))),
  );
  let skip = offset;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (skip >= chunk.length) skip -= chunk.length;
      else {
        yield skip > 0 ? chunk.subarray(skip) : chunk;
        skip = 0;
      }
    }
  } catch (error) {
    throw badZip(path, error as Error);
  } finally {
    stream.destroy();
  }
}

const badZip = (path: string, error: Error) =>
  new UsageError(`${basename(path)} is damaged or was not downloaded whole (${error.message}). Nothing was changed.`);

async function readHeader(source: ByteSource): Promise<{ header: string[]; firstRecord: number }> {
  let start = Buffer.alloc(0);
  for await (const chunk of source.from(0)) {
    start = Buffer.concat([start, chunk]);
    if (start.includes('\n') || start.length > longestHeader) break;
  }
  if (start.length === 0) throw new UsageError(`${source.name} is empty.`);
  if ([0xfffe, 0xfeff].includes(start.readUInt16BE(0)) || start.subarray(0, longestHeader).includes(0))
    throw new UsageError(
      `${source.name} is UTF-16 or no text at all. CMS ships UTF-8: use the file as it was downloaded.`,
    );
  const end = start.indexOf('\n');
  if (end < 0 || end > longestHeader) throw new UsageError(`${source.name} has no line of column names.`);
  const line = start
    .subarray(0, end)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  try {
    const header = parse(line);
    return { header: header[0] ?? [], firstRecord: end + 1 };
  } catch {
    throw new UsageError(`${source.name} does not begin with a line of column names.`);
  }
}
