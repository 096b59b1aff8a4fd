import { maxFormLength } from '#contract/forms/settings.ts';

/** No questionnaire is that large, so such a file is not read. */
const largestFile = 30_000_000;
/** The largest request that the server accepts, in bytes. */
const largestBody = 1_490_000;

/** The file cannot be sent: it is too large. */
export class FileTooLarge extends Error {}

/** Reads a file's text as UTF-8 or UTF-16, by its first bytes. `onProgress` gets the fraction read, 0 to 1. */
export async function readText(file: Blob, onProgress: (part: number) => void, signal: AbortSignal): Promise<string> {
  if (file.size > largestFile) throw new FileTooLarge();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = file.stream().getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    signal.throwIfAborted();
    chunks.push(read.value);
    bytes += read.value.byteLength;
    onProgress(bytes / file.size);
  }
  const [first = 0, second = 0] = chunks[0] ?? [];
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(await new Blob(chunks).arrayBuffer());
}

/** The text to send; without indentation if it would be too large. Throws FileTooLarge if it still is. */
export function compactToFit(text: string): string {
  const fitting = [text, compact(text)].find(fits);
  if (fitting === undefined) throw new FileTooLarge();
  return fitting;
}

const fits = (text: string) => text.length <= maxFormLength && new Blob([JSON.stringify({ text })]).size <= largestBody;

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return text;
  }
}
