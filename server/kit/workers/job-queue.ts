/** More waiting jobs are refused, and the caller retries. */
const maxWaiting = 200;
const maxWaitingPerOwner = 20;
const longestWaitMs = 20_000;
const maxTurnsKept = 1_000;
/** How long all jobs of an owner must leave one process free after one of its jobs was ended. */
const suspectMs = 600_000;

export interface Job {
  start(): Promise<void>;
  /** Called instead of `start` when the job waited too long or the queue closes. */
  refuse(): void;
  /** Starts only while another process stays free. */
  leavesOneFree: boolean;
}

export interface JobQueue {
  /** Starts the job when it is its owner's turn. Returns false if too many jobs wait already. */
  add(owner: string, job: Job): boolean;
  /** From now on and for ten minutes the owner's jobs leave one process free. */
  suspect(owner: string): void;
  refuseAll(): void;
  isBusy(): boolean;
}

/** A job and the timer that refuses it. The timer is cleared at its start, or it would keep the job's result in memory. */
interface WaitingJob {
  job: Job;
  tooLong: NodeJS.Timeout;
}

/** Jobs in turns: owners take turns, and each has one running job at a time. At most `processes` jobs run. */
export function openJobQueue(processes: number): JobQueue {
  const waiting = new Map<string, WaitingJob[]>();
  /** A running number of each owner's last job; the lowest goes first. */
  const lastTurns = new Map<string, number>();
  let turns = 0;
  const busy = new Set<string>();
  const suspectUntil = new Map<string, number>();

  function mustLeaveOneFree(owner: string, job: Job): boolean {
    const until = suspectUntil.get(owner);
    if (until !== undefined && until < performance.now()) suspectUntil.delete(owner);
    return job.leavesOneFree || suspectUntil.has(owner);
  }

  function startWhatMayStart(): void {
    const inTurn = [...waiting].sort(([a], [b]) => (lastTurns.get(a) ?? 0) - (lastTurns.get(b) ?? 0));
    for (const [owner, jobs] of inTurn) {
      const free = processes - busy.size;
      if (free === 0) return;
      const [next] = jobs;
      if (!next || busy.has(owner)) continue;
      const { job } = next;
      if (free === 1 && processes > 1 && mustLeaveOneFree(owner, job)) continue;
      withdraw(owner, next);
      noteTurn(owner);
      busy.add(owner);
      void job.start().finally(() => {
        busy.delete(owner);
        startWhatMayStart();
      });
    }
  }

  function noteTurn(owner: string): void {
    lastTurns.delete(owner);
    lastTurns.set(owner, ++turns);
    const [oldest] = lastTurns.keys();
    if (lastTurns.size > maxTurnsKept && oldest !== undefined) lastTurns.delete(oldest);
  }

  function withdraw(owner: string, entry: WaitingJob): void {
    clearTimeout(entry.tooLong);
    const others = (waiting.get(owner) ?? []).filter((other) => other !== entry);
    if (others.length > 0) waiting.set(owner, others);
    else waiting.delete(owner);
  }

  return {
    add(owner, job) {
      const all = [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0);
      const own = waiting.get(owner) ?? [];
      if (all >= maxWaiting || own.length >= maxWaitingPerOwner) return false;
      const refuse = () => {
        withdraw(owner, entry);
        job.refuse();
      };
      const entry: WaitingJob = { job, tooLong: setTimeout(refuse, longestWaitMs).unref() };
      waiting.set(owner, [...own, entry]);
      startWhatMayStart();
      return true;
    },
    suspect: (owner) => void suspectUntil.set(owner, performance.now() + suspectMs),
    refuseAll() {
      for (const { job, tooLong } of [...waiting.values()].flat()) {
        clearTimeout(tooLong);
        job.refuse();
      }
      waiting.clear();
    },
    isBusy: () => busy.size > 0,
  };
}
