import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/openapi.ts';
import { examples } from '#testing/fixtures/endpoint-examples.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { fillOffice } from '#testing/app/two-offices.ts';
import { startJobs } from './jobs.ts';

const testApp = await openTestApp();
testApp.services.log.level = 'silent';
afterAll(() => testApp.close());

/** The statements sent while the product answered every call of the contract and ran its jobs. */
const statements = new Set<string>();
let officeTables: Set<string>;

beforeAll(async () => {
  const maple = await fillOffice(testApp, 'MAPLE', '2100070123');
  const { rows } = await testApp.services.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'office_id' union select 'office'`,
  );
  officeTables = new Set(rows.map(({ name }) => name));

  testApp.services.pool.on('acquire', (client: pg.PoolClient) => collectFrom(client));
  const stopJobs = startJobs(testApp.services);
  for (const { operationId, endpoint } of allEndpoints())
    for (const { params = {}, query = {}, body } of examples[operationId]?.ways(maple.ids) ?? [])
      await testApp.app.inject({
        method: endpoint.method,
        url: `/api${endpoint.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))}`,
        query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Record<
          string,
          string
        >,
        headers: {
          authorization: `Bearer ${endpoint.access === 'visitor' ? maple.ids.visitorToken : await testApp.signIn(maple.personId)}`,
          'x-office': maple.id,
        },
        ...(body !== undefined && { payload: body as object }),
      });
  await sleep(2_500);
  await stopJobs();
}, 120_000);

const collecting = new WeakSet<pg.PoolClient>();
function collectFrom(client: pg.PoolClient): void {
  if (collecting.has(client)) return;
  collecting.add(client);
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const [statement] = args as [string | { text: string }];
    statements.add((typeof statement === 'string' ? statement : statement.text).replaceAll('"', ''));
    return query(...args);
  }) as typeof client.query;
}

/** The tables that a statement reads or writes. */
const tablesIn = (statement: string) =>
  [...statement.matchAll(/\b(?:from|join|into|update)\s+(?:only\s+)?([a-z_]+(?:\.[a-z_]+)?)/gi)].map(
    ([, name]) => name as string,
  );
const officeTablesIn = (statement: string) => tablesIn(statement).filter((name) => officeTables.has(name));

/** Whether each office table is restricted by office_id, or by the id of the office itself. */
function namesOffice(statement: string): boolean {
  const tables = officeTablesIn(statement);
  const others = tables.filter((name) => name !== 'office');
  const isOfficeNamed =
    others.length === tables.length || /(\boffice|\bo)\.id\b|\bid = |insert into office /.test(statement);
  return isOfficeNamed && [...statement.matchAll(/\boffice_id\b/g)].length >= others.length;
}

/** Whether rows of an office are combined with rows of no office. People are joined through their memberships only. */
function mixesOffices(statement: string): boolean {
  const tables = officeTablesIn(statement).filter((name) => name !== 'membership');
  return tables.length > 0 && tablesIn(statement).some((name) => name.includes('.'));
}

test('statements were collected for most tables of an office', () => {
  expect(statements.size).toBeGreaterThan(150);
  expect(new Set([...statements].flatMap(officeTablesIn)).size).toBeGreaterThan(20);
});

test('every statement on tables of an office names the office for each of them', () => {
  expect([...statements].filter((statement) => !namesOffice(statement))).toEqual([]);
});

test('no statement mixes rows of an office with rows of no office, except the one that completes the directory', () => {
  const mixed = [...statements].filter(mixesOffices);
  expect(mixed.filter((statement) => !/^\s*insert into auth\.office_directory /.test(statement))).toEqual([]);
});

test.each([
  ['select id from visit where id = $1', false],
  ['select v.id from visit as v join patient as p on p.id = v.patient_id where v.office_id = $1', false],
  ['select v.id from visit as v join patient as p on p.office_id = v.office_id and p.id = v.patient_id', true],
  ['update office set name = $1', false],
  ['update office set name = $1 where id = $2', true],
  ['insert into visit (office_id, id) values ($1, $2)', true],
])('namesOffice of %s is %s', (statement, expected) => {
  expect(namesOffice(statement)).toBe(expected);
});

test.each([
  ['select 1 from visit as v join auth.person as p on p.id = v.acted_id where v.office_id = $1', true],
  ['select 1 from membership as m join auth.person as p on p.id = m.person_id where m.office_id = $1', false],
])('mixesOffices of %s is %s', (statement, expected) => {
  expect(mixesOffices(statement)).toBe(expected);
});
