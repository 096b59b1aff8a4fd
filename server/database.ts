import { checkAppLogin } from '#server/kit/db/app-login.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { expectNoDistributionAt } from '#server/kit/db/distribution-marker.ts';
import { expectMigrated, migrate } from '#server/kit/db/migrate.ts';
import { expectWholeInstallation } from '#server/features/backup/restore-marker.ts';
import type { Env } from './env.ts';

/** This process's database, migrated, with a login bound by row-level security. */
export interface Database {
  /** The app's login, for requests, jobs and live hints. */
  appUrl: string;
  /** The owner's login; undefined if this process has none. */
  ownerUrl: string | undefined;
  release(): Promise<void>;
}

/** Progress on an operator's own database, which may be large. Commands print their results to standard output, so it goes to standard error. */
const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Opens DATABASE_URL or the embedded PostgreSQL. Throws a message an operator can act on. Only `distributes` opens half-distributed tables. */
export async function openDatabase(
  { databaseUrl, databaseDirectUrl, migrateDatabaseUrl, dataDir }: Env,
  { distributes = false } = {},
): Promise<Database> {
  expectWholeInstallation(dataDir);
  if (databaseUrl === undefined) {
    const { url, appUrl, release } = await startEmbeddedPostgres({ dataDir });
    try {
      await migrate(url, appUrl);
      await checkAppLogin(appUrl);
    } catch (error) {
      await release();
      throw error;
    }
    return { appUrl, ownerUrl: url, release };
  }
  // A migration would distribute tables as well.
  if (migrateDatabaseUrl !== undefined && !distributes) await expectNoDistributionAt(migrateDatabaseUrl);
  if (migrateDatabaseUrl !== undefined) await migrate(migrateDatabaseUrl, databaseUrl, { say });
  await checkAppLogin(databaseUrl);
  if (databaseDirectUrl !== undefined) await checkAppLogin(databaseDirectUrl, 'DATABASE_DIRECT_URL');
  if (migrateDatabaseUrl === undefined) {
    await expectMigrated(databaseUrl);
    await expectNoDistributionAt(databaseUrl);
  }
  return { appUrl: databaseUrl, ownerUrl: migrateDatabaseUrl, release: async () => undefined };
}
