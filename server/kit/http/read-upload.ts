import type { Readable } from 'node:stream';
import { Refusal } from './refusal.ts';
import type { UploadMemory } from './upload-memory.ts';

/** Reads an upload into memory, which it takes as bytes arrive; refuses one that is too large or takes too long. */
export async function readUpload(
  body: Readable,
  { maxBytes, withinMs, memory }: { maxBytes: number; withinMs: number; memory: UploadMemory },
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const tooSlow = setTimeout(() => body.destroy(new Refusal('photo_unreadable')), withinMs);
  try {
    // A refusal must reach the sender, so it leaves the connection open; the server drops the bytes that still come.
    for await (const part of body.iterator({ destroyOnReturn: false })) {
      bytes += (part as Buffer).length;
      if (bytes > maxBytes) throw new Refusal('photo_too_large');
      memory.take((part as Buffer).length);
      parts.push(part as Buffer);
    }
  } finally {
    clearTimeout(tooSlow);
  }
  return Buffer.concat(parts);
}
