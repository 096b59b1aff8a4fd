import type { Page } from '@playwright/test';

export interface Interaction {
  ms: number;
  /** The key, or the event and its target. */
  what: string;
  /** The role or the tag of its target. */
  on: string;
}

export interface Interactions {
  /** Interaction to Next Paint: the slowest, ignoring one for every fifty. */
  inpMs: number;
  count: number;
  slowest: Interaction[];
  /** The 95th percentile. */
  p95Ms: number;
}

/** Runs the interactions in sequence, each once the one before is on screen, and returns their times until the next paint. */
export async function measureInteractions(page: Page, all: ((page: Page) => Promise<void>)[]): Promise<Interactions> {
  await page.evaluate(watchInteractions);
  for (const one of all) {
    await one(page);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
  }
  const took = await page.evaluate(() => [...(globalThis as unknown as WatchedPage).took.values()]);
  const slowest = took.toSorted((a, b) => b.ms - a.ms);
  const nth = (left: number) => slowest[left]?.ms ?? unrecordedMs;
  return {
    inpMs: nth(Math.floor(all.length / 50)),
    p95Ms: nth(Math.floor(all.length / 20)),
    count: all.length,
    slowest,
  };
}

/** Interactions under 16 ms are not recorded. */
export const unrecordedMs = 16;

interface WatchedPage {
  took: Map<number, Interaction>;
}

/** Runs in the page. */
function watchInteractions(): void {
  const took: WatchedPage['took'] = new Map();
  const keys = new Map<number, string>();
  addEventListener('keydown', ({ timeStamp, key }) => keys.set(Math.round(timeStamp), key), { capture: true });
  const options = { type: 'event', durationThreshold: 16, buffered: true };
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, target, startTime } of list.getEntries() as PerformanceEventTiming[]) {
      if (interactionId === 0 || duration <= (took.get(interactionId)?.ms ?? 0)) continue;
      const hit = target instanceof Element ? (target.getAttribute('role') ?? target.tagName.toLowerCase()) : '';
      took.set(interactionId, { ms: duration, what: keys.get(Math.round(startTime)) ?? `${name} on ${hit}`, on: hit });
    }
  }).observe(options);
  Object.assign(globalThis, { took });
}
