import type { Readable } from 'node:stream';

/** A file's metadata. */
export interface StoredFile {
  key: string;
  bytes: number;
  /** SHA-256 of its content, hex. */
  sha256: string;
  contentType: string;
  storedAt: Date;
}

/** Thrown by `get` if there is no file with that key. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}
/** Thrown by `put`: a key can be written only once. */
export class FileExists extends Error {
  override readonly name = 'FileExists';
}
/** Thrown by `put` if the content is larger than allowed; nothing is stored. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** The file store: a file is there whole or not at all, and never changes. Keys are made by `newFileKey`. */
export interface Storage {
  /** The store's name; `disk` is the stand-in. */
  readonly name: string;
  /** Writes a new file, which exists once this resolves and not before. Throws FileExists, FileTooLarge. */
  put(key: string, content: Buffer | Readable, about: { contentType: string; maxBytes?: number }): Promise<StoredFile>;
  /** The metadata and the content as a stream. Throws FileMissing. */
  get(key: string): Promise<{ file: StoredFile; content: Readable }>;
  /** The metadata; null if there is no such file. */
  head(key: string): Promise<StoredFile | null>;
  /** The keys of all files, in no particular order; files added or removed meanwhile may be missing or included. */
  list(): AsyncIterable<string>;
  /** Deletes a file; no error if there is none. */
  delete(key: string): Promise<void>;
}

/** A key for a new file of an office: `npi/yyyy/mm/dd/uuid`, the day in UTC. It never contains a person's name. */
export function newFileKey({ now, id }: { now(): Date; id(): string }, npi: string): string {
  return `${npi}/${now().toISOString().slice(0, 10).replaceAll('-', '/')}/${id()}`;
}

/** Whether this is a key as `newFileKey` makes them, possibly with a prefix: plain segments, so that no key leaves the store. */
export function isFileKey(key: string): boolean {
  return key.length <= 200 && /^[A-Za-z0-9][A-Za-z0-9_-]*(\/[A-Za-z0-9][A-Za-z0-9_-]*)*$/.test(key);
}
