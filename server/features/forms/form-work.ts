/** Work whose length a questionnaire decides, in worker threads. Never to be awaited inside a transaction: it would hold row locks. */
import type { Finding } from '#contract/forms/reading.ts';
import { JobEnded, openWorkerPool, type WorkerPool } from '#server/kit/worker-pool.ts';
import type { Judged } from './judging.ts';
import type { tasks } from './worker.ts';

const judgeMs = 2_000;
const heapMb = 256;

let opened: WorkerPool<typeof tasks> | undefined;

/** One pool for the process, opened with its first job. */
function workers(): WorkerPool<typeof tasks> {
  opened ??= openWorkerPool<typeof tasks>({ file: 'server/features/forms/worker.ts', threads: 2, heapMb });
  return opened;
}

/** Judges a questionnaire. One that takes too long or too much memory has a finding that says so and names the expression it was at. */
export async function judgeForm(text: string, owner: string): Promise<Judged> {
  try {
    return await workers().run('judge', text, { owner, deadlineMs: judgeMs, leavesOneFree: true });
  } catch (error) {
    if (!(error instanceof JobEnded)) throw error;
    const detail = error.note || `${judgeMs / 1000} s, ${heapMb} MB`;
    const finding: Finding = { code: 'takes_too_long', severity: 'error', place: '', detail };
    return { findings: [finding], definition: null };
  }
}
