import { fork, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { traceOf, type HostEnd } from './host-end.ts';
import { JobEnded } from './job-ended.ts';
import { tailOf } from './output-tail.ts';
import { workerEnvironment, workerFile } from './worker-file.ts';
import type { HostReply, HostRequest, Outcome, WorkerStart } from './worker-host-messages.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface WorkerHost {
  startWorker(worker: WorkerStart): WorkerProcess;
  isAlive(): boolean;
  /** Ends the host; its workers end with it. */
  end(): Promise<void>;
}

interface WorkerState {
  isAlive: boolean;
  /** Handles the running job's outcome. */
  onOutcome?: ((outcome: Outcome) => void) | undefined;
  ended: PromiseWithResolvers<void>;
}

const failure = (message: string): Outcome => ({ kind: 'failed', name: 'Error', message, stack: '' });
const hostEnded = failure('the worker host has ended');
const workerEnded = failure('the worker process has ended');

function forkHost(): { host: ChildProcess; output: () => string } {
  const host = fork(workerFile('server/kit/workers/worker-host.ts'), [], {
    execArgv: [],
    env: workerEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A session of its own, whose priority `lower-priority.ts` lowers.
    detached: true,
  });
  host.unref();
  host.channel?.unref();
  if (host.stderr instanceof Socket) host.stderr.unref();
  return { host, output: tailOf(host.stderr) };
}

/**
 * Starts the process that starts workers (`worker-host.ts`). Only running jobs keep this process alive. `onEnd` is called if it ends without
 * having been asked to.
 */
export function startWorkerHost(onEnd: (end: HostEnd) => void): WorkerHost {
  const { host, output } = forkHost();
  const workers = new Map<number, WorkerState>();
  const ended = Promise.withResolvers<void>();
  let started = 0;
  let running = 0;
  let isAlive = true;
  let isAsked = false;

  host.on('message', ({ worker, outcome, isAlive: isWorkerAlive }: HostReply) =>
    update(worker, outcome, isWorkerAlive),
  );
  for (const event of ['error', 'exit'] as const)
    host.on(event, () => {
      isAlive = false;
      host.kill('SIGKILL');
      for (const worker of workers.keys()) update(worker, hostEnded, false);
      ended.resolve();
    });

  host.once('close', (exitCode, signal) => {
    if (!isAsked) onEnd({ exitCode, signal, trace: traceOf(output()) });
  });

  function update(worker: number, outcome: Outcome | null, isWorkerAlive: boolean): void {
    const state = workers.get(worker);
    if (!state) return;
    if (!isWorkerAlive) {
      state.isAlive = false;
      state.ended.resolve();
    }
    if (outcome) {
      state.onOutcome?.(outcome);
      state.onOutcome = undefined;
    }
    // A worker's end may be announced before the outcome of the job that ended it.
    if (!state.isAlive && !state.onOutcome) workers.delete(worker);
  }

  const send = (request: HostRequest) => void (isAlive && host.send(request));

  async function run(worker: number, state: WorkerState, job: Omit<HostRequest & { kind: 'run' }, 'kind' | 'worker'>) {
    const outcome = new Promise<Outcome>((resolve) => {
      if (state.isAlive) state.onOutcome = resolve;
      else resolve(workerEnded);
    });
    keepAlive(1);
    send({ kind: 'run', worker, ...job });
    try {
      return resultOf(await outcome);
    } finally {
      keepAlive(-1);
    }
  }

  function keepAlive(more: 1 | -1): void {
    running += more;
    for (const handle of [host, host.channel])
      if (running > 0) handle?.ref();
      else handle?.unref();
  }

  function startWorker(how: WorkerStart): WorkerProcess {
    const worker = ++started;
    const state: WorkerState = { isAlive, ended: Promise.withResolvers() };
    workers.set(worker, state);
    send({ kind: 'start', worker, ...how });
    return {
      run: (task, input, deadlineMs) => run(worker, state, { task, input, deadlineMs }),
      isAlive: () => state.isAlive,
      ended: state.ended.promise,
      end: async () => {
        if (!state.isAlive) return;
        keepAlive(1);
        send({ kind: 'end', worker });
        await state.ended.promise;
        keepAlive(-1);
      },
    };
  }

  return {
    startWorker,
    isAlive: () => isAlive,
    end: async () => {
      if (!isAlive) return;
      isAsked = true;
      keepAlive(1);
      host.kill('SIGKILL');
      await ended.promise;
    },
  };
}

function resultOf(outcome: Outcome): unknown {
  switch (outcome.kind) {
    case 'done':
      return outcome.result;
    case 'stopped':
      throw new JobEnded(outcome.reason, outcome.note);
    case 'failed':
      throw Object.assign(new Error(outcome.message), { name: outcome.name, stack: outcome.stack });
  }
}
