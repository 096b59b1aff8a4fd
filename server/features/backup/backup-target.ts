import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { UsageError } from '#server/kit/command.ts';

/** The file a backup is written to. A file with the final name is always complete. */
export interface BackupTarget {
  output: Writable;
  /** The file's final name; null for standard output. */
  path: string | null;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

const unfinished = /^\.anteroom-.*\.unfinished$/;
const day = 86_400_000;

/** Opens a file in `folder` named by the time, or standard output for `-`. */
export function openTarget(folder: string, now: Date): BackupTarget {
  if (folder === '-') return standardOutput();
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UsageError(`There is no folder ${folder}. Make it first: only the user who runs backups should read it.`);
  removeLeftovers(folder, now);
  const name = backupName(now);
  const path = join(folder, name);
  const draft = join(folder, `.${name}-${randomBytes(4).toString('hex')}.unfinished`);
  return {
    // `flush` waits until the content is on disk before the file is renamed.
    output: createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: 1 << 20 }),
    path,
    async keep() {
      await rename(draft, path);
      const directory = await open(folder, 'r');
      try {
        await directory.sync();
      } finally {
        await directory.close();
      }
    },
    discard: () => rm(draft, { force: true }),
  };
}

/** `anteroom-2026-03-02T150000Z.backup`: sorts by time, and every file system allows its characters. */
export function backupName(now: Date): string {
  return `anteroom-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`;
}

/** The time in a backup's file name; null for another name. */
export function timeOfBackup(name: string): Date | null {
  const [, date, hours, minutes, seconds] = /^anteroom-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/.exec(name) ?? [];
  return date ? new Date(`${date}T${hours}:${minutes}:${seconds}Z`) : null;
}

/** Removes files of killed backups, once they are too old to be still in progress. */
function removeLeftovers(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (unfinished.test(name) && statSync(path).mtimeMs < now.getTime() - day) rmSync(path, { force: true });
  }
}

function standardOutput(): BackupTarget {
  if (process.stdout.isTTY)
    throw new UsageError(
      'A backup is not for a terminal: send it on (script/anteroom backup - | …), or name a folder.',
    );
  // The end of this stream must wait for the pipe, but must not close standard output itself.
  const output = new Writable({
    highWaterMark: 1 << 20,
    write: (chunk: Buffer, _encoding, done) => void process.stdout.write(chunk, done),
  });
  process.stdout.on('error', (error) => output.destroy(error));
  return { output, path: null, keep: async () => undefined, discard: async () => undefined };
}
