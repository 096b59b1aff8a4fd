import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, lstatSync, realpathSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '#server/kit/command.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts';
import { configurationFiles, writeConfiguration } from '#server/postgres/cluster.ts';
import { ensureRoles } from '#server/kit/db/migrate.ts';
import { openPostgresHome, type PostgresHome } from '#server/postgres/home.ts';
import { embeddedMajor, expectEmpty, expectFitting, ownerUrlOf } from './expect-fitting.ts';
import { restoreMarker } from './restore-marker.ts';
import { FileExists, type Storage, type StoredFile } from '#server/providers/storage/port.ts';
import { BackupUnreadable, type ArchiveEntry } from './archive.ts';
import { settleDatabase } from './settle-database.ts';
import { allowEntryPoints, disallowEntryPoints } from './sql.ts';
import { passwordFiles, passwordFolder, type BackupHeader } from './backup-format.ts';
import { restoreDump } from './pg-dump.ts';
import type { BackupLock } from './encryption.ts';
import { readBackup, type BackupContents, type BackupSink } from './read-backup.ts';
import type { Trust } from './trust.ts';

export interface RestoreOptions {
  dataDir: string;
  environment: NodeJS.ProcessEnv;
  storage: Storage;
  /** The required origin of the backup. */
  trust: Trust;
  /** Waiting texts, pushes and emails are sent at once; otherwise they are held. */
  releaseTexts: boolean;
  say(line: string): void;
  /** Called for each entry of the backup before it is stored. */
  progress(part: string): void;
}

/**
 * Restores a backup into an empty installation. Meanwhile a marker in DATA_DIR keeps a server from starting; if the restore fails,
 * everything it wrote is removed.
 */
