import { Refusal } from '#server/kit/http/refusal.ts';

export interface FairQueue {
  /** Runs the work when it is its sender's turn, or throws `overloaded`. */
  run<T>(sender: string, work: () => Promise<T>): Promise<T>;
}

interface Entry {
  sender: string;
  /** The round it is served in. */
  round: number;
  start(): void;
  refuse(): void;
}

/**
 * Limits concurrent work of many senders (networks, people); a few more requests wait, the rest are asked to retry. Each round serves one request of each sender, and when all
 * places are taken, a sender with fewer waiting requests takes the newest place of the one with the most: however much other senders
 * send, each of them delays a newcomer by one request.
 */
export function openFairQueue({
  running: mostRunning,
  waiting: mostWaiting,
  waitingOfSender: mostOfSender,
}: {
  running: number;
  waiting: number;
  waitingOfSender: number;
}): FairQueue {
  let running = 0;
  const waiting: Entry[] = [];
  let round = 0;
  /** The round of each sender's newest request, if it is this round or a later one. */
  const newestRounds = new Map<string, number>();

  const waitingOf = (sender: string) => waiting.filter((entry) => entry.sender === sender).length;

  function nextRoundOf(sender: string): number {
    const newest = newestRounds.get(sender);
    const next = newest === undefined ? round : newest + 1;
    newestRounds.set(sender, next);
    return next;
  }

  /** Refuses the newest request of the sender with the most; false if none has more than the newcomer would. */
  function makeRoom(newcomers: number): boolean {
    const [crowded] = waiting.toSorted((a, b) => waitingOf(b.sender) - waitingOf(a.sender));
    if (!crowded || waitingOf(crowded.sender) <= newcomers) return false;
    const newest = waiting.findLastIndex(({ sender }) => sender === crowded.sender);
    for (const displaced of waiting.splice(newest, 1)) {
      newestRounds.set(displaced.sender, displaced.round - 1);
      displaced.refuse();
    }
    return true;
  }

  async function waitForTurn(sender: string): Promise<void> {
    const own = waitingOf(sender);
    const hasRoom = own < mostOfSender && (waiting.length < mostWaiting || makeRoom(own + 1));
    if (!hasRoom) throw new Refusal('overloaded', undefined, 3);
    await new Promise<void>((start, fail) => {
      waiting.push({
        sender,
        round: nextRoundOf(sender),
        start,
        refuse: () => fail(new Refusal('overloaded', undefined, 3)),
      });
    });
  }

  /** Hands a slot to the oldest request of the earliest round. */
  function startNext(): void {
    const [next] = waiting.toSorted((a, b) => a.round - b.round);
    if (!next) return void running--;
    waiting.splice(waiting.indexOf(next), 1);
    round = next.round;
    for (const [sender, newest] of newestRounds) if (newest < round) newestRounds.delete(sender);
    next.start();
  }

  return {
    async run(sender, work) {
      if (running >= mostRunning) await waitForTurn(sender);
      else {
        running++;
        nextRoundOf(sender);
      }
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}
