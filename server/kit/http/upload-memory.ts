import { Refusal } from '#server/kit/http/refusal.ts';

/**
 * Uploads are in memory until they are stored, and a slow one stays there for minutes: 40 uploads of 19 MB without their last byte took
 * 630 MB. A phone's photo has 2 to 5 MB.
 */
const mostBytes = 500_000_000;
const mostBytesOfNetwork = 100_000_000;

let reserved = 0;
const reservedOf = new Map<string, number>();

/** Reserves memory for an upload of a network, or asks it to retry. Call the result when the upload is over. */
export function reserveUpload(network: string, bytes: number): () => void {
  const ofNetwork = reservedOf.get(network) ?? 0;
  if (reserved + bytes > mostBytes || ofNetwork + bytes > mostBytesOfNetwork)
    throw new Refusal('overloaded', undefined, 3);
  reserved += bytes;
  reservedOf.set(network, ofNetwork + bytes);
  return () => {
    reserved -= bytes;
    const left = (reservedOf.get(network) ?? 0) - bytes;
    if (left > 0) reservedOf.set(network, left);
    else reservedOf.delete(network);
  };
}
