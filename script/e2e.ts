/** Runs the journeys in two halves at once, each with its own server, database and browser. */
import { globSync, readFileSync } from 'node:fs';
import { e2eReport, e2eParts } from './e2e-reports.ts';
import { runLanes } from './lanes.ts';

const results = await runLanes(
  deal(globSync('e2e/journeys/*.spec.ts')).map((files, i) => ({
    command: ['node_modules/.bin/playwright', 'test', '--reporter=list,json', ...files],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport(i + 1), E2E_OUTPUT: `test-results/e2e-${i + 1}` },
  })),
);
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;

/** Assigns the longest file first, each to the half with the least work. */
function deal(files: string[]): string[][] {
  const hands = Array.from({ length: e2eParts }, () => ({ files: [] as string[], seconds: 0 }));
  const timed = files.map((file) => ({ file, seconds: estimatedSeconds(file) })).sort((a, b) => b.seconds - a.seconds);
  for (const { file, seconds } of timed) {
    const least = hands.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    least.files.push(file);
    least.seconds += seconds;
  }
  return hands.map((hand) => hand.files);
}

/** Fitted to a run of 33 files: opening the browser's page for each journey, and what the journeys do. */
function estimatedSeconds(file: string): number {
  const text = readFileSync(file, 'utf8');
  return (text.match(/\btest\(/g)?.length ?? 0) + text.length * 0.004;
}
