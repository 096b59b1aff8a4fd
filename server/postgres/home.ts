import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, statSync } from 'node:fs';
import { rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the cluster, its password, its port and its log; `runAs` is set if this process is root. */
export interface PostgresHome {
  dir: string;
  runAs: User | undefined;
}

export interface User {
  uid: number;
  gid: number;
}

/** The parent for folders that PostgreSQL's user could not reach otherwise (a checkout under /root). */
const reachable = '/var/lib/anteroom';

/** Finds or creates `postgres` in the data folder. PostgreSQL refuses to run as root, so in that case it gets its own user. */
export function openPostgresHome(dataDir: string): PostgresHome {
  mkdirSync(dataDir, { recursive: true });
  const home = join(dataDir, 'postgres');
  const runAs = process.getuid?.() === 0 ? (ownerOf(home) ?? postgresUser()) : undefined;
  if (!existsSync(home)) make(home, runAs);
  const dir = realpathSync(home);
  const owner = statSync(dir).uid;
  if (runAs && owner !== runAs.uid) execFileSync('chown', ['-R', `${runAs.uid}:${runAs.gid}`, dir]);
  if (runAs && !canEnter(dir, runAs)) {
    throw new Error(`PostgreSQL runs as uid ${runAs.uid}, which cannot reach ${dir}: chmod o+x the folders above it.`);
  }
  if (!runAs && process.getuid && owner !== process.getuid()) {
    throw new Error(`${home} belongs to uid ${owner}: start as that user or as root, or use another DATA_DIR.`);
  }
  return { dir, runAs };
}

/** A folder outside the checkout that PostgreSQL's user can reach. */
export function makeSharedFolder(): string {
  mkdirSync(reachable, { recursive: true });
  chmodSync(reachable, 0o755);
  return reachable;
}

function ownerOf(path: string): User | undefined {
  if (!existsSync(path)) return undefined;
  const { uid, gid } = statSync(path);
  return uid === 0 ? undefined : { uid, gid };
}

function make(home: string, runAs: User | undefined): void {
  if (lstatSync(home, { throwIfNoEntry: false })) rmSync(home);
  const dataDir = dirname(home);
  // Execute permission on a folder does not list its content.
  if (runAs && !canEnter(dataDir, runAs) && canEnter(dirname(dataDir), runAs)) {
    chmodSync(dataDir, (statSync(dataDir).mode & 0o7777) | 0o011);
  }
  if (runAs && !canEnter(dataDir, runAs)) {
    const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12);
    symlinkSync(mkdtempSync(join(makeSharedFolder(), `data-${name}-`)), home);
  } else {
    mkdirSync(home, { mode: 0o700 });
  }
  if (runAs) chownSync(home, runAs.uid, runAs.gid);
}

function canEnter(dir: string, { uid, gid }: User): boolean {
  return spawnSync('test', ['-x', dir], { uid, gid, cwd: '/' }).status === 0;
}

function postgresUser(): User {
  const known = lookUp('postgres') ?? lookUp('_postgres');
  if (known) return known;
  const useradd = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres'];
  if (spawnSync('useradd', useradd).status !== 0) spawnSync('adduser', ['-S', '-D', '-H', 'postgres']);
  const made = lookUp('postgres');
  if (!made) throw new Error('PostgreSQL refuses to run as root, and a user "postgres" for it could not be made.');
  return made;
}

function lookUp(name: string): User | undefined {
  const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  if (uid.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(execFileSync('id', ['-g', name], { encoding: 'utf8' })) };
}
