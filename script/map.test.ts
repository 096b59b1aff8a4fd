import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folders = ['bench', 'contract', 'db', 'docs', 'e2e', 'questionnaire', 'script', 'server', 'testing', 'web'];
const files = [...globSync(`{${folders.join(',')}}/**/*.*`), ...globSync('{*.ts,.*.json}')];
/** Addresses of pages, patterns and ranges name no one file. */
const isFile = (name: string) => /\.(tsx?|js|css|sql|json|md)$/.test(name) && !/^\/|[*<{ ]/.test(name);

test('every file and folder that the map names is there', () => {
  const names = [...readFileSync('docs/map.md', 'utf8').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const named = names.filter((name) => isFile(name) || /^[\w-][\w/-]*\/$/.test(name));
  const isThere = (name: string) =>
    files.some((file) => (name.endsWith('/') ? `/${file}`.includes(`/${name}`) : `/${file}`.endsWith(`/${name}`)));
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});
