import { Refusal } from '#server/kit/http/refusal.ts';

/**
 * Uploads are in memory until they are stored, and a slow one stays there for minutes: 40 uploads of 19 MB without their last byte took
 * 630 MB. A phone's photo has 2 to 5 MB.
 */
const mostBytes = 500_000_000;
const mostBytesOfNetwork = 100_000_000;

let reserved = 0;
const reservedOf = new Map<string, number>();

/** The memory of one upload. */
export interface UploadMemory {
  /** Reserves memory for bytes that arrived, or asks the sender to retry. Announced bytes cost nothing, so they reserve nothing. */
  take(bytes: number): void;
  /** Call it when the upload is over. */
  release(): void;
}

export function openUploadMemory(network: string): UploadMemory {
  let own = 0;
  const add = (bytes: number) => {
    own += bytes;
    reserved += bytes;
    const ofNetwork = (reservedOf.get(network) ?? 0) + bytes;
    if (ofNetwork > 0) reservedOf.set(network, ofNetwork);
    else reservedOf.delete(network);
  };
  return {
    take(bytes) {
      const ofNetwork = reservedOf.get(network) ?? 0;
      if (reserved + bytes > mostBytes || ofNetwork + bytes > mostBytesOfNetwork)
        throw new Refusal('overloaded', undefined, 3);
      add(bytes);
    },
    release: () => add(-own),
  };
}
