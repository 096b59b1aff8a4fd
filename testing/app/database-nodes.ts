import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import { distributionSettings } from '#server/kit/db/distribute.ts';

/**
 * The owner's URLs of the servers that hold a test's database: one, or every node of a Citus cluster with its coordinator first.
 * testing/app/postgres.ts finds them; the workers of the tests read them from the environment.
 */
export function serverNodes(): string[] {
  const nodes = process.env.TEST_SERVER_NODES;
  if (!nodes) throw new Error('testing/app/postgres.ts did not run: use vitest with the project’s configuration');
  return nodes.split(' ');
}

/** Whether the tests run on a Citus cluster. */
export const onCitus = () => (process.env.TEST_SERVER_NODES ?? '').includes(' ');

/** Runs the owner's statements one after the other. On Citus a distributed table may get a trigger here, to break something. */
export async function runAsOwner<DB>(owner: Kysely<DB>, statements: string[]): Promise<void> {
  for (const statement of statements)
    await owner.transaction().execute(async (tx) => {
      if (onCitus()) await sql`set local citus.enable_unsafe_triggers = on`.execute(tx);
      await sql.raw(statement).execute(tx);
    });
}

/** The server at `url`, and the other nodes if its database is the coordinator of a Citus cluster. */
export async function findNodes(url: string): Promise<string[]> {
  const { rows: extension } = await onDatabase(url, "select from pg_extension where extname = 'citus'");
  if (extension.length === 0) return [url];
  const { rows } = await onDatabase<{ host: string; port: number }>(
    url,
    'select nodename as host, nodeport as port from pg_dist_node where isactive and groupid > 0 order by nodeport',
  );
  return [url, ...rows.map(({ host, port }) => Object.assign(new URL(url), { hostname: host, port }).toString())];
}

export const databaseUrl = (server: string, name: string) =>
  Object.assign(new URL(server), { pathname: `/${name}` }).toString();

/** How many statements wait for a lock in the database called `name`, on any node. */
export async function countLockWaits(name: string): Promise<number> {
  const found = await Promise.all(
    serverNodes().map((node) =>
      onDatabase<{ count: number }>(
        node,
        `select count(*)::int as count from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`,
      ),
    ),
  );
  return found.reduce((sum, { rows }) => sum + (rows[0]?.count ?? 0), 0);
}

/** Creates a database on every node; `from` is what follows its name in the statement. */
export async function createDatabase(nodes: string[], name: string, from = ''): Promise<void> {
  await Promise.all(nodes.map((node) => onDatabase(node, `create database ${name} ${from}`)));
}

/** Creates a database on every node from the run's template. */
export async function cloneTemplate(name: string): Promise<string> {
  const nodes = serverNodes();
  await createDatabase(nodes, name, `template ${process.env.TEST_TEMPLATE}`);
  const url = databaseUrl(nodes[0] as string, name);
  if (onCitus()) await onDatabase(url, distributionSettings);
  return url;
}

export async function dropDatabase(nodes: string[], name: string): Promise<void> {
  // The coordinator first: its connections to the other nodes' databases end with its own.
  for (const node of nodes) await onDatabase(node, `drop database if exists ${name} with (force)`);
}

/** Makes the databases called `name` on the nodes one Citus cluster. */
export async function joinNodes([coordinator, ...workers]: string[], name: string): Promise<void> {
  const first = databaseUrl(coordinator as string, name);
  for (const node of [coordinator as string, ...workers])
    await onDatabase(databaseUrl(node, name), 'create extension citus');
  const { hostname, port } = new URL(first);
  await onDatabase(first, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workers) {
    const { hostname: host, port: workerPort } = new URL(worker);
    await onDatabase(first, `select citus_add_node('${host}', ${workerPort})`);
  }
}

/** Ends what is still connected to the databases called `name`, such as Citus' own maintenance, so that they can be cloned. */
export async function leaveDatabase(nodes: string[], name: string): Promise<void> {
  for (const node of nodes) {
    await onDatabase(node, `alter database ${name} allow_connections false`);
    await onDatabase(node, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
  }
}

async function onDatabase<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Row>(statement);
  } finally {
    await client.end();
  }
}
