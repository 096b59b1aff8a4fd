/** A process that runs a loop in a worker process and prints that process's id, to be killed by a test. */
import { openWorkerPool } from '#server/kit/worker-pool.ts';
import type { tasks } from './worker-tasks-for-tests.ts';

const pool = openWorkerPool<typeof tasks>({ file: 'testing/worker-tasks-for-tests.ts', processes: 1, heapMb: 64 });
const pid = await pool.run('pid', () => undefined as never, { owner: 'a', deadlineMs: 10_000 });
const loop = pool.run('spin', () => '', { owner: 'a', deadlineMs: 60_000 });
process.stdout.write(`${pid}\n`);
await loop;
