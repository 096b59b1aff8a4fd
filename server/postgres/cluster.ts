import { execFile } from 'node:child_process';
import { chmodSync, chownSync, closeSync, constants, copyFileSync, existsSync, fsyncSync, mkdtempSync } from 'node:fs';
import { openSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newToken } from '#server/kit/crypto/secret.ts';
import { findBinaries, type Major } from './binaries.ts';
import { openPostgresHome, type PostgresHome } from './home.ts';

/** One installation's PostgreSQL on disk. */
export interface Cluster extends PostgresHome {
  /** PostgreSQL's own data directory, inside `dir`. */
  data: string;
  /** Folder of the executables. */
  bin: string;
  password: string;
  /** The password of the app's login, which cannot bypass row-level security. */
  appPassword: string;
}

/** PostgreSQL gets nothing of this process's environment: no PGPORT, no PGOPTIONS, no LD_PRELOAD. */
export const environmentForPostgres = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Finds or creates the cluster in the data folder; the caller holds the folder's lock. */
export async function openCluster(dataDir: string, major: Major): Promise<Cluster> {
  const home = openPostgresHome(dataDir);
  const bin = findBinaries(major, home);
  const data = join(home.dir, 'data');
  clearDrafts(home.dir);
  if (!existsSync(data)) await makeCluster(home, bin, major);
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found !== String(major))
    throw new Error(`${data} was made by PostgreSQL ${found}; PostgreSQL ${major} cannot open it.`);
  return {
    ...home,
    data,
    bin,
    password: readFileSync(join(home.dir, 'password'), 'utf8'),
    appPassword: readAppPassword(home),
  };
}

/** Generated once; folders from before the app had its own login get one at their next start. */
function readAppPassword(home: PostgresHome): string {
  const file = join(home.dir, 'app-password');
  if (!existsSync(file)) writePrivately(file, newToken(), home);
  return readFileSync(file, 'utf8');
}

/** Writes a file of the cluster that belongs to PostgreSQL's user. */
export function writePrivately(file: string, text: string, { runAs }: PostgresHome): void {
  writeFileSync(file, text, { mode: 0o600 });
  if (runAs) chownSync(file, runAs.uid, runAs.gid);
}

/** Created under another name and renamed when complete, so that a killed start leaves nothing half done. */
async function makeCluster(home: PostgresHome, bin: string, major: Major): Promise<void> {
  const { dir } = home;
  const password = join(dir, 'password');
  writePrivately(password, newToken(), home);
  const draft = await runInitdb(home, bin, major, password);
  renameSync(draft, join(dir, 'data'));
  const folder = openSync(dir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** PostgreSQL's settings in a data folder. Some of them name commands that PostgreSQL runs. */
export const configurationFiles: readonly string[] = [
  'postgresql.conf',
  'postgresql.auto.conf',
  'pg_hba.conf',
  'pg_ident.conf',
];

/** Writes a new cluster's settings into the data folder `into`, replacing existing ones. */
export async function writeConfiguration(home: PostgresHome, major: Major, into: string): Promise<void> {
  const password = join(home.dir, 'new-password');
  writePrivately(password, newToken(), home);
  const draft = await runInitdb(home, findBinaries(major, home), major, password);
  rmSync(password);
  for (const name of configurationFiles) {
    rmSync(join(into, name), { force: true });
    copyFileSync(join(draft, name), join(into, name), constants.COPYFILE_EXCL);
    chmodSync(join(into, name), 0o600);
  }
  rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
}

/** Creates a data folder under a draft name, which the next start removes unless it is renamed. */
async function runInitdb(home: PostgresHome, bin: string, major: Major, password: string): Promise<string> {
  const { dir, runAs } = home;
  const draft = mkdtempSync(join(dir, 'new-'));
  if (runAs) chownSync(draft, runAs.uid, runAs.gid);
  const locale =
    major === 15 ? ['--locale=C.UTF-8'] : ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const who = ['--username=postgres', `--pwfile=${password}`, '--auth=scram-sha-256'];
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', draft, '--encoding=UTF8', ...locale, ...who, '--no-instructions'],
    {
      ...runAs,
      cwd: '/',
      env: environmentForPostgres,
      timeout: 60_000,
    },
  ).catch((error: { stderr?: string; message: string }) => {
    throw new Error(
      `PostgreSQL's data folder could not be made in ${dir}: ${explainPostgresError(error.stderr || error.message)}`,
      {
        cause: error,
      },
    );
  });
  return draft;
}

function clearDrafts(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (name.startsWith('new-')) rmSync(join(dir, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The end of PostgreSQL's output, preceded by the reason in plain words if it is a common one. */
export function explainPostgresError(said: string): string {
  const end = said.trim().split('\n').slice(-6).join('\n');
  if (said.includes('No space left on device')) return `the disk is full.\n${end}`;
  if (said.includes('Permission denied')) return `its user may not read or write a file.\n${end}`;
  return end;
}
