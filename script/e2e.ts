/** Runs the journeys in two halves at once, each with a server, a database and a browser of its own. */
import { spawn } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { e2eReport, halves } from './e2e-reports.ts';

const codes = await Promise.all(deal(globSync('e2e/journeys/*.spec.ts')).map((files, i) => run(i + 1, files)));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

/** The longest file first, each to the half that has least to do. */
function deal(files: string[]): string[][] {
  const hands = Array.from({ length: halves }, () => ({ files: [] as string[], bytes: 0 }));
  const sized = files.map((file) => ({ file, bytes: statSync(file).size })).sort((a, b) => b.bytes - a.bytes);
  for (const { file, bytes } of sized) {
    const least = hands.reduce((a, b) => (b.bytes < a.bytes ? b : a));
    least.files.push(file);
    least.bytes += bytes;
  }
  return hands.map((hand) => hand.files);
}

function run(half: number, files: string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('node_modules/.bin/playwright', ['test', '--reporter=list,json', ...files], {
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport(half), E2E_OUTPUT: `test-results/e2e-${half}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface(child.stdout).on('line', (line) => process.stdout.write(`${half}| ${line}\n`));
    child.once('error', reject).once('close', resolve);
  });
}
