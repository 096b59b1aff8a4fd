import pg from 'pg';
import { UsageError } from '#server/kit/command.ts';
import { buildAndSwap } from './build-search.ts';
import { beginCopy, type Copy } from './copy-rows.ts';
import { whileImporting } from './import-lock.ts';
import { addImport, forgetProgress, lastImport, progressOf, saveProgress, type ImportProgress } from './import-sql.ts';
import type { NppesFile } from './nppes-file.ts';
import { createRecordReader } from './nppes-record.ts';
import { readRecords, type FilePosition } from './read-records.ts';
import { copyLine } from './address-row.ts';

/** Bytes per commit: at most this much is read again after a kill. */
const chunkBytes = 64 << 20;
/** A file with less than this share of the current addresses is considered cut off. */
const minPlausibleShare = 0.9;

export interface ImportOptions {
  individuals: boolean;
  /** Import a file that was imported already. */
  again: boolean;
  /** Accept a file with far fewer addresses than the search has now. */
  fewer: boolean;
  chunkBytes?: number;
}

export interface ImportListener {
  /** Reports the bytes and records read so far. */
  read(bytes: number, records: number): void;
  say(line: string): void;
  now(): Date;
}

export interface ImportResult {
  outcome: 'imported' | 'already';
  records: number;
  kept: number;
  /** The offset at which an interrupted import was resumed, else null. */
  resumedAt: number | null;
  addresses: number;
  readMs: number;
  buildMs: number;
}

/**
 * Loads an NPPES file with the owner's login: copies it into a staging table in chunks, builds the search tables and swaps them in. The
 * current tables stay in use until the swap and after any failure. After a kill, the next run resumes after the last committed chunk.
 */
export async function importNppes(
  ownerUrl: string,
  file: NppesFile,
  options: ImportOptions,
  listener: ImportListener,
): Promise<ImportResult> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'anteroom-import' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const imported = await whileImporting(client, ownerUrl, () => importLocked(client, file, options, listener));
    if (!imported) throw new UsageError('An import is running already.');
    return imported;
  } finally {
    await client.end();
  }
}

async function importLocked(
  client: pg.Client,
  file: NppesFile,
  options: ImportOptions,
  listener: ImportListener,
): Promise<ImportResult> {
  const mark = `${file.mark}${options.individuals ? ' with individuals' : ''}`;
  const reader = createRecordReader(file.header, options.individuals);
  const last = await lastImport(client);
  if (last?.file === mark && !options.again)
    return {
      outcome: 'already',
      records: 0,
      kept: 0,
      resumedAt: null,
      addresses: last.addresses,
      readMs: 0,
      buildMs: 0,
    };

  const started = performance.now();
  const begun = await progressOf(client, mark);
  if (!begun) await forgetProgress(client);
  const start = begun ?? { bytes: file.firstRecord, records: 0, kept: 0 };
  const done = await stage(client, file, mark, reader, start, options.chunkBytes ?? chunkBytes, listener).catch(
    async (error: unknown) => {
      if (error instanceof UsageError) await forgetProgress(client);
      throw error;
    },
  );
  const readMs = performance.now() - started;

  if (done.kept === 0) await failImport(client, 'No practice in this file: nothing was changed.');
  if (last && !options.fewer && done.kept < last.addresses * minPlausibleShare)
    await failImport(
      client,
      `The file holds ${done.kept} practices, the search ${last.addresses}: it looks cut off, so nothing was changed. --fewer takes it nevertheless.`,
    );
  listener.say(
    `${formatCount(done.kept)} practices in ${formatCount(done.records)} records. The search stays as it is meanwhile.`,
  );
  const finish = async (addresses: number) => {
    await addImport(client, { file: mark, name: file.name, addresses, at: listener.now() });
    await forgetProgress(client);
  };
  const addresses = await buildAndSwap(client, finish, listener.say);
  const buildMs = performance.now() - started - readMs;
  return {
    outcome: 'imported',
    records: done.records,
    kept: done.kept,
    resumedAt: begun?.bytes ?? null,
    addresses,
    readMs,
    buildMs,
  };
}

const formatCount = (n: number) => n.toLocaleString('en');

/** Reads from the last commit on; commits each chunk's rows together with the position in the file. */
async function stage(
  client: pg.Client,
  file: NppesFile,
  mark: string,
  reader: ReturnType<typeof createRecordReader>,
  start: ImportProgress,
  bytesAtOnce: number,
  listener: ImportListener,
): Promise<ImportProgress> {
  let kept = start.kept;
  let lines: string[] = [];
  let copy = await beginChunk(client);
  let committed = start.bytes;
  const flush = async () => {
    if (lines.length === 0) return;
    const text = lines.join('');
    lines = [];
    await copy.write(text);
  };
  const commit = async (position: FilePosition) => {
    await copy.end();
    await saveProgress(client, mark, { ...position, kept });
    await client.query('commit');
    committed = position.bytes;
  };
  const end = await readRecords(
    file,
    reader,
    start,
    (row) => {
      kept++;
      lines.push(copyLine(row));
    },
    async (at) => {
      listener.read(at.bytes, at.records);
      await flush();
      if (at.bytes - committed < bytesAtOnce) return;
      await commit(at);
      copy = await beginChunk(client);
    },
  ).catch(async (error: unknown) => {
    copy.cancel();
    await client.query('rollback').catch(() => undefined);
    throw error;
  });
  await flush();
  await commit(end);
  listener.read(end.bytes, end.records);
  return { ...end, kept };
}

async function beginChunk(client: pg.Client): Promise<Copy> {
  await client.query('begin');
  return beginCopy(client);
}

async function failImport(client: pg.Client, why: string): Promise<never> {
  await forgetProgress(client);
  throw new UsageError(why);
}
