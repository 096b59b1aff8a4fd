import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { namesFor, safeName, createZip } from './zip.ts';

describe('a file name out of what people typed', () => {
  test.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['..\\..\\windows\\system32', 'windows-system32'],
    ['/absolute', 'absolute'],
    ['C:\\boot.ini', 'C--boot.ini'],
    ['a\u0000b\u0007c\r\nd', 'abcd'],
    ['evil\u202efdp.exe', 'evilfdp.exe'],
    ['José Núñez', 'José Núñez'],
    ['日本語', '日本語'],
    ['  many   spaces  ', 'many spaces'],
    ['dots...', 'dots'],
    ['', 'form'],
    ['...', 'form'],
    ['CON', 'form CON'],
    ['x'.repeat(300), 'x'.repeat(80)],
    ['𝒜'.repeat(80), '𝒜'.repeat(50)],
    ['what? "this" <is> | it*', 'what- -this- -is- - it-'],
  ])('safeName turns %j into %j', (typed, name) => expect(safeName(typed)).toBe(name));

  test('safeName never returns a path, whatever was typed', () => {
    for (const typed of ['..', '../', './../x', '/', '\\\\server\\share', '\u2028/\u2029', '～/x', '%2e%2e%2f'])
      for (const name of namesFor([typed])) expect(name, typed).not.toMatch(/[/\\\p{Cc}]|^\.\./u);
  });
});

test('namesFor numbers equal names, even in other spellings of the same letters', () => {
  expect(namesFor(['Ada', 'ada', 'ADA', 'Ada (2)'])).toEqual([
    'Ada.pdf',
    'ada (2).pdf',
    'ADA (3).pdf',
    'Ada (2) (2).pdf',
  ]);
});

test.each([1, 3, 1_500])('zipOf %d files has exactly the announced length', async (count) => {
  const names = namesFor(Array.from({ length: count }, (_, i) => `2026-03-02 José Number${i} Arrival form`));
  const open = async () => Readable.from([Buffer.alloc(100)]);
  const { content, bytes } = await createZip(names.map((name) => ({ name, bytes: 100, at: new Date(), open })));
  let came = 0;
  for await (const part of content) came += (part as Buffer).length;
  expect(came).toBe(bytes);
});

test('zipOf closes the open file and opens no other when the reader stops', async () => {
  const opened: Readable[] = [];
  const open = async () => {
    const file = Readable.from(Array.from({ length: 1_000 }, () => Buffer.alloc(10_000)));
    opened.push(file);
    return file;
  };
  const entry = { bytes: 10_000_000, at: new Date(), open };
  const { content } = await createZip([
    { name: 'one.pdf', ...entry },
    { name: 'two.pdf', ...entry },
  ]);
  for await (const _ of content) break;
  await new Promise((resolve) => setImmediate(resolve));
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});
