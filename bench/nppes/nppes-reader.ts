/** Reads a file in a separate process: `alone` with csv-parse only, `import` into DATABASE_URL. Prints the result as JSON. */
import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { parse } from 'csv-parse';
import { importNppes } from '#server/features/addresses/import.ts';
import { openNppes } from '#server/features/addresses/nppes-file.ts';

export interface ImportTiming {
  rows: number;
  readMs: number;
  buildMs: number;
  /** How many megabytes the process grew at its peak. */
  grewMb: number;
}

const [mode, path = ''] = process.argv.slice(2);
const before = process.memoryUsage().rss;
const { rows, readMs, buildMs } = mode === 'alone' ? await alone() : await importFile();
const took: ImportTiming = { rows, readMs, buildMs, grewMb: process.resourceUsage().maxRSS / 1024 - before / 1e6 };
process.stdout.write(JSON.stringify(took));

async function alone() {
  const started = performance.now();
  const parser = createReadStream(path, { highWaterMark: 1 << 20 }).pipe(parse());
  let records = -1;
  parser.on('data', () => void records++);
  await once(parser, 'end');
  return { rows: records, readMs: performance.now() - started, buildMs: 0 };
}

async function importFile() {
  const file = await openNppes(path);
  const wishes = { individuals: false, again: true, fewer: true };
  const watch = { read: () => undefined, say: () => undefined, now: () => new Date() };
  const done = await importNppes(process.env.DATABASE_URL ?? '', file, wishes, watch);
  await file.close();
  return { rows: done.records, readMs: done.readMs, buildMs: done.buildMs };
}
