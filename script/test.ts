/**
 * Runs every test in stages, each live, and adds them up; the very last line is the total.
 * With --changed: types, lint and only the tests that the changes since the last landing reach (under 3 minutes).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, findHeadlessShell } from './chromium.ts';
import { type TestCounts, countsFromLines, countsFromPlaywright, countsFromVitest } from './counts.ts';
import { runCommand } from './lanes.ts';
import { openScratchFolder } from './scratch-folder.ts';

interface Stage {
  name: string;
  /** Seconds on two cores; together with the installation at most 20 minutes. */
  budget: number;
  command: string[];
  env?: () => Promise<NodeJS.ProcessEnv>;
  /** Reads the counts from the stage's output; without it the exit code counts as one test. */
  counts?: (printed: string) => TestCounts | undefined;
}

const reports = 'test-results/reports';
const vitest = (report: string) => [
  'node_modules/.bin/vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reports}/${report}`,
];
const playwright = (...journeys: string[]) => [
  'node_modules/.bin/playwright',
  'test',
  '--reporter=list,json',
  ...journeys,
];
const report = (file: string) => readFileSync(`${reports}/${file}`, 'utf8');

/**
 * What runs on PostgreSQL 15 too: every call of the contract on rows of two offices (tenancy), what concerns the database itself, and the
 * features whose rules are functions and locks in the database. The other features' statements are plain, and tenancy executes them.
 */
const onOlderPostgres = [
  'server/features/backup/backup.test',
  'server/postgres/base-backup',
  'server/kit/db/',
  'server/kit/provider-operations/',
  'server/kit/http/idempotency',
  'server/office-statements',
  'server/office-tables',
  'server/one-connection',
  'server/rate-limits',
  'server/row-level-security',
  'server/tenancy',
  ...['audit', 'conversations', 'copay', 'membership', 'merchant', 'queue', 'texting'].map(
    (feature) => `server/features/${feature}/`,
  ),
];

/**
 * Long ones among them that ask nothing of the database which a short one does not: a carrier's calls, pictures, the order of buttons and
 * events, limits and wording of texts.
 */
const notOnOlderPostgres = [
  'twilio',
  'incoming-pictures',
  'every-button-order',
  'card-events',
  'any-order',
  'to-do-list',
  'contradicted-refunds',
  'provider-decides-later',
  'closed-answer',
  'link-limits',
  'limited-practice-texts',
].flatMap((name) => ['--exclude', `**/${name}.test.ts`]);

const check: Stage = { name: 'check', budget: 30, command: ['script/check'] };

const olderPostgres: Stage = {
  name: 'PostgreSQL 15',
  budget: 120,
  // The drills beside it come first: they kill, wait and restart, and leave half of the cores free.
  command: ['nice', ...vitest('vitest-15.json'), ...notOnOlderPostgres, ...onOlderPostgres],
  env: async () => ({ TEST_POSTGRES: '15', TEST_DATABASE_URL: undefined }),
  counts: () => countsFromVitest(report('vitest-15.json')),
};

/** Steps one after another; the lanes of a step run at the same time, the stages of a lane one after another. */
type Step = Stage[][];

const everything: Step[] = [
  [
    [
      { name: 'build', budget: 60, command: [process.execPath, 'script/build.ts'] },
      {
        name: 'units and API',
        budget: 240,
        command: vitest('vitest.json'),
        counts: () => countsFromVitest(report('vitest.json')),
      },
    ],
    // Beside them: the build takes one core, and many tests wait for a clock or a process.
    [{ ...check, command: ['nice', ...check.command] }],
  ],
  [
    [{ name: 'drills', budget: 120, command: [process.execPath, 'script/short-drills.ts'], counts: countsFromLines }],
    [olderPostgres],
  ],
  [
    [
      {
        name: 'hostile drill',
        budget: 60,
        // Alone: it compares response times.
        command: [process.execPath, 'bench/drills.ts', '--short', 'hostile'],
        counts: countsFromLines,
      },
    ],
  ],
  [
    [
      {
        name: 'e2e',
        budget: 480,
        command: playwright(),
        env: async () => ({ ...(await browsers()), E2E_WORKERS: '2' }),
        counts: () => countsFromPlaywright(report('e2e.json')),
      },
    ],
  ],
];

/** Where the journeys' report goes, the whole browser, and the part of it that starts and paints faster for journeys that need no more. */
async function browsers(): Promise<NodeJS.ProcessEnv> {
  const whole = await findChromium();
  return {
    PLAYWRIGHT_JSON_OUTPUT_FILE: `${reports}/e2e.json`,
    CHROMIUM_PATH: whole,
    HEADLESS_SHELL_PATH: (await findHeadlessShell()) ?? whole,
  };
}

