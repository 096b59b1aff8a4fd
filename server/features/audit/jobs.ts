import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { chainAllOffices } from './chain-entries.ts';

/** Chains every office's audit log once a minute. Somebody with the whole database can hide only entries newer than the last run. */
export function startAuditChaining(services: Services): Job {
  return runJob('audit-chain', 60_000, services.log, () => chainAllOffices(services));
}
