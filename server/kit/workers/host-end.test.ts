import { expect, test } from 'vitest';
import { traceOf } from './host-end.ts';

test('a crash is described by its error’s name and its stack, without the message and the quoted source', () => {
  const output = [
    'file:///app/server/worker-host.js:12',
    '  throw new TypeError("Ada Byron, born 1990");',
    'TypeError: Ada Byron, born 1990',
    '    at runJob (file:///app/server/worker-host.js:12:9)',
    '    at process.emit (node:events:519:28)',
    'Node.js v24.21.0',
  ].join('\n');
  expect(traceOf(output).split('\n')).toEqual([
    'TypeError',
    '    at runJob (file:///app/server/worker-host.js:12:9)',
    '    at process.emit (node:events:519:28)',
  ]);
});

test("a worker's output keeps V8’s fatal errors", () => {
  const fatal = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';
  expect(traceOf(`<--- Last few GCs --->\n${fatal}\n`)).toBe(fatal);
});
