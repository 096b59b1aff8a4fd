import { setTimeout as sleep } from 'node:timers/promises';

/** A provider that takes one call after the other, each for this long. */
export function inTurn(ms: number): () => Promise<void> {
  let queue = Promise.resolve();
  return () => (queue = queue.then(() => sleep(ms)));
}
