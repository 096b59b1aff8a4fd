import { Refusal } from '#server/kit/http/refusal.ts';

export interface PictureQueue {
  /** Runs the work when it is its network's turn, or throws `overloaded`. */
  run<T>(network: string, work: () => Promise<T>): Promise<T>;
}

interface Entry {
  network: string;
  /** The round it is served in. */
  round: number;
  start(): void;
  refuse(): void;
}

/**
 * Limits concurrent work; a few more requests wait, the rest are asked to retry. Each round serves one request of each network, and when all
 * places are taken, a network with fewer waiting requests takes the newest place of the one with the most: however much other networks
 * send, each of them delays a newcomer by one request.
 */
export function openPictureQueue({
  running: mostRunning,
  waiting: mostWaiting,
  waitingOfNetwork: mostOfNetwork,
}: {
  running: number;
  waiting: number;
  waitingOfNetwork: number;
}): PictureQueue {
  let running = 0;
  const waiting: Entry[] = [];
  let round = 0;
  /** The round of each network's newest request, if it is this round or a later one. */
  const newestRounds = new Map<string, number>();

  const waitingOf = (network: string) => waiting.filter((entry) => entry.network === network).length;

  function nextRoundOf(network: string): number {
    const newest = newestRounds.get(network);
    const next = newest === undefined ? round : newest + 1;
    newestRounds.set(network, next);
    return next;
  }

  /** Refuses the newest request of the network with the most; false if none has more than the newcomer would. */
  function makeRoom(newcomers: number): boolean {
    const [crowded] = waiting.toSorted((a, b) => waitingOf(b.network) - waitingOf(a.network));
    if (!crowded || waitingOf(crowded.network) <= newcomers) return false;
    const newest = waiting.findLastIndex(({ network }) => network === crowded.network);
    for (const displaced of waiting.splice(newest, 1)) {
      newestRounds.set(displaced.network, displaced.round - 1);
      displaced.refuse();
    }
    return true;
  }

  async function waitForTurn(network: string): Promise<void> {
    const own = waitingOf(network);
    const hasRoom = own < mostOfNetwork && (waiting.length < mostWaiting || makeRoom(own + 1));
    if (!hasRoom) throw new Refusal('overloaded', undefined, 3);
    await new Promise<void>((start, fail) => {
      waiting.push({
        network,
        round: nextRoundOf(network),
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
    for (const [network, newest] of newestRounds) if (newest < round) newestRounds.delete(network);
    next.start();
  }

  return {
    async run(network, work) {
      if (running >= mostRunning) await waitForTurn(network);
      else {
        running++;
        nextRoundOf(network);
      }
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}
