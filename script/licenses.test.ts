import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAccepted, licenses, notice } from './licenses.ts';

test('every dependency has an accepted license, development tools too', () => {
  expect(licenses().problems).toEqual([]);
});

test.each([
  ['GPL-3.0-only', false, false],
  ['AGPL-3.0-or-later', false, false],
  ['none', false, false],
  ['UNLICENSED', false, false],
  ['MPL-2.0', false, true],
  ['CC-BY-4.0', false, true],
  ['MIT AND GPL-3.0-only', false, false],
  ['(GPL-2.0 OR MIT)', true, true],
  ['MIT', true, true],
])('the license %s is accepted for a product dependency: %s, for a development tool: %s', (license, product, tool) => {
  expect(isAccepted('some-package', license, false)).toBe(product);
  expect(isAccepted('some-package', license, true)).toBe(tool);
});

test('development tools are checked and are not in NOTICE', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  const { version } = packages['node_modules/vitest'] ?? {};
  expect(version).toBeDefined();
  expect(notice()).not.toContain(`vitest ${version}`);
  expect(notice()).toContain('fastify ');
});
