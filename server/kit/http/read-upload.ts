import type { Readable } from 'node:stream';
import { Refusal } from './refusal.ts';

/** Reads an upload into memory; refuses one that is too large or takes too long. Reserve the memory first (upload-memory.ts). */
export async function readUpload(
  body: Readable,
  { maxBytes, withinMs }: { maxBytes: number; withinMs: number },
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const tooSlow = setTimeout(() => body.destroy(new Refusal('photo_unreadable')), withinMs);
  try {
    for await (const part of body) {
      bytes += (part as Buffer).length;
      if (bytes > maxBytes) throw new Refusal('photo_too_large');
      parts.push(part as Buffer);
    }
  } finally {
    clearTimeout(tooSlow);
  }
  return Buffer.concat(parts);
}
