import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from './kit/project-root.ts';

/**
 * Behind a transaction pooler the next statement may run on another connection, so nothing may depend on what an earlier transaction
 * left there: use transaction-level locks, `set local` and ordinary tables.
 */
const connectionState = [
  /pg_(try_)?advisory_(lock|unlock)/i,
  /\bcreate\s+(local\s+|global\s+)?temp(orary)?\s+table/i,
  /['"`;]\s*set\s+(?!local\b|transaction\b)(session\s+)?[\w.]+\s*(=|\bto\b)/i,
  /set_config\s*\([^)]*,\s*false\s*\)/i,
  /['"`;]\s*(listen|prepare|discard|declare\s+\w+\s+cursor\s+with\s+hold)\b\s/i,
];

/** Connections that never pass a pooler. */
const exceptions: Record<string, string> = {
  'server/postgres/embedded-postgres.ts':
    'counts the processes that share the embedded PostgreSQL, on a connection of its own to that PostgreSQL',
  'server/kit/live/hint-listener.ts': 'LISTEN needs a connection of its own',
};

const usesState = (text: string) => connectionState.some((pattern) => pattern.test(text));

async function sourceFiles(): Promise<string[]> {
  const files: string[] = [];
  for (const folder of ['server', 'db/seed', 'db/migrations'])
    for (const name of await readdir(join(projectRoot, folder), { recursive: true }))
      if (/\.(ts|sql)$/.test(name) && !name.endsWith('.test.ts')) files.push(`${folder}/${name}`);
  return files;
}

test('only the listed files use the state of a database connection', async () => {
  const found: string[] = [];
  for (const file of await sourceFiles())
    if (usesState(await readFile(join(projectRoot, file), 'utf8'))) found.push(file);
  expect(found.sort()).toEqual(Object.keys(exceptions).sort());
});

test.each([
  [`await client.query('select pg_advisory_lock(1)')`, true],
  [`select pg_try_advisory_lock($1) as mine`, true],
  [`select pg_advisory_xact_lock(1)`, false],
  [`select pg_try_advisory_xact_lock(1)`, false],
  ['sql`create temp table s as select 1`', true],
  [`client.query("set work_mem = '128MB'")`, true],
  [`client.query('set session statement_timeout to 5')`, true],
  [`client.query('set local work_mem = 5')`, false],
  [`select set_config('app.office_id', $1, false)`, true],
  [`select set_config('app.office_id', $1, true)`, false],
  ['await mine.query(`listen ${channel}`)', true],
  ['update visit set status = 1', false],
])('usesState reports connection state in: %s', (text, expected) => {
  expect(usesState(text)).toBe(expected);
});
