import { expect, test } from 'vitest';
import { maxFormLength } from '#contract/forms/settings.ts';
import { compactToFit, readText, FileTooLarge } from './file-text.ts';

const read = (...parts: BlobPart[]) => readText(new Blob(parts), () => undefined, new AbortController().signal);
const utf16 = (text: string) => new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (char) => char.charCodeAt(0)).buffer);

test('text is read as its first bytes say it is written, and how far it is is told', async () => {
  expect(await read('{"a":"ñ"}')).toBe('{"a":"ñ"}');
  expect(await read(utf16('{"a":"ñ"}'))).toBe('{"a":"ñ"}');
  const told: number[] = [];
  await readText(new Blob(['x'.repeat(300_000)]), (part) => told.push(part), new AbortController().signal);
  expect(told.at(-1)).toBe(1);
});

test('a file that is stopped is not read on, one beyond all measure not at all', async () => {
  const over = new AbortController();
  over.abort();
  await expect(readText(new Blob(['{}']), () => undefined, over.signal)).rejects.toThrow();
  await expect(read('x'.repeat(31_000_000))).rejects.toThrow(FileTooLarge);
});

test('what would be too large to send goes without its indentation, and is refused where that does not help', () => {
  const list = Array.from({ length: 20_000 }, (_, i) => ({ linkId: String(i) }));
  const indented = JSON.stringify({ list }, null, 20);
  expect(indented.length).toBeGreaterThan(maxFormLength);
  expect(compactToFit(indented)).toBe(JSON.stringify({ list }));
  expect(compactToFit('{ "small": true }')).toBe('{ "small": true }');
  expect(() => compactToFit('"'.repeat(maxFormLength))).toThrow(FileTooLarge);
  expect(() => compactToFit(JSON.stringify('ñ'.repeat(maxFormLength)))).toThrow(FileTooLarge);
});
