import { createHash } from 'node:crypto';

/** `BASE_BACKUP`'s list of the files it copied (https://www.postgresql.org/docs/current/backup-manifest-files.html). */
interface Manifest {
  Files: { Path?: string; 'Encoded-Path'?: string; Size: number; Checksum?: string; 'Checksum-Algorithm'?: string }[];
}

/** Collects the checksums of a data folder's files and compares them with PostgreSQL's manifest. */
export function collectChecksums() {
  const sums = new Map<string, string>();
  return {
    /** Passes the content of one file through. */
    async *pass(path: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      const hash = createHash('sha256');
      for await (const chunk of content) {
        hash.update(chunk);
        yield chunk;
      }
      sums.set(path, hash.digest('hex'));
    },
    /** The difference from PostgreSQL's list as a sentence; null if there is none. */
    compare: (manifest: Buffer): string | null => compare(manifest, sums),
  };
}

function compare(manifest: Buffer, sums: ReadonlyMap<string, string>): string | null {
  // The last line holds the checksum of everything before it.
  const lastLine = manifest.lastIndexOf('"Manifest-Checksum"');
  const own = /"Manifest-Checksum": "([0-9a-f]{64})"/.exec(manifest.subarray(lastLine).toString())?.[1];
  if (lastLine < 0 || createHash('sha256').update(manifest.subarray(0, lastLine)).digest('hex') !== own)
    return "PostgreSQL's list of files is damaged";
  const { Files } = JSON.parse(manifest.toString()) as Manifest;
  const listed = new Set<string>();
  for (const file of Files) {
    const path = file.Path ?? Buffer.from(file['Encoded-Path'] ?? '', 'hex').toString();
    const sum = sums.get(path);
    if (sum === undefined) return `the database file ${path} is missing`;
    if (file['Checksum-Algorithm'] !== 'SHA256' || file.Checksum !== sum)
      return `the database file ${path} is not as PostgreSQL sent it`;
    listed.add(path);
  }
  // PostgreSQL lists ranges of WAL instead of its files.
  const unlisted = [...sums.keys()].find((path) => !listed.has(path) && !path.startsWith('pg_wal/'));
  if (unlisted !== undefined) return `PostgreSQL did not send the database file ${unlisted}`;
  return null;
}
