import type { Progress } from './show-progress.ts';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import type { Env } from '#server/env.ts';
import { openBaseBackup, type BaseBackupChunk } from '#server/postgres/base-backup.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { FileMissing, type Storage, type StoredFile } from '#server/providers/storage/port.ts';
import { writeArchive, type ArchiveWriter } from './archive.ts';
import {
  firstEntry,
  formatVersion,
  manifestEntry,
  passwordFiles,
  passwordFolder,
  signatureEntry,
  summaryEntry,
  type BackupHeader,
  type BackupSignature,
  type BackupSummary,
} from './backup-format.ts';
import { addDump, findProgram } from './pg-dump.ts';
import type { BackupLock } from './encryption.ts';
import { collectChecksums } from './postgres-manifest.ts';
import type { BackupSigner } from './signature.ts';
import { expectAllRows, expectOneServer, readFacts, type SourceDatabase } from './source-database.ts';

/**
 * Writes a backup of a running installation to `output`. The signed heads are copied before the database: a head older than the copied
 * audit log is normal, a newer one would look like deleted entries. Files are copied after it, so that every file in the database copy was
 * there.
 */
export async function makeBackup(
  env: Env,
  database: SourceDatabase,
  storage: Storage,
  lock: BackupLock,
  signer: BackupSigner,
  output: Writable,
  progress: Progress,
): Promise<BackupSummary> {
  if (database.kind === 'dump') {
    await expectOneServer(database.ownerUrl);
    await expectAllRows(database.ownerUrl);
  }
  const facts = await readFacts(database.ownerUrl);
  if (database.kind === 'dump') findProgram('pg_dump', facts.major);
  const secrets = await readSecrets(env);
  const header: BackupHeader = {
    format: formatVersion,
    startedAt: new Date().toISOString(),
    programVersion: programVersion(),
    schema: facts.schema,
    database: { kind: database.kind, postgres: facts.postgres, major: facts.major, owner: facts.owner },
    signer: signer.name,
    secrets: Object.fromEntries([...secrets].map(([name, content]) => [name, sha256(content)])),
  };
  const archive = await writeArchive(lock, output);
  try {
    await addJson(archive, firstEntry, header);
    await addHeads(archive, env.dataDir, progress);
    const databaseBytes =
      database.kind === 'folder'
        ? await addDataFolder(archive, database.ownerUrl, progress)
        : await addDump(archive, database.ownerUrl, facts.major, progress);
    const files = await addFiles(archive, storage, progress);
    for (const [name, content] of secrets) await archive.add(`secrets/${name}`, content.length, [content]);
    await addPasswords(archive, env.dataDir);
    progress('secrets', 0);
    const { offices, newestAuditEntry } = facts;
    const finishedAt = new Date().toISOString();
    const summary: BackupSummary = { finishedAt, offices, newestAuditEntry, databaseBytes, ...files };
    await addJson(archive, summaryEntry, summary);
    const signature: BackupSignature = { signer: signer.name, signature: signer.sign(archive.digest()) };
    await addJson(archive, signatureEntry, signature);
    await archive.finish();
    return summary;
  } catch (error) {
    await archive.abort(error);
    throw error;
  }
}

