import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '#server/kit/command.ts';
import type { ArchiveWriter } from './archive.ts';
import type { Progress } from './show-progress.ts';

/** A database on the operator's own server is copied with PostgreSQL's pg_dump, in one snapshot, and restored with pg_restore. */
const partBytes = 4_000_000;
const errorBytes = 4_000;

/** Adds the dump in parts: a tar entry needs its size first, and a dump's size is known only at its end. */
export async function addDump(
  archive: ArchiveWriter,
  ownerUrl: string,
  serverMajor: number,
  progress: Progress,
): Promise<number> {
  const program = findProgram('pg_dump', serverMajor);
  const child = spawn(program, ['--format=custom', '--compress=0', '--no-password', '--lock-wait-timeout=60s'], {
    env: environmentFor(ownerUrl),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child, 'pg_dump');
  let bytes = 0;
  let parts = 0;
  let gathered: Buffer[] = [];
  let gatheredBytes = 0;
  const flush = async () => {
    await archive.add(`database.dump/${String(++parts).padStart(8, '0')}`, gatheredBytes, gathered);
    progress('database', (bytes += gatheredBytes));
    [gathered, gatheredBytes] = [[], 0];
  };
  try {
    for await (const chunk of child.stdout) {
      gathered.push(chunk as Buffer);
      gatheredBytes += (chunk as Buffer).length;
      if (gatheredBytes >= partBytes) await flush();
    }
    await ended;
  } finally {
    child.kill();
  }
  if (gatheredBytes > 0) await flush();
  return bytes;
}

/** Restores a dump into an empty database, in one transaction: all or nothing. */
export async function restoreDump(ownerUrl: string, serverMajor: number, dumpFile: string): Promise<void> {
  const program = findProgram('pg_restore', serverMajor);
  const { PGDATABASE = '' } = environmentFor(ownerUrl);
  const args = ['--single-transaction', '--exit-on-error', '--no-password', `--dbname=${PGDATABASE}`];
  const child = spawn(program, args, { env: environmentFor(ownerUrl), stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = endOf(child, 'pg_restore');
  // If pg_restore fails it closes its input; its own error message is the one that matters.
  await pipeline(createReadStream(dumpFile), child.stdin).catch(() => undefined);
  await ended;
}

/** Finds pg_dump or pg_restore, at least as new as the server: an older one refuses to work. */
export function findProgram(name: 'pg_dump' | 'pg_restore', serverMajor: number): string {
  const folder = process.env.POSTGRES_BIN;
  const program = folder ? `${folder}/${name}` : name;
  const versionCheck = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const version = Number(/\b(\d+)(?:\.|devel|beta|rc)/.exec(versionCheck.stdout ?? '')?.[1]);
  const instruction = `Install the PostgreSQL ${serverMajor} client programs, or name their folder in POSTGRES_BIN.`;
  if (versionCheck.error || !version)
    throw new UsageError(`With DATABASE_URL the database is copied by ${name}, which is not installed. ${instruction}`);
  if (version < serverMajor)
    throw new UsageError(
      `${name} is of PostgreSQL ${version}, the database is of PostgreSQL ${serverMajor}. ${instruction}`,
    );
  return program;
}

/** The connection as environment variables: every user of the machine can read arguments. */
function environmentFor(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const ssl = searchParams.get('sslmode');
  const ca = searchParams.get('sslrootcert');
  return {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    PGAPPNAME: 'anteroom backup',
    PGHOST: searchParams.get('host') ?? decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...(ssl && { PGSSLMODE: ssl === 'no-verify' ? 'require' : ssl }),
    ...(ca && { PGSSLROOTCERT: ca }),
  };
}

async function endOf(child: ChildProcess, name: string): Promise<void> {
  let errorOutput = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (errorOutput = (errorOutput + text).slice(-errorBytes)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  throw new Error(`${name} failed (${code ?? 'killed'}): ${errorOutput.trim().split('\n').slice(-3).join(' ')}`);
}
