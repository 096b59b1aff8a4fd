/** Writes what is generated and checked in; with --check it only compares and names what is stale. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { openapi } from '#contract/openapi.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { notice } from './licenses.ts';
import { migrate } from '#server/kit/db/migrate.ts';

interface Generated {
  path: string;
  content: string;
}

const generators: (() => Promise<Generated>)[] = [tables, document, licenseList];

if (process.argv.includes('--check')) {
  const stale: string[] = [];
  for (const { path, content } of await Promise.all(generators.map((make) => make()))) {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== content) stale.push(path);
  }
  for (const path of stale) process.stdout.write(`stale, run script/generate: ${path}\n`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { path, content } of await Promise.all(generators.map((make) => make()))) writeFileSync(path, content);
  // The catalogues keep their translations, so they are brought up to date in place; script/words-check.ts compares them.
  execFileSync('node_modules/.bin/lingui', ['extract', '--clean'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The tables' types, read from a database that all migrations have run on. */
async function tables(): Promise<Generated> {
  const dataDir = mkdtempSync(join(tmpdir(), 'anteroom-tables-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const out = join(dataDir, 'tables.ts');
  try {
    await migrate(postgres.url);
    const types = ['--camel-case', '--date-parser=string', '--type-mapping={"int8":"number"}'];
    const options = ['--dialect=postgres', ...types, `--url=${postgres.url}`, `--out-file=${out}`, '--log-level=error'];
    execFileSync('node_modules/.bin/kysely-codegen', options, { stdio: ['ignore', 'ignore', 'inherit'] });
    return { path: 'db/tables.ts', content: readFileSync(out, 'utf8') };
  } finally {
    await postgres.release();
    rmSync(dataDir, { recursive: true });
  }
}

/** The contract as an OpenAPI document. */
async function document(): Promise<Generated> {
  const path = 'docs/openapi.json';
  return { path, content: await format(JSON.stringify(openapi('Anteroom')), { parser: 'json', printWidth: 120 }) };
}

/** What we hand out of others, with their licenses. */
async function licenseList(): Promise<Generated> {
  return { path: 'NOTICE', content: notice() };
}
