/** Runs the journeys in two halves at once, each with its own server, database and browser. */
import { globSync, statSync } from 'node:fs';
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
  const hands = Array.from({ length: e2eParts }, () => ({ files: [] as string[], bytes: 0 }));
  const sized = files.map((file) => ({ file, bytes: statSync(file).size })).sort((a, b) => b.bytes - a.bytes);
  for (const { file, bytes } of sized) {
    const least = hands.reduce((a, b) => (b.bytes < a.bytes ? b : a));
    least.files.push(file);
    least.bytes += bytes;
  }
  return hands.map((hand) => hand.files);
}
