import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { sealAll } from './chain-entries.ts';

/** Seals every office's record once a minute; what came after the last sealing is what a thief of the whole database could still hide. */
export function startSealer(services: Services): Job {
  return runJob('seal', 60_000, services.log, () => sealAll(services));
}
