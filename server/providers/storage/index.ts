import type { House } from '#server/ctx.ts';
import { diskStorage } from './disk.ts';
import type { Storage } from './port.ts';

/** Where this installation keeps its files: the disk below DATA_DIR. */
export function openStorage(given: Pick<House, 'env' | 'now'>): Storage {
  return diskStorage(given);
}
