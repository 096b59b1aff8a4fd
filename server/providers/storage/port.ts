import type { Readable } from 'node:stream';

/** What is known of a file without reading it. */
export interface StoredFile {
  key: string;
  bytes: number;
  /** Of its content, hex. */
  sha256: string;
  contentType: string;
  storedAt: Date;
}

/** Thrown by `get` when nothing is stored under the key. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}
/** Thrown by `put`: a key is written once. */
export class FileExists extends Error {
  override readonly name = 'FileExists';
}
/** Thrown by `put` when more came than was allowed; nothing is stored. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** Where files are kept: whole or not at all, never changed once written. Keys are made by `newFileKey`. */
export interface Storage {
  /** Which store it is; `disk` is the stand-in. */
  readonly name: string;
  /** Writes a new file; it is there when this resolves and not before. Throws FileExists, FileTooLarge. */
  put(key: string, content: Buffer | Readable, about: { contentType: string; maxBytes?: number }): Promise<StoredFile>;
  /** What is known of it and its content as a stream. Throws FileMissing. */
  get(key: string): Promise<{ file: StoredFile; content: Readable }>;
  /** What is known of it; null when there is none. */
  head(key: string): Promise<StoredFile | null>;
  /** The keys of all files, in no particular order; files that come or go meanwhile may be in it or not. */
  list(): AsyncIterable<string>;
  /** Forgets a file; one that is not there is no error. */
  delete(key: string): Promise<void>;
}

/** A key for a new file of an office: `npi/yyyy/mm/dd/uuid`, the day in UTC. No name of a person is ever part of it. */
export function newFileKey({ now, id }: { now(): Date; id(): string }, npi: string): string {
  return `${npi}/${now().toISOString().slice(0, 10).replaceAll('-', '/')}/${id()}`;
}

/** A key as `newFileKey` makes them, possibly with a prefix: plain segments, so that no key leads out of the store. */
export function isFileKey(key: string): boolean {
  return key.length <= 200 && /^[A-Za-z0-9][A-Za-z0-9_-]*(\/[A-Za-z0-9][A-Za-z0-9_-]*)*$/.test(key);
}
