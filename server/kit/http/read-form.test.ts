import { expect, test } from 'vitest';
import { readForm } from './read-form.ts';

const part = (name: string, value: string, headers = '') =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n${value}\r\n`;
const read = (body: string, contentType = 'multipart/form-data; boundary=edge') =>
  readForm(Buffer.from(body), contentType);

test('a form of ten parts is read, whichever way its boundary is written', async () => {
  const body = `${Array.from({ length: 10 }, (_, i) => part(`f${i}`, 'Sí, mañana')).join('')}--edge--\r\n`;
  for (const contentType of [
    'multipart/form-data; boundary=edge',
    'multipart/form-data; charset=utf-8; boundary="edge"',
    'Multipart/Form-Data;boundary=edge; charset=utf-8',
  ]) {
    const form = await read(body, contentType);
    expect([...form.keys()]).toHaveLength(10);
    expect(form.get('f9')).toBe('Sí, mañana');
  }
});

test.each([
  ['eleven parts', part('a', 'x').repeat(11), undefined],
  ['long headers', part('a', 'x', 'X-Y: z\r\n'.repeat(400)), undefined],
  ['headers without an end', '--edge\r\nContent-Disposition: form-data; name="a"', undefined],
  ['a boundary within the boundary’s text', part('a', '--edge'.repeat(20)), undefined],
  ['no boundary', part('a', 'x'), 'multipart/form-data'],
  ['an empty body', '', undefined],
])('a form with %s is refused', async (_what, parts, contentType) => {
  await expect(read(parts === '' ? '' : `${parts}--edge--\r\n`, contentType)).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('10 MB of empty parts, headers or names hold up the main thread for no more than a moment', async () => {
  const mb = 10_000_000;
  const bodies = [
    part('a', '').repeat(mb / 60),
    part('a', '', 'X: y\r\n'.repeat(mb / 6)),
    part('%22'.repeat(mb / 3), ''),
    '--edge'.repeat(mb / 6),
  ];
  const from = performance.now();
  for (const body of bodies) await expect(read(`${body}--edge--\r\n`)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(performance.now() - from).toBeLessThan(2_000);
});
