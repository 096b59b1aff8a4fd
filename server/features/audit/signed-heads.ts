import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Head } from './chain.ts';

/** An office's heads in the file store. */
export interface SignedHeads {
  heads: Head[];
  /** Lines that cannot be parsed: a write torn by a power cut, or tampering. */
  damaged: number;
}

const folder = (dataDir: string) => join(dataDir, 'audit', 'heads');

/** Appends a head to the office's file of the month in one write and waits until it is on disk. */
export async function appendHead(dataDir: string, head: Head): Promise<void> {
  const dir = join(folder(dataDir), head.office);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = await open(join(dir, `${head.sealedAt.slice(0, 7)}.jsonl`), 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const torn = size > 0 && (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString() !== '\n';
    await file.write(`${torn ? '\n' : ''}${JSON.stringify(head)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Every head of an office, the oldest first. */
export async function readHeads(dataDir: string, officeId: string): Promise<SignedHeads> {
  const dir = join(folder(dataDir), officeId);
  const result: SignedHeads = { heads: [], damaged: 0 };
  for (const name of await filesIn(dir)) {
    const lines = (await readFile(join(dir, name), 'utf8')).split('\n').filter((line) => line !== '');
    for (const line of lines) {
      const head = parse(line, officeId);
      if (head) result.heads.push(head);
      else result.damaged++;
    }
  }
  return result;
}

/** The chain position of an office's newest head; 0 if there is none. */
export async function lastHeadPosition(dataDir: string, officeId: string): Promise<number> {
  const dir = join(folder(dataDir), officeId);
  const newest = (await filesIn(dir)).at(-1);
  if (newest === undefined) return 0;
  const file = await open(join(dir, newest), 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - 4096);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.subarray(0, bytesRead).toString().split('\n');
    return Math.max(0, ...lines.map((line) => parse(line, officeId)?.place ?? 0));
  } finally {
    await file.close();
  }
}

/** The offices that have signed heads. */
export async function officesWithHeads(dataDir: string): Promise<string[]> {
  return filesIn(folder(dataDir));
}

/** Deletes an office's heads; only for a demo office that is reset. */
export async function forgetHeads(dataDir: string, officeId: string): Promise<void> {
  await rm(join(folder(dataDir), officeId), { recursive: true, force: true });
}

async function filesIn(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  }
}

function parse(line: string, officeId: string): Head | null {
  try {
    const { office, place, seal, sealedAt, signature } = JSON.parse(line) as Record<string, unknown>;
    const isHead =
      office === officeId &&
      typeof place === 'number' &&
      typeof seal === 'string' &&
      typeof sealedAt === 'string' &&
      typeof signature === 'string';
    return isHead ? { office, place, seal, sealedAt, signature } : null;
  } catch {
    return null;
  }
}
