import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { UsageError } from '#server/kit/command.ts';
import type { BackupHeader } from './backup-format.ts';
import { findProgram } from './pg-dump.ts';
import { restoreMarker } from './restore-marker.ts';
import { targetFacts } from './sql.ts';
import { expectAllRows } from './source-database.ts';

/** The major version of the bundled PostgreSQL. */
export const embeddedMajor = 18;

/** Requires that nothing of another installation is in the folder. */
export async function expectEmpty(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const names = (await readdir(dataDir)).filter((name) => name !== 'lost+found');
  if (names.includes(restoreMarker))
    throw new UsageError(`A restore into ${dataDir} did not finish. Empty the folder and run it again.`);
  if (names.length > 0)
    throw new UsageError(
      `${dataDir} is not empty. A restore needs an empty DATA_DIR: move what is there away, or name another.`,
    );
}

/** Before anything is written, checks for the same major version, an empty database, and no different secrets in the environment. */
export async function expectFitting(header: BackupHeader, environment: NodeJS.ProcessEnv): Promise<void> {
  const { kind, postgres, major } = header.database;
  const url = ownerUrlOf(environment);
  if (kind === 'folder' && environment.DATABASE_URL)
    throw new UsageError(
      'This backup is of the PostgreSQL that comes with the program. Restore it without DATABASE_URL, into an empty DATA_DIR.',
    );
  if (kind === 'folder' && major !== embeddedMajor)
    throw new UsageError(
      `This backup was made on PostgreSQL ${postgres}, this version of the program has PostgreSQL ${embeddedMajor}, which cannot open it. ` +
        `Restore it with the version that made it: ${header.programVersion}.`,
    );
  if (kind === 'dump') {
    if (url === undefined)
      throw new UsageError(
        'This backup is of a PostgreSQL server of yours: name an empty database in DATABASE_URL and MIGRATE_DATABASE_URL.',
      );
    await expectEmptyDatabase(url, header);
    findProgram('pg_restore', major);
  }
  for (const [name, variable] of Object.entries(secretVariables)) {
    const secret = environment[variable];
    if (secret && header.secrets[name] && createHash('sha256').update(secret).digest('hex') !== header.secrets[name])
      throw new UsageError(
        `${variable} differs from the one of the backup. With another one nobody can sign in with an app, and the audit log does not verify: ` +
          `set the old one, or remove it from the environment and the backup's own is used.`,
      );
  }
}

const secretVariables = { session: 'SESSION_SECRET', audit: 'AUDIT_SECRET', webhook: 'WEBHOOK_SECRET' } as const;

/** The login that may create tables. */
export const ownerUrlOf = (environment: NodeJS.ProcessEnv) => environment.MIGRATE_DATABASE_URL || undefined;

/** Requires an empty database of the same or a newer PostgreSQL, and a login that may create tables for their owner and write all rows. */
async function expectEmptyDatabase(url: string, { database: { major, postgres, owner } }: BackupHeader): Promise<void> {
  const target = await targetFacts(url, owner);
  if (target.tables > 0)
    throw new UsageError(
      'The database of MIGRATE_DATABASE_URL is not empty: make a new one (create database …) and name it.',
    );
  if (target.major < major)
    throw new UsageError(
      `This backup was made on PostgreSQL ${postgres}, the server of MIGRATE_DATABASE_URL is older: PostgreSQL ${target.major}.`,
    );
  if (!target.isOwner)
    throw new UsageError(
      `The tables of this backup belong to the login "${owner}", MIGRATE_DATABASE_URL has "${target.login}". ` +
        `Make the logins as in docs/operating.md (Logins), with "${owner}" as the owner.`,
    );
  await expectAllRows(url);
}
