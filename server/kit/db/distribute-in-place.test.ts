import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '#server/kit/project-root.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  joinNodes,
  onCitus,
  serverNodes,
} from '#testing/app/database-nodes.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { differences, hashTables } from '#testing/fixtures/table-hashes.ts';
import { distribute, nodesThatLogRows } from './distribute.ts';
import { expectNoDistributionAt } from './distribution-marker.ts';
import { migrate } from './migrate.ts';

/** A database with rows of two offices that is not distributed yet, on the nodes of the cluster. */
describe.skipIf(!onCitus())('a database with rows is distributed in place', () => {
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const owner = `owner_${name}`;
  /** Owns the database and its tables, as docs/operating.md (Logins) sets it up. */
  const migrator = `migrator_${name}`;
  const beforeDistribution = '0398_queue_answers_held.sql';
  let migratorUrl: string;
  let url: string;
  let testApp: TestApp | undefined;
  let before: Map<string, string>;

  const query = async <Row extends pg.QueryResultRow>(statement: string, at = url): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: at });
    await client.connect();
    return client
      .query<Row>(statement)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  };
  const distributed = async () =>
    (await query<{ name: string }>('select logicalrelid::regclass::text as name from pg_dist_partition')).map(
      (table) => table.name,
    );

  beforeAll(async () => {
    const nodes = serverNodes();
    for (const node of nodes)
      await query(`create role ${migrator} login bypassrls in role anteroom_door`, databaseUrl(node, 'postgres'));
    await createDatabase(nodes, name, `owner ${migrator}`);
    url = databaseUrl(nodes[0] as string, name);
    migratorUrl = Object.assign(new URL(url), { username: migrator, password: '' }).toString();
    await migrate(migratorUrl, appUrlOf(url), { last: beforeDistribution });
    await joinNodes(nodes, name);
    // The marker is newer than the version that this database begins at.
    await query(await readFile(join(projectRoot, 'db/migrations/0422_distribution_marker.sql'), 'utf8'));
    testApp = await openTestApp({ url });
    await testApp.visit({ moves: ['invite'] });
    await testApp.visit({ office: testApp.other });
  });
  afterEach(async () => {
    await query(`drop role if exists ${owner}`);
  });
  afterAll(async () => {
    await testApp?.close();
    await dropDatabase(serverNodes(), name);
    for (const node of serverNodes()) await query(`drop role if exists ${migrator}`, databaseUrl(node, 'postgres'));
  });

  test('distribute refuses a node whose database sorts text in another way, and says which', async () => {
    const nodes = serverNodes();
    const mixed = `${name}_mixed`;
    await createDatabase(nodes.slice(0, -1), mixed);
    await createDatabase(
      nodes.slice(-1),
      mixed,
      `template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C'`,
    );
    try {
      await joinNodes(nodes, mixed);
      const { hostname, port } = new URL(nodes.at(-1) as string);
      await expect(distribute(databaseUrl(nodes[0] as string, mixed))).rejects.toThrow(
        `${hostname}:${port} writes and sorts text in another way`,
      );
    } finally {
      await dropDatabase(nodes, mixed);
    }
  });

  test('distribute refuses while the app is connected, and moves nothing', async () => {
    await testApp?.services.pool.query('select 1');
    await expect(distribute(url, { shards: 2 })).rejects.toThrow(/\d connections? of the app .*Stop the servers/);
    expect(await distributed()).toEqual([]);
    await expectNoDistributionAt(appUrlOf(url));
  });

  describe('after the servers have stopped', () => {
    beforeAll(async () => {
      await testApp?.close();
      testApp = undefined;
      before = await hashTables(url);
    });

    test('distribute refuses an owner that sees only some rows, and says what an administrator does', async () => {
      await query(`create role ${owner} login`);
      const ownerUrl = Object.assign(new URL(url), { username: owner, password: '' }).toString();
      await expect(distribute(ownerUrl)).rejects.toThrow(`alter role ${owner} bypassrls`);
      await query(`alter role ${owner} bypassrls`);
      await expect(distribute(ownerUrl)).rejects.toThrow(
        /alter role anteroom_app in database test_\w+ set plan_cache_mode/,
      );
      expect(await distributed()).toEqual([]);
    });

    test('a distribution that fails before it moved anything lets the servers start again', async () => {
      await expect(distribute(url, { shards: 0 })).rejects.toThrow('shard_count');
      expect(await distributed()).toEqual([]);
      await expectNoDistributionAt(appUrlOf(url));
    });

    test('an interrupted distribution goes on when it is run again, and every table has the same rows', async () => {
      const interrupted = distribute(url, {
        shards: 2,
        say: (line) => {
          if (line.startsWith('Distributing visit:')) throw new Error('interrupted');
        },
      });
      await expect(interrupted).rejects.toThrow('interrupted');
      expect(await distributed()).toContain('patient');
      expect(await distributed()).not.toContain('visit');
      await expect(expectNoDistributionAt(appUrlOf(url))).rejects.toThrow(/are being distributed.* run it again/);
      await expect(
        distribute(url, {
          shards: 0,
          say: () => {
            throw new Error('interrupted');
          },
        }),
      ).rejects.toThrow('interrupted');
      await expect(expectNoDistributionAt(appUrlOf(url))).rejects.toThrow(/are being distributed/);
      const tables = await distribute(url, { shards: 2 });
      expect(tables.filter(({ place, done }) => done !== (place !== 'coordinator'))).toEqual([]);
      await expectNoDistributionAt(appUrlOf(url));
      // Other tests of this run make roles.
      expect(differences(before, await hashTables(url)).filter((table) => table !== 'roles')).toEqual([]);
    });

    test('the coordinator keeps no copy of the rows that were moved to other nodes', async () => {
      expect(
        await query(
          `select logicalrelid::regclass::text as name from pg_dist_partition where pg_relation_size(logicalrelid) > 0`,
        ),
      ).toEqual([]);
    });

    test('an owner who is no superuser migrates it, and no node lets everybody call a security-definer function', async () => {
      await query('drop table auth.distribution');
      await migrate(migratorUrl, appUrlOf(url));
      for (const node of serverNodes()) {
        const open = await query(
          `select p.oid::regprocedure::text as name from pg_proc p
           where p.prosecdef and p.pronamespace = 'public'::regnamespace and has_function_privilege('public', p.oid, 'execute')`,
          databaseUrl(node, name),
        );
        expect(open).toEqual([]);
      }
      const [schema] = await query<{ creates: boolean }>(
        `select has_schema_privilege('anteroom_door', 'public', 'create') as creates`,
      );
      expect(schema?.creates).toBe(false);
    });

    test('nodesThatLogRows names each node whose log quotes the values of a failed statement', async () => {
      const nodes = serverNodes();
      const quoting: string[] = [];
      for (const node of nodes) {
        const [settings] = await query<{ quotes: boolean }>(
          `select current_setting('log_min_error_statement') not in ('fatal', 'panic') or current_setting('log_error_verbosity') <> 'terse'
           or current_setting('log_statement') not in ('none', 'ddl') or current_setting('log_min_duration_statement') <> '-1' as quotes`,
          databaseUrl(node, name),
        );
        const { hostname, port } = new URL(node);
        if (settings?.quotes) quoting.push(`${hostname}:${port}`);
      }
      expect((await nodesThatLogRows(url)).map(({ node }) => node)).toEqual(quoting.sort());
    });
  });
});
