import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#server/kit/project-root.ts';
import { median, perSecond, ratio, type Line } from '#bench/ground/report-lines.ts';
import { writeNppesFile } from '#bench/nppes/nppes-file.ts';
import type { ImportTiming } from '#bench/nppes/nppes-reader.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';

const rounds = 3;

/** Import of 200,000 made-up organizations (`--full`: 2,000,000, one round), compared with csv-parse alone reading the same file. */
export async function nppes(): Promise<Line[]> {
  const full = process.argv.includes('--full');
  const rows = full ? 2_000_000 : 200_000;
  const ground = await openBenchDatabase();
  const path = join(ground.env.dataDir, 'npidata_pfile.csv');
  try {
    await writeNppesFile(path, { rows, deactivated: 0.02 });
    const alone: number[] = [];
    const ours: number[] = [];
    const grew: number[] = [];
    const built: number[] = [];
    for (let round = 0; round < (full ? 1 : rounds); round++) {
      const bare = await reading('alone', path, ground.url);
      const took = await reading('import', path, ground.url);
      if (bare.rows !== rows || took.rows !== rows)
        throw new Error(`read ${bare.rows} and ${took.rows} of ${rows} rows`);
      alone.push(rows / (bare.readMs / 1000));
      ours.push(rows / (took.readMs / 1000));
      built.push(took.buildMs / 1000);
      grew.push(took.grewMb);
    }
    const beside = median(ours.map((rate, i) => rate / (alone[i] ?? Number.NaN)));
    const largest = Math.max(...grew);
    return [
      {
        what: `import of ${rows.toLocaleString('en')} organisations, 330 columns`,
        figure: `${perSecond(median(ours))} = ${ratio(beside)}`,
        beside: `csv-parse alone ${perSecond(median(alone))}`,
        aim: '≥ 0.80x',
        met: beside >= 0.8,
      },
      {
        what: 'memory it grew by',
        figure: `${Math.round(largest)} MB`,
        beside: '',
        aim: '≤ 150 MB',
        met: largest <= 150,
      },
      {
        what: 'sorting, counting words and indexing, before the swap',
        figure: `${median(built).toFixed(1)} s`,
        beside: '',
        aim: '',
        met: null,
      },
    ];
  } finally {
    await rm(path, { force: true });
    await ground.close();
  }
}

async function reading(mode: 'alone' | 'import', path: string, url: string): Promise<ImportTiming> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(projectRoot, 'bench/nppes/nppes-reader.ts'), mode, path],
    {
      env: { ...process.env, DATABASE_URL: url },
    },
  );
  return JSON.parse(stdout) as ImportTiming;
}
