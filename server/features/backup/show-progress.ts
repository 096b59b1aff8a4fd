import { ReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** Called often: the progress of a part, and its total size if known. */
export type Progress = (
  part: 'signed heads' | 'database' | 'files' | 'secrets',
  bytes: number,
  ofBytes?: number,
) => void;

export const printLine = (line: string) => void process.stderr.write(`${line}\n`);

/** Updates one line on a terminal; otherwise prints one line per part. */
export function showProgress(quiet: boolean): Progress {
  const { isTTY } = process.stderr;
  let last = '';
  let shownAt = 0;
  return (part, bytes, ofBytes) => {
    if (quiet) return;
    if (isTTY && (part !== last || Date.now() - shownAt > 200)) {
      const share = ofBytes ? ` of about ${megabytes(ofBytes)}` : '';
      process.stderr.write(`\r\x1b[K${part}: ${megabytes(bytes)}${share}${part === 'secrets' ? '\n' : ''}`);
      shownAt = Date.now();
    } else if (!isTTY && part !== last) printLine(`${part} ...`);
    last = part;
  };
}

/** How much of the backup file has been read, by part. */
export function showUnpacking(input: Readable): (part: string) => void {
  const ofBytes = input instanceof ReadStream && typeof input.path === 'string' ? statSync(input.path).size : undefined;
  const show = showProgress(false);
  return (part) => show(partNames[part] ?? 'secrets', input instanceof ReadStream ? input.bytesRead : 0, ofBytes);
}

const partNames: Record<string, Parameters<Progress>[0]> = {
  audit: 'signed heads',
  database: 'database',
  'database.dump': 'database',
  files: 'files',
};

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
