import { expect, test } from 'vitest';
import { maxFormLength } from '#contract/forms/settings.ts';
import { compactToFit, readText, FileTooLarge } from './file-text.ts';

const read = (...parts: BlobPart[]) => readText(new Blob(parts), () => undefined, new AbortController().signal);
const utf16 = (text: string) => new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (char) => char.charCodeAt(0)).buffer);

test('readText decodes a file by its byte order mark and reports progress', async () => {
  expect(await read('{"a":"ñ"}')).toBe('{"a":"ñ"}');
  expect(await read(utf16('{"a":"ñ"}'))).toBe('{"a":"ñ"}');
  const told: number[] = [];
  await readText(new Blob(['x'.repeat(300_000)]), (part) => told.push(part), new AbortController().signal);
  expect(told.at(-1)).toBe(1);
});

test('readText stops when it is aborted and refuses a file that is far too large', async () => {
  const over = new AbortController();
  over.abort();
  await expect(readText(new Blob(['{}']), () => undefined, over.signal)).rejects.toThrow();
  await expect(read('x'.repeat(31_000_000))).rejects.toThrow(FileTooLarge);
});

test('compactToFit removes the indentation of a file that is too large, and refuses it if that is not enough', () => {
  const list = Array.from({ length: 20_000 }, (_, i) => ({ linkId: String(i) }));
  const indented = JSON.stringify({ list }, null, 20);
  expect(indented.length).toBeGreaterThan(maxFormLength);
  expect(compactToFit(indented)).toBe(JSON.stringify({ list }));
  expect(compactToFit('{ "small": true }')).toBe('{ "small": true }');
  expect(() => compactToFit('"'.repeat(maxFormLength))).toThrow(FileTooLarge);
  expect(() => compactToFit(JSON.stringify('ñ'.repeat(maxFormLength)))).toThrow(FileTooLarge);
});
