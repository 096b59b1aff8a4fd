/** Ends this process after its parent has ended. */
import { workerData } from 'node:worker_threads';

const parentPid = workerData as number;

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}, 500);
