export interface WorkerStart {
  file: string;
  heapMb: number;
  /** The worker is ended if it does not start within this time. */
  longestStartMs: number;
}

/** What the server and its worker host send each other. `worker` is the number that the server gave to a worker process. */
export type HostRequest =
  | ({ kind: 'start'; worker: number } & WorkerStart)
  | { kind: 'run'; worker: number; task: string; input: unknown; deadlineMs: number }
  | { kind: 'end'; worker: number };

export interface HostReply {
  worker: number;
  /** False once the worker has ended; it takes no further jobs. */
  isAlive: boolean;
  /** How the running job ended; null if the worker ended without one. */
  outcome: Outcome | null;
}

export type Outcome =
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; name: string; message: string; stack: string }
  | { kind: 'stopped'; reason: 'deadline' | 'memory'; note: string };
