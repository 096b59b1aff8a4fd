import { setTimeout as sleep } from 'node:timers/promises';

/** A provider that takes one call after the other, each for this long. */
export function inTurn(ms: number): () => Promise<void> {
  let line = Promise.resolve();
  return () => (line = line.then(() => sleep(ms)));
}
