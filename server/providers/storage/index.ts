import type { House } from '#server/ctx.ts';
import { diskStorage } from './disk.ts';
import type { Storage } from './port.ts';
import { s3Storage } from './s3.ts';

/** Where this installation keeps its files: a bucket where one is named, else the disk below DATA_DIR. */
export function openStorage(given: Pick<House, 'env' | 'now'>): Storage {
  return given.env.s3 ? s3Storage(given, given.env.s3) : diskStorage(given);
}
