/** The drills at the size for script/test that kill, wait and restart, in two lanes at once. The last line is the total. */
import { countsFromLines, addCounts } from './counts.ts';
import { runLanes } from './lanes.ts';

const drills = (...choice: string[]) => ({ command: [process.execPath, 'bench/drills.ts', '--short', ...choice] });
/** About half of the time; the other lane has the rest. */
const firstLane = ['texts', 'backup'];
const results = await runLanes([drills(...firstLane), drills('--except', ...firstLane, 'hostile')]);
const { passed, failed, skipped } = addCounts(
  results.map(({ code, printed }) => {
    const counts = countsFromLines(printed) ?? { passed: 0, failed: 1, skipped: [] };
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  }),
);
for (const name of skipped) process.stdout.write(`skipped: ${name}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
