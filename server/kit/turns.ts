import { Refusal } from '#server/kit/http/refusal.ts';

export interface Turns {
  /** Runs the work when it is its turn, or throws `overloaded` after a short wait. */
  run<T>(sender: string, work: () => Promise<T>): Promise<T>;
}

interface Entry {
  sender: string;
  start(): void;
}

const retryAfterSeconds = 5;

/**
 * Limits heavy work that runs at once, in the process and for each sender (an office), so that no sender takes all places for long. First come,
 * first served, among those whose sender has a place left.
 */
export function openTurns({
  running: mostRunning,
  runningOfSender: mostOfSender,
  waiting: mostWaiting,
  waitMs,
}: {
  running: number;
  runningOfSender: number;
  waiting: number;
  waitMs: number;
}): Turns {
  const running: string[] = [];
  const waiting: Entry[] = [];
  const mayStart = (sender: string) =>
    running.length < mostRunning && running.filter((one) => one === sender).length < mostOfSender;
  const overloaded = () => new Refusal('overloaded', undefined, retryAfterSeconds);

  function startNext(): void {
    const next = waiting.find(({ sender }) => mayStart(sender));
    if (!next) return;
    waiting.splice(waiting.indexOf(next), 1);
    running.push(next.sender);
    next.start();
  }

  async function waitForTurn(sender: string): Promise<void> {
    if (waiting.length >= mostWaiting) throw overloaded();
    await new Promise<void>((resolve, reject) => {
      const tooLong = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(overloaded());
      }, waitMs);
      const entry: Entry = {
        sender,
        start: () => {
          clearTimeout(tooLong);
          resolve();
        },
      };
      waiting.push(entry);
    });
  }

  return {
    async run(sender, work) {
      if (mayStart(sender)) running.push(sender);
      else await waitForTurn(sender);
      try {
        return await work();
      } finally {
        running.splice(running.indexOf(sender), 1);
        startNext();
      }
    },
  };
}
