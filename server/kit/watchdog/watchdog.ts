import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { WatchdogInput } from './watchdog-thread.ts';
import { workerFile } from '#server/kit/workers/worker-file.ts';

/**
 * Ends the process with SIGKILL if its main thread is blocked for `blockedMs`; SIGTERM would not be handled. A supervisor then restarts it.
 * Not used under a debugger, which blocks on purpose.
 */
export function startWatchdog(blockedMs = 10_000): void {
  if (inspector.url() !== undefined) return;
  const everyMs = blockedMs / 20;
  const heartbeats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(heartbeats, 0, 1), everyMs).unref();
  const workerData: WatchdogInput = { heartbeats, everyMs, blockedMs };
  const thread = new Worker(workerFile('server/kit/watchdog/watchdog-thread.ts'), {
    workerData,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
}