/** The journeys that changed; a change of the product may affect any of them, so the rest is left to the whole run. */
const changedJourneys = (since: string) =>
  execFileSync('git', ['diff', '--name-only', '--diff-filter=d', since, '--', 'e2e/journeys/*.spec.ts'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean);

function changedOnly(): Step[] {
  const since = lastLanding();
  const journeys = changedJourneys(since);
  const units: Stage = {
    name: 'units and API',
    budget: 120,
    command: [...vitest('vitest.json'), `--changed=${since}`, '--passWithNoTests'],
    counts: () => countsFromVitest(report('vitest.json')),
  };
  const e2e: Stage = {
    name: 'e2e',
    budget: 60,
    command: playwright(...journeys),
    env: browsers,
    counts: () => countsFromPlaywright(report('e2e.json')),
  };
  return [[[check]], [[units]], ...(journeys.length > 0 ? [[[e2e]]] : [])];
}

/** Where this branch left main; without a remote, the last commit. */
function lastLanding(): string {
  try {
    return execFileSync('git', ['merge-base', 'HEAD', 'origin/main'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'HEAD';
  }
}

const steps = process.argv.includes('--changed') ? changedOnly() : everything;
const began = Number(process.env.SCRIPT_BEGAN) || Date.now() / 1000;
const rows: (TestCounts & { name: string; seconds: number; budget: number })[] = [
  { name: 'install', seconds: Date.now() / 1000 - began, budget: 60, passed: 0, failed: 0, skipped: [] },
];
const scratch = openScratchFolder();
if (scratch !== undefined) process.env.TMPDIR = scratch;
// Many tests start servers: a start takes 1.4 s of a core with what an earlier one compiled, and 2.7 s without.
process.env.NODE_COMPILE_CACHE ??= join(scratch ?? tmpdir(), 'compiled');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

for (const lanes of steps) {
  const names = lanes.flat().map(({ name }) => name);
  process.stdout.write(`\n== ${names.join(', ')}\n`);
  const rowsOfLanes = await Promise.all(lanes.map((lane) => timeLane(lane, names.length > 1)));
  rows.push(...rowsOfLanes.flat());
}
summarise();

async function timeLane(lane: Stage[], isNamed: boolean) {
  const timed: (typeof rows)[number][] = [];
  for (const stage of lane) timed.push(await timeStage(stage, isNamed ? `${stage.name}| ` : ''));
  return timed;
}

async function timeStage(stage: Stage, prefix: string) {
  const from = Date.now();
  const counts = await outcome(stage, prefix);
  return { name: stage.name, budget: stage.budget, ...counts, seconds: (Date.now() - from) / 1000 };
}

async function outcome(stage: Stage, prefix: string): Promise<TestCounts> {
  try {
    const { code, printed } = await runCommand({ command: stage.command, env: await stage.env?.() }, prefix);
    const counts = stage.counts ? stage.counts(printed) : { passed: code === 0 ? 1 : 0, failed: 0, skipped: [] };
    if (!counts) return { passed: 0, failed: 1, skipped: [] };
    // If a stage exits with an error although all its counts passed, something else failed.
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return { passed: 0, failed: 1, skipped: [] };
  }
}

function summarise(): void {
  const sum = (of: 'passed' | 'failed') => rows.reduce((total, row) => total + row[of], 0);
  const skipped = rows.flatMap((row) => row.skipped.map((name) => `${row.name}: ${name}`));
  const failed = sum('failed') + (process.env.REQUIRE_NO_SKIPS === '1' ? skipped.length : 0);
  const left = process.env.REQUIRE_NO_SKIPS === '1' ? 0 : skipped.length;
  process.stdout.write('\n');
  for (const name of skipped) process.stdout.write(`skipped: ${name}\n`);
  for (const row of rows) {
    for (const name of row.failures ?? []) process.stdout.write(`failed: ${row.name}: ${name}\n`);
  }
  for (const row of rows) {
    const time = `${row.seconds.toFixed(0)} s of ${row.budget}`.padStart(12);
    process.stdout.write(
      `${row.name.padEnd(14)}${time}  ${row.passed} passed, ${row.failed} failed, ${row.skipped.length} skipped\n`,
    );
  }
  process.stdout.write(`${'all'.padEnd(14)}${`${(Date.now() / 1000 - began).toFixed(0)} s of 1200`.padStart(12)}\n`);
  process.stdout.write(`${sum('passed')} passed, ${failed} failed${left > 0 ? `, ${left} skipped` : ''}\n`);
  process.exitCode = failed > 0 || sum('passed') === 0 ? 1 : 0;
}
