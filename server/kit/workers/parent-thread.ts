/** Ends this process when the process that started it is gone. */
import { workerData } from 'node:worker_threads';

const parentPid = workerData as number;

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}, 500);
