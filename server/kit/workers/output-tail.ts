import type { Readable } from 'node:stream';

const keptChars = 4_000;

/** The end of a stream's output. */
export function tailOf(stream: Readable | null): () => string {
  let tail = '';
  stream?.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-keptChars)));
  stream?.on('error', () => undefined);
  return () => tail;
}
