import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address } from '#contract/addresses.ts';
import { madeUpPractice } from '#db/seed/practices.ts';
import { addStaff } from '#server/features/office/index.ts';
import { importNppes } from '#server/features/addresses/import.ts';
import { openNppes } from '#server/features/addresses/nppes-file.ts';
import { median, ms, percentile, type Line } from '#bench/ground/report-lines.ts';
import { writeNppesFile } from '#bench/nppes/nppes-file.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { kinds, typingScripts, type Typing } from '#bench/ground/typings.ts';

const people = 1_000;

/**
 * 1,000 typed searches, one request per keystroke from the third letter, over 200,000 addresses (`--full`: 2,000,000), compared with a
 * look-up by NPI on the same route.
 */
export async function addressSearch(): Promise<Line[]> {
  const rows = process.argv.includes('--full') ? 2_000_000 : 200_000;
  const ground = await openBenchDatabase();
  try {
    await fill(ground, rows);
    const personId = await addStaff(ground.owner, ground.services, { name: 'Bench', email: 'bench@maple.test' }, []);
    const authorization = `Bearer ${await ground.session(personId)}`;
    const { url } = await ground.server();
    const ask = async (typed: string): Promise<{ found: Address[]; took: number }> => {
      const started = performance.now();
      const answer = await fetch(`${url}/api/addresses?searchString=${encodeURIComponent(typed)}`, {
        headers: { authorization },
      });
      const found = (await answer.json()) as Address[];
      if (!answer.ok) throw new Error(`"${typed}" answered ${answer.status}`);
      return { found, took: performance.now() - started };
    };

    const exact: number[] = [];
    const keystrokes: number[] = [];
    const missed: Typing[] = [];
    const typed = typingScripts(people, rows);
    for (const typing of typed.slice(0, 20)) await ask(typing.text);
    for (const typing of typed) {
      exact.push((await ask(typing.npi)).took);
      for (let letters = 3; letters < typing.text.length; letters++)
        keystrokes.push((await ask(typing.text.slice(0, letters))).took);
      const { found, took } = await ask(typing.text);
      keystrokes.push(took);
      if (!found.some(({ _id }) => _id === typing.npi)) missed.push(typing);
    }
    if (process.argv.includes('--missed'))
      for (const { kind, text, npi } of missed) process.stdout.write(`  missed ${kind}: ${text} (${npi})\n`);
    const p95 = percentile(keystrokes, 95);
    const recall = (kind: Typing['kind']) => {
      const of = typed.filter((typing) => typing.kind === kind).length;
      return 1 - missed.filter((typing) => typing.kind === kind).length / of;
    };
    return [
      {
        what: `address search over ${rows.toLocaleString('en')}, p95 of ${keystrokes.length.toLocaleString('en')} keystrokes`,
        figure: `${ms(p95)}, median ${ms(median(keystrokes))}, p99 ${ms(percentile(keystrokes, 99))}`,
        beside: `by NPI p95 ${ms(percentile(exact, 95))}, median ${ms(median(exact))}`,
        aim: '≤ 40 ms',
        met: p95 <= 40,
      },
      ...kinds.map((kind) => ({
        what: `meant practice among the ten, ${kind} typings`,
        figure: `${(recall(kind) * 100).toFixed(1)} %`,
        beside: '',
        aim: '≥ 95 %',
        met: recall(kind) >= 0.95,
      })),
    ];
  } finally {
    await ground.close();
  }
}

async function fill(ground: BenchDatabase, rows: number): Promise<void> {
  const path = join(ground.env.dataDir, 'npidata_pfile.csv');
  await writeNppesFile(path, { rows });
  const file = await openNppes(path);
  const watch = { read: () => undefined, say: () => undefined, now: () => new Date() };
  const { addresses } = await importNppes(ground.url, file, { individuals: false, again: false, fewer: false }, watch);
  if (addresses !== rows)
    throw new Error(`${addresses} addresses of ${rows} practices such as ${madeUpPractice(0).name}`);
  await rm(path);
}
