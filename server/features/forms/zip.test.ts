import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { namesFor, safeName, zipOf } from './zip.ts';

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
  ])('%j is %j', (typed, name) => expect(safeName(typed)).toBe(name));

  test('leads nowhere, whatever it was', () => {
    for (const typed of ['..', '../', './../x', '/', '\\\\server\\share', '\u2028/\u2029', '～/x', '%2e%2e%2f'])
      for (const name of namesFor([typed])) expect(name, typed).not.toMatch(/[/\\\p{Cc}]|^\.\./u);
  });
});

test('of equal names, also in other letters of the same word, each gets a number', () => {
  expect(namesFor(['Ada', 'ada', 'ADA', 'Ada (2)'])).toEqual([
    'Ada.pdf',
    'ada (2).pdf',
    'ADA (3).pdf',
    'Ada (2) (2).pdf',
  ]);
});

test.each([1, 3, 1_500])('a zip of %d files is exactly as long as it says beforehand', async (count) => {
  const names = namesFor(Array.from({ length: count }, (_, i) => `2026-03-02 José Number${i} Arrival form`));
  const open = async () => Readable.from([Buffer.alloc(100)]);
  const { content, bytes } = await zipOf(names.map((name) => ({ name, bytes: 100, at: new Date(), open })));
  let came = 0;
  for await (const part of content) came += (part as Buffer).length;
  expect(came).toBe(bytes);
});

test('whoever stops reading closes the file that is open, and no other is opened', async () => {
  const opened: Readable[] = [];
  const open = async () => {
    const file = Readable.from(Array.from({ length: 1_000 }, () => Buffer.alloc(10_000)));
    opened.push(file);
    return file;
  };
  const entry = { bytes: 10_000_000, at: new Date(), open };
  const { content } = await zipOf([
    { name: 'one.pdf', ...entry },
    { name: 'two.pdf', ...entry },
  ]);
  for await (const _ of content) break;
  await new Promise((resolve) => setImmediate(resolve));
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});
