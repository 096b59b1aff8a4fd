/**
 * A small process that starts the worker processes for the server. To start a process, Linux copies the page tables of the one that starts it,
 * which takes 10 ms in a large server, and its requests wait meanwhile.
 */
import { JobEnded } from './job-ended.ts';
import { lowerPriority } from './lower-priority.ts';
import type { HostReply, HostRequest, Outcome } from './worker-host-messages.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

const workers = new Map<number, WorkerProcess>();

function handle(request: HostRequest): void {
  const { worker: number } = request;
  if (request.kind === 'start') return start(number, startWorkerProcess(request));
  const worker = workers.get(number);
  if (request.kind === 'end') return void worker?.end();
  void runJob(worker, request).then((outcome) => reply(number, outcome));
}

function start(number: number, worker: WorkerProcess): void {
  workers.set(number, worker);
  void worker.ended.then(() => {
    workers.delete(number);
    reply(number, null);
  });
}

async function runJob(
  worker: WorkerProcess | undefined,
  { task, input, deadlineMs }: HostRequest & { kind: 'run' },
): Promise<Outcome> {
  try {
    if (!worker) throw new Error('the worker process has ended');
    return { kind: 'done', result: await worker.run(task, input, deadlineMs) };
  } catch (error) {
    if (error instanceof JobEnded) return { kind: 'stopped', reason: error.reason, note: error.note };
    const { name, message, stack = '' } = error as Error;
    return { kind: 'failed', name, message, stack };
  }
}

function reply(worker: number, outcome: Outcome | null): void {
  const message: HostReply = { worker, outcome, isAlive: workers.get(worker)?.isAlive() ?? false };
  process.send?.(message);
}

// The workers inherit it.
lowerPriority();
process.on('message', handle);
// Its workers notice that it has ended, and end too.
process.on('disconnect', () => process.exit());
