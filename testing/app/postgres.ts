import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { distribute } from '#server/kit/db/distribute.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { appUrlOf, setAppPassword } from './app-url.ts';
import { createDatabase, databaseUrl, dropDatabase, findNodes, joinNodes, leaveDatabase } from './database-nodes.ts';

/**
 * Once per run: starts a PostgreSQL (TEST_DATABASE_URL, or an embedded one; TEST_POSTGRES=15 for the older version) with a migrated
 * template to clone. If the URL is the coordinator of a Citus cluster, each node has a template, and its tables are distributed.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const dataDir = given ? null : await mkdtemp(join(tmpdir(), 'anteroom-pg-'));
  const started = dataDir
    ? await startEmbeddedPostgres({ dataDir, major: process.env.TEST_POSTGRES === '15' ? 15 : 18 })
    : null;
  const server = given ?? (started as { url: string }).url;
  setAppPassword(started, server);
  const template = `template_${process.pid}`;
  if (started) await writeCarelessly(server);
  const nodes = await findNodes(server);
  const isCluster = nodes.length > 1;
  await createDatabase(nodes, template);
  const templateUrl = databaseUrl(server, template);
  if (isCluster) await joinNodes(nodes, template);
  await migrate(templateUrl, appUrlOf(templateUrl));
  if (isCluster) {
    await distribute(templateUrl, { shards: 4 });
    await leaveDatabase(nodes, template);
  }
  process.env.TEST_SERVER_NODES = nodes.join(' ');
  process.env.TEST_SERVER_URL = server;
  // Copying the files takes half of the time of logging each block; where they must reach the disk (fsync) it takes longer.
  process.env.TEST_TEMPLATE = started || isCluster ? `${template} strategy file_copy` : template;
  return async () => {
    await dropDatabase(nodes, template);
    await started?.release();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  };
}

/** Nothing here outlives the run, so neither commits nor new databases need to wait for the disk. */
async function writeCarelessly(server: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  for (const setting of ['synchronous_commit', 'fsync', 'full_page_writes'])
    await admin.query(`alter system set ${setting} = off`);
  await admin.query('select pg_reload_conf()');
  await admin.end();
}