/** The version in package.json. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version;
}

async function addJson(archive: ArchiveWriter, name: string, value: object): Promise<void> {
  const content = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  await archive.add(name, content.length, [content]);
}

async function addHeads(archive: ArchiveWriter, dataDir: string, progress: Progress): Promise<void> {
  const folder = join(dataDir, 'audit');
  if (!existsSync(folder)) return;
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // A head may be appended during the copy, so read only up to the current size.
    const { size } = await stat(path);
    const content = size === 0 ? [] : createReadStream(path, { end: size - 1 });
    await archive.add(`audit${path.slice(folder.length)}`, size, content);
    progress('signed heads', (bytes += size));
  }
}

/** Copies the embedded PostgreSQL's data folder file by file and verifies PostgreSQL's own checksums on the way. */
async function addDataFolder(archive: ArchiveWriter, ownerUrl: string, progress: Progress): Promise<number> {
  const { estimatedBytes, chunks } = await openBaseBackup(ownerUrl);
  const decoder = createTarDecoder({ strict: true });
  const manifestParts: Buffer[] = [];
  let bytes = 0;
  const receive = async () => {
    const tar = decoder.writable.getWriter();
    tar.closed.catch(() => undefined);
    try {
      for await (const { part, bytes: received } of chunks as AsyncIterable<BaseBackupChunk>) {
        if (part === 'manifest') manifestParts.push(received);
        else await tar.write(received);
      }
      await tar.close();
    } catch (error) {
      await tar.abort(error).catch(() => undefined);
      throw error;
    }
  };
  const received = receive();
  received.catch(() => undefined);
  const checksums = collectChecksums();
  try {
    for await (const { header, body } of decoder.readable as unknown as AsyncIterable<ParsedTarEntry>) {
      // PostgreSQL writes some names with a leading `./`.
      const path = header.name.replace(/^\.\//, '').replace(/\/$/, '');
      if (header.type === 'directory') await archive.addFolder(`database/${path}`);
      else {
        const content = checksums.pass(path, body);
        await archive.add(`database/${path}`, header.size, content);
      }
      progress('database', (bytes += header.size), Math.max(bytes, estimatedBytes));
    }
    await received;
  } finally {
    chunks.destroy();
  }
  const manifest = Buffer.concat(manifestParts);
  const problem = checksums.compare(manifest);
  if (problem)
    throw new Error(`The copy of the database is not whole: ${problem}. Try again; check the disk if it repeats.`);
  await archive.add(manifestEntry, manifest.length, [manifest]);
  return bytes;
}

/** Files read ahead, so that a bucket's latency is not paid for each one. A file has a few megabytes at most. */
const filesAhead = 4;

async function addFiles(
  archive: ArchiveWriter,
  storage: Storage,
  progress: Progress,
): Promise<Pick<BackupSummary, 'files' | 'fileBytes' | 'damagedFiles'>> {
  const counted = { files: 0, fileBytes: 0, damagedFiles: [] as string[] };
  const ahead: Promise<ReadFile | null>[] = [];
  const addNext = async () => {
    const read = await ahead.shift();
    if (!read) return;
    const { file, content, isDamaged } = read;
    const description = Buffer.from(JSON.stringify(file));
    await archive.add(`files/${file.key}.file.json`, description.length, [description]);
    await archive.add(`files/${file.key}.file`, content.length, [content]);
    if (isDamaged) counted.damagedFiles.push(file.key);
    counted.files++;
    progress('files', (counted.fileBytes += content.length));
  };
  for await (const key of storage.list()) {
    const reading = readStored(storage, key);
    reading.catch(() => undefined);
    ahead.push(reading);
    if (ahead.length >= filesAhead) await addNext();
  }
  while (ahead.length > 0) await addNext();
  return counted;
}

interface ReadFile {
  file: StoredFile;
  content: Buffer;
  isDamaged: boolean;
}

/** Null for a file deleted since it was listed. A file damaged in the store must not stop every future backup. */
async function readStored(storage: Storage, key: string): Promise<ReadFile | null> {
  try {
    const { file, content } = await storage.get(key);
    const bytes = await buffer(content);
    return { file, content: bytes, isDamaged: sha256(bytes) !== file.sha256 };
  } catch (error) {
    if (error instanceof FileMissing || (error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

/** The secrets in use, from the environment or files, and all other files in their folder. */
async function readSecrets(env: Env): Promise<Map<string, Buffer>> {
  const folder = join(env.dataDir, 'secrets');
  const secrets = new Map<string, Buffer>();
  for (const entry of existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [])
    if (entry.isFile()) secrets.set(entry.name, await readFile(join(folder, entry.name)));
  for (const [name, secret] of Object.entries(env.secrets)) secrets.set(name, Buffer.from(secret as string));
  if (env.vapid) {
    const { publicKey, privateKey } = env.vapid;
    secrets.set('vapid.json', Buffer.from(JSON.stringify({ publicKey, privateKey })));
  }
  return secrets;
}

async function addPasswords(archive: ArchiveWriter, dataDir: string): Promise<void> {
  const home = join(dataDir, 'postgres');
  if (!existsSync(home)) return;
  for (const name of passwordFiles) {
    if (!existsSync(join(home, name))) continue;
    const content = await readFile(join(home, name));
    await archive.add(`${passwordFolder}/${name}`, content.length, [content]);
  }
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
