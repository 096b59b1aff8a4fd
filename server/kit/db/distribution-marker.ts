import pg from 'pg';

type Connection = Pick<pg.ClientBase, 'query'>;

/** False in a database of an older version. It asks the catalog, because the login may have no rights in the schema. */
async function hasMarker(connection: Connection): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'auth' and c.relname = 'distribution'`,
  );
  return rowCount === 1;
}

/** Says to starting servers that rows are being moved. Returns true if an earlier distribution had said so and was interrupted. */
export async function markDistribution(connection: Connection): Promise<boolean> {
  if (!(await hasMarker(connection))) return false;
  const { rowCount } = await connection.query(
    'insert into auth.distribution (began_at) values (now()) on conflict do nothing',
  );
  return rowCount === 0;
}

export async function unmarkDistribution(connection: Connection): Promise<void> {
  if (await hasMarker(connection)) await connection.query('delete from auth.distribution');
}

/** Throws while `distribute` moves the rows of the tables, and after it failed on the way or was interrupted: a server would miss rows. */
export async function expectNoDistribution(connection: Connection): Promise<void> {
  if (!(await hasMarker(connection))) return;
  const { rows } = await connection.query<{ began_at: Date }>('select began_at from auth.distribution');
  if (!rows[0]) return;
  throw new Error(
    `the tables are being distributed over several nodes, since ${rows[0].began_at.toISOString()}. Start again when ` +
      '"script/anteroom database distribute" has ended. If it failed or was interrupted, run it again: it goes on where it ended.',
  );
}

export async function expectNoDistributionAt(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await expectNoDistribution(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
