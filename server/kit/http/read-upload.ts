import type { Readable } from 'node:stream';
import type { RefusalCode } from '#contract/refusals.ts';
import { Refusal } from './refusal.ts';
import type { UploadMemory } from './upload-memory.ts';

interface UploadRules {
  maxBytes: number;
  withinMs: number;
  memory: UploadMemory;
  /** How what is uploaded here is refused. */
  refusals: { tooLarge: RefusalCode; tooSlow: RefusalCode };
}

/** Reads an upload into memory, which it takes as bytes arrive; refuses one that is too large or takes too long. */
export async function readUpload(
  body: Readable,
  { maxBytes, withinMs, memory, refusals }: UploadRules,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const tooSlow = setTimeout(() => body.destroy(new Refusal(refusals.tooSlow)), withinMs);
  try {
    // A refusal must reach the sender, so it leaves the connection open; the server drops the bytes that still come.
    for await (const part of body.iterator({ destroyOnReturn: false })) {
      bytes += (part as Buffer).length;
      if (bytes > maxBytes) throw new Refusal(refusals.tooLarge);
      memory.take((part as Buffer).length);
      parts.push(part as Buffer);
    }
  } finally {
    clearTimeout(tooSlow);
  }
  return Buffer.concat(parts);
}
