import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = new URL('../../../db/migrations/', import.meta.url);

/** Migrations up to this one landed before the rule: whoever comes from them stops all servers (docs/operating.md, Upgrade). */
const lastBeforeTheRule = '0359_update_requested.sql';

/** What the version before would stumble over while it still runs. */
const contracting: [string, RegExp][] = [
  ['drops a table, view, column, function or type', /\bdrop\s+(table|view|column|function|type|schema)\b/i],
  ['renames something', /\brename\s+(to|column|constraint)\b/i],
  ['changes a column’s type', /\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/i],
  ['forbids null', /\balter\s+(column\s+)?\w+\s+set\s+not\s+null\b/i],
  [
    'adds a column that older inserts do not fill',
    /\badd\s+column\s+(?![^;]*?\bdefault\b)(?![^;]*?\bgenerated\b)[^,;]*\bnot\s+null\b/i,
  ],
  ['takes a right of the app away', /\brevoke\b[^;]*\bfrom\s+anteroom_app\b/i],
];

/** A migration says in its first line which version stopped using what it removes: `-- contracts: nothing since 0371 reads office.fax`. */
const says = /^-- contracts: .{10,}$/m;

/** What this migration does to a running older version. Comments and the bodies of functions do not count. */
function flawsOf(text: string): string[] {
  if (says.test(text.split('\n')[0] ?? '')) return [];
  const statements = text.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''").replaceAll(/--.*$/gm, '');
  return contracting.filter(([, pattern]) => pattern.test(statements)).map(([flaw]) => flaw);
}

describe('a migration that a running older version survives', () => {
  const migrations = readdirSync(folder).filter((name) => name.endsWith('.sql') && name > lastBeforeTheRule);

  test.each(migrations.length > 0 ? migrations : ['none yet'])('%s expands the schema', (name) => {
    if (name === 'none yet') return;
    expect(flawsOf(readFileSync(new URL(name, folder), 'utf8'))).toEqual([]);
  });

  test.each([
    ['alter table visit drop column note;', 'drops a table, view, column, function or type'],
    ['drop function door_caller(text);', 'drops a table, view, column, function or type'],
    ['alter table visit rename column note to reason;', 'renames something'],
    ['alter table visit alter column note type jsonb using note::jsonb;', 'changes a column’s type'],
    ['alter table visit alter column note set not null;', 'forbids null'],
    ['alter table visit add column kind text not null;', 'adds a column that older inserts do not fill'],
    ['revoke select on visit from anteroom_app;', 'takes a right of the app away'],
  ])('%s does not pass', (statement, flaw) => expect(flawsOf(statement)).toEqual([flaw]));

  test.each([
    "alter table visit add column kind text not null default 'adult';",
    'alter table visit add column kind text;',
    'create or replace function door_x() returns int language plpgsql as $$ begin drop table a; end $$;',
    '-- contracts: nothing since 0371 reads visit.note\nalter table visit drop column note;',
  ])('%s passes', (statement) => expect(flawsOf(statement)).toEqual([]));
});
