import { parseArgs } from 'node:util';
import { drillBackup } from './drills/backup.ts';
import { drillChat } from './drills/chat.ts';
import { drillCitus } from './drills/citus.ts';
import { drillClock } from './drills/clock.ts';
import { drillDatabase } from './drills/database.ts';
import { drillFailover } from './drills/failover.ts';
import { drillHostile } from './drills/hostile-forms.ts';
import { drillLostHints } from './drills/lost-hints.ts';
import { drillMoney } from './drills/money.ts';
import { drillPool } from './drills/pool.ts';
import { drillProcesses } from './drills/processes.ts';
import { drillRolling } from './drills/rolling-restart.ts';
import { drillUpgrade } from './drills/rolling-upgrade.ts';
import { drillS3 } from './drills/s3.ts';
import { drillSoak } from './drills/soak.ts';
import { drillSurveys } from './drills/surveys.ts';
import { drillTexts } from './drills/texts.ts';
import { printReport, type Line } from './ground/report-lines.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    texts: { type: 'string' },
    kills: { type: 'string' },
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    /** A Citus coordinator's owner URL: for the drill `citus`. */
    url: { type: 'string' },
    /** The older version of the drill `upgrade`: anything that git knows. */
    from: { type: 'string' },
    /** The sizes for script/test. */
    short: { type: 'boolean' },
    /** Runs all drills but the named ones. */
    except: { type: 'boolean' },
    /** Breaks the system on purpose and requires that the drill notices. */
    'prove-it-can-fail': { type: 'boolean' },
  },
});
const isShort = values.short === true;
const breaks = values['prove-it-can-fail'] === true;
const sizeOf = (given: string | undefined, short: number, full: number) => Number(given ?? (isShort ? short : full));

/** Every drill by its name: `script/drill` runs all, `script/drill NAME …` some. */
const drills: Record<string, () => Promise<Line[]>> = {
  texts: () =>
    drillTexts({ texts: sizeOf(values.texts, 2_000, 8_000), kills: sizeOf(values.kills, 60, 750), blind: breaks }),
  money: () => drillMoney({ kills: sizeOf(values.kills, 60, 400), pauseMs: isShort ? 100 : 600, blind: breaks }),
  database: () => drillDatabase({ times: isShort ? 2 : 6 }),
  processes: () => drillProcesses(),
  clock: () => drillClock(),
  backup: () => drillBackup({ kills: isShort ? 1 : 12, files: isShort ? 40 : 400, blind: breaks }),
  rolling: () => drillRolling({ rounds: isShort ? 1 : 5, rough: breaks }),
  // Not in the short run: half an hour.
  ...(!isShort && { soak: () => drillSoak({ minutes: sizeOf(values.minutes, 30, 30) }) }),
  // Not in the short run: it needs Patroni and etcd.
  ...(!isShort && { failover: () => drillFailover({ rounds: sizeOf(values.rounds, 10, 10), keyless: breaks }) }),
  // Not in the short run: it needs the repository's history, and starts 40 processes.
  ...(!isShort && {
    upgrade: () => drillUpgrade({ rounds: sizeOf(values.rounds, 10, 10), from: values.from, rough: breaks }),
  }),
  // In the short run a p95 is made of seven reads, and a child process that starts beside one of them takes a core for a moment. The floor
  // is below what a person notices (100 ms) and far below what these attacks did before they were paced (269 ms and 5 s).
  hostile: () =>
    drillHostile(
      isShort
        ? { seconds: 2, slowPhones: 50, floorMs: 75, judgeWithinMs: 90_000, endAfterMs: 240_000 }
        : { seconds: 15, slowPhones: 300, floorMs: 0, judgeWithinMs: 120_000, endAfterMs: 600_000 },
    ),
  // Not in the short run: it needs pgbouncer. Statements without names and the echo have tests of their own.
  ...(!isShort && { pool: () => drillPool({ crowd: 1_000, seconds: 30, named: breaks }) }),
  // Not in the short run: it is minutes of waiting for polls. polled-reads.test.ts has each read.
  ...(!isShort && {
    'lost-hints': () => drillLostHints({ hints: 1_000, rounds: sizeOf(values.rounds, 6, 6), hears: breaks }),
  }),
  chat: () =>
    drillChat({
      ...(isShort ? { offices: 3, messages: 3, cuts: 100 } : { offices: 20, messages: 7, cuts: 1_000 }),
      blind: breaks,
    }),
  // Not in the short run: it is minutes of moved clocks, and survey-job.test.ts has each rule.
  ...(!isShort && { surveys: () => drillSurveys({ patients: 200, days: 30, kills: 20, forgets: breaks }) }),
  // Not in the short run: it needs a Citus cluster.
  ...(!isShort && { citus: () => drillCitus(values.url) }),
  // Not in the short run: there the unit tests use our own server as the bucket.
  ...(!isShort && { s3: () => drillS3({ files: 300, kills: 10, blind: breaks }) }),
};

const unknown = positionals.filter((name) => !(name in drills));
if (unknown.length > 0) {
  process.stderr.write(`No drill ${unknown.join(', ')}. There are: ${Object.keys(drills).join(', ')}\n`);
  process.exit(2);
}
const lines: Line[] = [];
for (const [name, run] of Object.entries(drills)) {
  if (positionals.length > 0 && positionals.includes(name) === (values.except === true)) continue;
  process.stdout.write(`${name}\n`);
  const began = performance.now();
  const figures = await run();
  printReport([
    ...figures,
    { what: 'took', figure: `${Math.round((performance.now() - began) / 1_000)} s`, beside: '', aim: '', met: null },
  ]);
  lines.push(...figures);
}
const failed = lines.filter(({ met }) => met === false).length;
process.stdout.write(`${lines.filter(({ met }) => met === true).length} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
