import { expect, test } from 'vitest';
import { openUploadMemory } from './upload-memory.ts';

test('the networks of one IPv6 /48 take two fifths of the memory, and leave the rest to others', () => {
  const uploads = [1, 2, 3].map((n) => openUploadMemory(`2001:db8:77:${n}`));
  const [first, second, third] = uploads;
  first?.take(100_000_000);
  second?.take(100_000_000);
  expect(() => third?.take(1)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  const elsewhere = openUploadMemory('2001:db8:78:1');
  elsewhere.take(100_000_000);
  second?.release();
  third?.take(100_000_000);
  for (const upload of [first, third, elsewhere]) upload?.release();
});