export async function restore(lock: BackupLock, input: Readable, options: RestoreOptions): Promise<BackupContents> {
  const { dataDir } = options;
  await expectEmpty(dataDir);
  const existed = existsSync(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const marker = join(dataDir, restoreMarker);
  await writeFile(marker, 'A restore was begun here and did not finish. Empty this folder and run it again.\n');
  try {
    const contents = await unpack(lock, input, options);
    await startAndSettle(contents.header, options);
    await rm(marker);
    return contents;
  } catch (error) {
    await clear(dataDir, existed);
    throw error;
  }
}

async function clear(dataDir: string, keepFolder: boolean): Promise<void> {
  const home = join(dataDir, 'postgres');
  // When running as root, it may be a link to a folder that PostgreSQL's user can reach.
  if (lstatSync(home, { throwIfNoEntry: false })?.isSymbolicLink())
    await rm(realpathSync(home), { recursive: true, force: true });
  for (const name of await readdir(dataDir))
    if (name !== 'lost+found') await rm(join(dataDir, name), { recursive: true, force: true });
  if (!keepFolder) await rm(dataDir, { recursive: true, force: true });
}

interface Targets {
  /** The folder that becomes PostgreSQL's data folder, and the one around it. */
  home: PostgresHome | null;
  bucket: Storage | null;
  /** Keys this restore added to the bucket; removed again if the backup is damaged or forged. */
  addedKeys: string[];
  dumpFile: string;
}

async function unpack(lock: BackupLock, input: Readable, options: RestoreOptions): Promise<BackupContents> {
  const { dataDir, environment, storage, trust, progress } = options;
  let targets: Targets | undefined;
  let file: StoredFile | null = null;
  const sink: BackupSink = {
    async begin(header) {
      await expectFitting(header, environment);
      const isFolder = header.database.kind === 'folder';
      targets = {
        home: isFolder ? openPostgresHome(dataDir) : null,
        bucket: storage.name === 'disk' ? null : storage,
        addedKeys: [],
        dumpFile: join(dataDir, 'database.dump'),
      };
    },
    async entry(entry) {
      if (!targets) throw new BackupUnreadable('The backup does not begin with its description.');
      const [part = '', ...rest] = entry.name.split('/');
      const path = rest.join('/');
      expectKnown(entry, part, path, targets);
      progress(part);
      if (part === 'database' && targets.home) {
        // PostgreSQL's settings can name commands to run, so they never come from a backup.
        if (configurationFiles.includes(path)) return skip(entry);
        return writeEntry(entry, join(targets.home.dir, 'restored', path));
      }
      if (part === 'database.dump') return appendEntry(entry, targets.dumpFile);
      if (part === passwordFolder) return targets.home ? writeEntry(entry, join(targets.home.dir, path)) : skip(entry);
      if (part === 'files' && targets.bucket) {
        if (path.endsWith('.json')) file = JSON.parse((await buffer(entry.content)).toString()) as StoredFile;
        else if (file && (await putInBucket(targets.bucket, file, entry))) targets.addedKeys.push(file.key);
        return;
      }
      return writeEntry(entry, join(dataDir, part, path));
    },
  };
  try {
    const contents = await readBackup(lock, input, sink, trust);
    if (targets?.home) await giveToPostgres(targets.home);
    return contents;
  } catch (error) {
    for (const key of targets?.addedKeys ?? []) await targets?.bucket?.delete(key).catch(() => undefined);
    throw error;
  }
}

/** What BASE_BACKUP sends besides the settings files; anything else in a data folder may change how PostgreSQL starts. */
const databaseFolders = new Set(
  `base global pg_commit_ts pg_dynshmem pg_logical pg_multixact pg_notify pg_replslot pg_serial pg_snapshots pg_stat pg_stat_tmp
   pg_subtrans pg_tblspc pg_twophase pg_wal pg_xact`.split(/\s+/),
);
const databaseFiles = new Set(['PG_VERSION', 'backup_label', 'backup_manifest', ...configurationFiles]);

/** Throws unless backups of this program have such an entry. */
function expectKnown({ name, isFolder }: ArchiveEntry, part: string, path: string, { home }: Targets): void {
  if (!isKnown()) throw new BackupUnreadable(`The backup holds "${name}", which does not belong into a backup.`);

  function isKnown(): boolean {
    const [top = '', ...below] = path.split('/');
    if (part === 'database' && home) {
      if (top === 'pg_tblspc') return isFolder && below.length === 0;
      return databaseFolders.has(top) ? isFolder || below.length > 0 : !isFolder && databaseFiles.has(path);
    }
    if (isFolder || path === '') return false;
    if (part === 'database.dump') return !home && /^\d{8}$/.test(path);
    if (part === passwordFolder) return (passwordFiles as readonly string[]).includes(path);
    if (part === 'secrets') return below.length === 0;
    if (part === 'files') return /\.file(\.json)?$/.test(path);
    return part === 'audit';
  }
}

async function writeEntry({ isFolder, content }: ArchiveEntry, path: string): Promise<void> {
  if (isFolder) return void (await mkdir(path, { recursive: true, mode: 0o700 }));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(Readable.from(content), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

async function appendEntry({ content }: ArchiveEntry, path: string): Promise<void> {
  await pipeline(Readable.from(content), createWriteStream(path, { flags: 'a', mode: 0o600 }));
}

async function skip({ content }: ArchiveEntry): Promise<void> {
  for await (const _chunk of content);
}

/** The bucket usually survived: a file with the same content stays. Returns true if the file was added. */
async function putInBucket(bucket: Storage, file: StoredFile, entry: ArchiveEntry): Promise<boolean> {
  const there = await bucket.head(file.key);
  if (!there)
    return bucket.put(file.key, Readable.from(entry.content), { contentType: file.contentType }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof FileExists) return false;
        throw error;
      },
    );
  await skip(entry);
  if (there.sha256 !== file.sha256)
    throw new UsageError(
      `The bucket holds another file under ${file.key}. Restore into the bucket of this backup, or an empty one.`,
    );
  return false;
}

async function giveToPostgres(home: PostgresHome): Promise<void> {
  const { dir, runAs } = home;
  const restored = join(dir, 'restored');
  await writeConfiguration(home, embeddedMajor, restored);
  await chmod(restored, 0o700);
  if (runAs) execFileSync('chown', ['-R', `${runAs.uid}:${runAs.gid}`, dir]);
  // One call for thousands of files; from then on a power cut loses nothing.
  execFileSync('sync');
  await rename(restored, join(dir, 'data'));
}

/** Starts the database, migrates it to this version, and makes sure that nothing from the past is sent again. */
async function startAndSettle(header: BackupHeader, options: RestoreOptions): Promise<void> {
  const { dataDir, environment, releaseTexts, say } = options;
  const ownUrl = ownerUrlOf(environment);
  const settling = { backupOf: header.startedAt, releaseTexts, say };
  if (header.database.kind === 'dump' && ownUrl !== undefined) {
    const dumpFile = join(dataDir, 'database.dump');
    say('Loading the database ...');
    await ensureRoles(ownUrl, environment.DATABASE_URL);
    await allowEntryPoints(ownUrl);
    await restoreDump(ownUrl, header.database.major, dumpFile).finally(() => disallowEntryPoints(ownUrl));
    await rm(dumpFile);
    return settleDatabase({ ...settling, ownerUrl: ownUrl, appUrl: environment.DATABASE_URL });
  }
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await settleDatabase({ ...settling, ownerUrl: postgres.url, appUrl: postgres.appUrl });
  } finally {
    await postgres.release();
  }
}

/** Opens the backup for reading: a file, or standard input for `-`. */
export function openInput(path: string): Readable {
  if (path === '-') return process.stdin;
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  return createReadStream(path, { highWaterMark: 1 << 20 });
}
