import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = globSync('web/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'));
const imported = new Set(
  [...readFileSync('web/ui/mantine/styles.ts', 'utf8').matchAll(/styles\/(\w+)\.css/g)].map((found) => found[1]),
);
const core = 'node_modules/@mantine/core';

/** Components a component is built from, read off its imports. */
function partsOf(component: string, seen = new Set<string>()): Set<string> {
  if (seen.has(component)) return seen;
  seen.add(component);
  for (const file of globSync(`${core}/esm/components/${component}/**/*.mjs`)) {
    for (const [, part] of readFileSync(file, 'utf8').matchAll(/from "(?:\.\.\/)+(\w+)\/[\w/]+\.mjs"/g)) {
      if (part && existsSync(`${core}/esm/components/${part}`)) partsOf(part, seen);
    }
  }
  return seen;
}

test('every Mantine component in use has its stylesheet', () => {
  const used = sources.flatMap((source) =>
    [...source.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)].flatMap(
      (found) => found[1]?.match(/\b[A-Z]\w+/g) ?? [],
    ),
  );
  const needed = [...new Set(used.flatMap((name) => [...partsOf(name)]))].filter((name) =>
    existsSync(`${core}/styles/${name}.css`),
  );
  expect(used).toContain('Select');
  expect(needed.filter((name) => !imported.has(name))).toEqual([]);
});

test('nothing in use writes a <style> of its own', () => {
  const writers = ['Grid', 'Flex', 'SimpleGrid', 'AppShell', 'Modal', 'Drawer', 'Spotlight'];
  const used = sources.flatMap((source) =>
    [...source.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)].map((found) => found[1] ?? ''),
  );
  expect(writers.filter((name) => used.some((names) => new RegExp(`\\b${name}\\b`).test(names)))).toEqual([]);
});
