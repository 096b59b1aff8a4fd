/** Started by the hostile drill: a desk that reads its queue, from its first message to the second, and then reports the times. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface DeskReads {
  url: string;
  headers: Record<string, string>;
}

export interface ReadTimes {
  tookMs: number[];
  failed: number;
}

process.once('message', async ({ url, headers }: DeskReads) => {
  const tookMs: number[] = [];
  let failed = 0;
  let isOver = false;
  process.once('message', () => (isOver = true));
  do {
    const from = performance.now();
    const status = await fetch(url, { headers }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    );
    tookMs.push(performance.now() - from);
    if (status !== 200) failed += 1;
    await sleep(10);
  } while (!isOver);
  const times: ReadTimes = { tookMs, failed };
  process.send?.(times, () => process.disconnect());
});
