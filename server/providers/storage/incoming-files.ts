import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileTooLarge } from './port.ts';

const hour = 3_600_000;

/** A private folder for files on their way into a store; opening it removes what a crash left behind. */
export function openIncomingFolder(folder: string) {
  let opened: Promise<void> | undefined;
  const open = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      const about = await stat(join(folder, name)).catch(() => null);
      if (about && about.mtimeMs < Date.now() - hour) await rm(join(folder, name), { force: true });
    }
  };
  return {
    /** A new path in it, for one file. */
    async place(): Promise<string> {
      await (opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      }));
      return join(folder, randomUUID());
    },
  };
}

/** Writes and counts bytes; the file is synced to disk when this resolves. Throws FileTooLarge. */
export async function writeAndHash(
  path: string,
  content: Buffer | Readable,
  maxBytes: number,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(bytes > maxBytes ? new FileTooLarge() : null, chunk);
    },
  });
  const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
  await pipeline(source, counted, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  return { bytes, sha256: hash.digest('hex') };
}
