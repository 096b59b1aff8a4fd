/** Writes the generated files in the repository; with --check it only compares and names stale ones. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { openapi } from '#contract/openapi.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { columnTypeImports, columnTypes } from './column-types.ts';
import { notice } from './licenses.ts';
import { migrate } from '#server/kit/db/migrate.ts';

interface GeneratedFile {
  path: string;
  content: string;
}

const generators: (() => Promise<GeneratedFile>)[] = [tables, document, licenseList];

if (process.argv.includes('--check')) {
  const stale: string[] = [];
  for (const { path, content } of await Promise.all(generators.map((make) => make()))) {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== content) stale.push(path);
  }
  for (const path of stale) process.stdout.write(`stale, run script/generate: ${path}\n`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { path, content } of await Promise.all(generators.map((make) => make()))) writeFileSync(path, content);
  // The catalogs keep their translations, so they are updated in place; script/words-check.ts compares them.
  execFileSync('node_modules/.bin/lingui', ['extract', '--clean'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The tables' types, read from a database after all migrations. */
async function tables(): Promise<GeneratedFile> {
  const dataDir = mkdtempSync(join(tmpdir(), 'anteroom-tables-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const out = join(dataDir, 'tables.ts');
  try {
    await migrate(postgres.url);
    const types = ['--camel-case', '--date-parser=string', '--type-mapping={"int8":"number"}'];
    const overrides = [
      `--overrides=${JSON.stringify({ columns: columnTypes })}`,
      `--custom-imports=${JSON.stringify(columnTypeImports)}`,
    ];
    const options = [
      '--dialect=postgres',
      ...types,
      ...overrides,
      `--url=${postgres.url}`,
      `--out-file=${out}`,
      '--log-level=error',
    ];
    execFileSync('node_modules/.bin/kysely-codegen', options, { stdio: ['ignore', 'ignore', 'inherit'] });
    return { path: 'db/tables.ts', content: readFileSync(out, 'utf8') };
  } finally {
    await postgres.release();
    rmSync(dataDir, { recursive: true });
  }
}

/** The contract as an OpenAPI document. */
async function document(): Promise<GeneratedFile> {
  const path = 'docs/openapi.json';
  const { code } = await format(path, JSON.stringify(openapi('Anteroom')), { printWidth: 120 });
  return { path, content: code };
}

/** The dependencies we distribute, with their licenses. */
async function licenseList(): Promise<GeneratedFile> {
  return { path: 'NOTICE', content: notice() };
}
