import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '#testing/app/test-app.ts';
import { createDatabase, databaseUrl, dropDatabase, onCitus, serverNodes } from '#testing/app/database-nodes.ts';
import { distribute, placesOfTables, type TableLocation } from './distribute.ts';

const database = await freshDatabase();
const client = new pg.Client({ connectionString: database.url });
let tables: { name: string; place: TableLocation }[];
beforeAll(async () => {
  await client.connect();
  tables = (await client.query<{ name: string; place: TableLocation }>(placesOfTables)).rows;
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const at = (place: TableLocation) => tables.filter((table) => table.place === place).map(({ name }) => name);

describe('where the tables of a distributed database are', () => {
  test('an office and every table that names it are together on one node', () => {
    expect(at('by office')[0]).toBe('office');
    expect(at('by office')).toEqual(
      expect.arrayContaining(['visit', 'text', 'conversation', 'membership', 'audit_entry']),
    );
    expect(at('by office').filter((name) => name.includes('.'))).toEqual([]);
  });

  test('the built-in forms, which a view joins with rows of offices, are on every node', () => {
    expect(at('everywhere')).toEqual(['built_in_form']);
  });

  test('people, sessions and the office directory stay on the coordinator', () => {
    expect(at('coordinator')).toEqual(
      expect.arrayContaining(['auth.person', 'auth.session', 'auth.office_directory', 'rate_limit']),
    );
  });

  test('a table comes after those it refers to', async () => {
    const { rows } = await client.query<{ child: string; parent: string }>(
      `select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
       where contype = 'f' and conrelid <> confrelid and connamespace = 'public'::regnamespace`,
    );
    const order = at('by office');
    expect(rows.filter(({ child, parent }) => order.indexOf(child) <= order.indexOf(parent))).toEqual([]);
  });
});

test('without the extension, distribute says how to prepare the database', async () => {
  const [server] = serverNodes() as [string];
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await createDatabase([server], name);
  try {
    await expect(distribute(databaseUrl(server, name))).rejects.toThrow(/no extension citus.*docs\/growing\.md/);
  } finally {
    await dropDatabase([server], name);
  }
});

if (onCitus())
  test('distribute may be run again, and finds everything in its place', async () => {
    const placed = await distribute(database.url);
    expect(placed.filter(({ place, done }) => done !== (place !== 'coordinator'))).toEqual([]);
  });
