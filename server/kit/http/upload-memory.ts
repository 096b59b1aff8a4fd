import { siteOfNetwork } from '#server/kit/http/client-network.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/**
 * Uploads are in memory until they are stored, and a slow one stays there for minutes: 40 uploads of 19 MB without their last byte took
 * 630 MB. A phone's photo has 2 to 5 MB.
 */
const mostBytes = 500_000_000;
const mostBytesOfNetwork = 100_000_000;
/** The networks of one IPv6 /48, which one customer can have, together. */
const mostBytesOfSite = 200_000_000;

let reserved = 0;
/** By network, and by /48. */
const reservedOf = new Map<string, number>();

/** The memory of one upload. */
export interface UploadMemory {
  /** Reserves memory for bytes that arrived, or asks the sender to retry. Announced bytes cost nothing, so they reserve nothing. */
  take(bytes: number): void;
  /** Call it when the upload is over. */
  release(): void;
}

export function openUploadMemory(network: string): UploadMemory {
  const site = siteOfNetwork(network);
  const shares: [owner: string, mostBytes: number][] = [[network, mostBytesOfNetwork]];
  if (site !== null) shares.push([site, mostBytesOfSite]);
  let own = 0;
  const add = (bytes: number) => {
    own += bytes;
    reserved += bytes;
    for (const [owner] of shares) {
      const ofOwner = (reservedOf.get(owner) ?? 0) + bytes;
      if (ofOwner > 0) reservedOf.set(owner, ofOwner);
      else reservedOf.delete(owner);
    }
  };
  const isTooMuch = (bytes: number) => shares.some(([owner, most]) => (reservedOf.get(owner) ?? 0) + bytes > most);
  return {
    take(bytes) {
      if (reserved + bytes > mostBytes || isTooMuch(bytes)) throw new Refusal('overloaded', undefined, 3);
      add(bytes);
    },
    release: () => add(-own),
  };
}
