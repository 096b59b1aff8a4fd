import type { FastifyInstance } from 'fastify';
import client, { type Registry } from 'prom-client';
import type { Services } from '#server/context.ts';
import { hintBacklog } from '#server/kit/db/db.ts';
import { jobStates } from '#server/kit/live/jobs.ts';
import { usedToday } from '#server/kit/http/daily-budgets.ts';
import { sharedBudgets } from '#server/shared-budgets.ts';
import { onCallCounts, type OnCallCounts } from './sql.ts';

/** The counts are read at most this often, however many ask. */
const freshMs = 15_000;

/**
 * What `/metrics` shows beside requests: texts, the audit log, the connection pool, hints and jobs. The alerts of docs/on-call/ are made of
 * these names (metrics.test.ts).
 */
export function onCallMetrics({ metrics, services }: FastifyInstance): void {
  const readCounts = countsReader(services);
  for (const [name, { help, field }] of Object.entries(countGauges)) {
    new client.Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        const counts = await readCounts();
        if (counts) this.set(counts[field]);
        else this.reset();
      },
    });
  }
  budgetMetrics(metrics, services);
  poolMetrics(metrics, services);
  hintMetrics(metrics, services);
  jobMetrics(metrics);
}

const countGauges: Record<string, { help: string; field: keyof OnCallCounts }> = {
  anteroom_texts_due: { help: 'Texts of all offices that should have left by now', field: 'textsDue' },
  anteroom_texts_due_oldest_seconds: { help: 'How long the oldest of them has been due', field: 'oldestDueSeconds' },
  anteroom_texts_unknown: {
    help: 'Texts of the last day that were given to the carrier and whose fate is unknown',
    field: 'textsUnknown',
  },
  anteroom_audit_unsealed_entries: {
    help: 'Entries of the audit log that are not in their office’s chain yet',
    field: 'entriesUnchained',
  },
  anteroom_audit_unsealed_oldest_seconds: { help: 'Age of the oldest of them', field: 'oldestUnchainedSeconds' },
};

/** Reads the counts once for all gauges of an answer; null while the database cannot say. */
function countsReader({ pool, now }: Services): () => Promise<OnCallCounts | null> {
  let readAtMs = -Infinity;
  let counts: Promise<OnCallCounts | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - readAtMs > freshMs) {
      readAtMs = performance.now();
      counts = onCallCounts(pool, now()).catch(() => {
        readAtMs = -Infinity;
        return null;
      });
    }
    return counts;
  };
}

function budgetMetrics(metrics: Registry, services: Services): void {
  const budgets = sharedBudgets(services.env);
  new client.Gauge({
    name: 'anteroom_daily_budget_used_ratio',
    help: 'How much is used of what strangers share for a day: texts of practices that are not confirmed, and codes',
    labelNames: ['budget'],
    registers: [metrics],
    async collect() {
      const used = await usedToday(services.pool, services.now(), budgets).catch(() => null);
      // While the database cannot say, there is no figure: 0 would end an alert.
      if (used === null) return this.reset();
      for (const [i, { name, points }] of budgets.entries())
        this.set({ budget: name }, points === 0 ? 1 : (used[i] ?? 0) / points);
    },
  });
}

function poolMetrics(metrics: Registry, { pool }: Services): void {
  new client.Gauge({
    name: 'anteroom_database_connections',
    help: 'Connections of this process to the database; waiting: requests for one that wait',
    labelNames: ['state'],
    registers: [metrics],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  new client.Gauge({
    name: 'anteroom_database_connections_most',
    help: 'Connections that this process may open at most',
    registers: [metrics],
    collect() {
      this.set(pool.options.max);
    },
  });
}

function hintMetrics(metrics: Registry, { live, pool }: Services): void {
  const hintsReceived = new client.Counter({
    name: 'anteroom_hints_heard_total',
    help: 'Hints of changes that this process received from the database',
    registers: [metrics],
  });
  live.onHint(() => hintsReceived.inc());
  new client.Gauge({
    name: 'anteroom_hints_listening',
    help: '1 while this process receives the database’s hints',
    registers: [metrics],
    collect() {
      this.set(live.listening ? 1 : 0);
    },
  });
  new client.Gauge({
    name: 'anteroom_hints_waiting',
    help: 'Hints of committed changes that this process has not sent yet',
    registers: [metrics],
    collect() {
      this.set(hintBacklog(pool));
    },
  });
}

function jobMetrics(metrics: Registry): void {
  const gauge = (name: string, help: string, read: (job: ReturnType<typeof jobStates>[number]) => number | null) =>
    new client.Gauge({
      name,
      help,
      labelNames: ['job'],
      registers: [metrics],
      collect() {
        for (const job of jobStates()) {
          const value = read(job);
          if (value !== null) this.set({ job: job.name }, value);
        }
      },
    });
  gauge(
    'anteroom_job_failures',
    'Runs of a job that failed in a row, up to now',
    ({ failuresInARow }) => failuresInARow,
  );
  gauge('anteroom_job_period_seconds', 'How often a job runs at least', ({ everyMs }) => everyMs / 1000);
  gauge('anteroom_job_last_success_timestamp_seconds', 'When a job last ended well', ({ succeededAtMs }) =>
    succeededAtMs === null ? null : succeededAtMs / 1000,
  );
}
