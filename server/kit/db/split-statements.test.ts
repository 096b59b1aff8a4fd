import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { splitStatements } from './split-statements.ts';

test('a semicolon in a text, a name, a body or a comment ends no statement', () => {
  const statements = [
    "-- first; of all\ninsert into a values ('it''s; here')",
    'select 1 as "a;b"',
    'do $$ begin perform 1; perform 2; end $$',
    "create function f() returns text language sql as $body$ select 'x; $$;'; $body$",
    'select 2 /* ; */',
  ];
  expect(splitStatements(`${statements.join(';\n\n')};\n-- the end; really\n`)).toEqual(statements);
});

test('statements without an end, and texts without a statement, are taken as they are', () => {
  expect(splitStatements('select 1')).toEqual(['select 1']);
  expect(splitStatements(' ;; \n-- nothing\n')).toEqual([]);
});

test('no migration has what would be split in the wrong place', () => {
  const folder = new URL('../../../db/migrations/', import.meta.url);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.sql')))
    expect(readFileSync(new URL(name, folder), 'utf8'), name).not.toMatch(/\be'|\bbegin\s+atomic\b/i);
});
