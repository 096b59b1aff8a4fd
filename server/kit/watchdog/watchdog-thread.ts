/** Watches the main thread's heartbeats from a separate thread. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

export interface WatchdogInput {
  heartbeats: Int32Array;
  everyMs: number;
  blockedMs: number;
}

const { heartbeats, everyMs, blockedMs } = workerData as WatchdogInput;

let last = Atomics.load(heartbeats, 0);
let looksWithoutHeartbeat = 0;

// Counts its own ticks instead of reading a clock: while the process is stopped or the machine sleeps, this thread does not tick either.
setInterval(() => {
  const now = Atomics.load(heartbeats, 0);
  looksWithoutHeartbeat = now === last ? looksWithoutHeartbeat + 1 : 0;
  last = now;
  if (looksWithoutHeartbeat * everyMs < blockedMs) return;
  const msg = `the main thread was blocked for ${blockedMs / 1000} s: the process ends`;
  writeSync(2, `${JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, alert: 'blocked', msg })}\n`);
  process.kill(process.pid, 'SIGKILL');
}, everyMs);
