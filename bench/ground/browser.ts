import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { findChromium } from '#script/chromium.ts';
import { median } from './report-lines.ts';

/** As slow as a cheap phone, or the desk's old machine. */
const slowdown = 4;
const settledMs = 600;
const patienceMs = 30_000;

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** A page, who opens it, and by what it is seen to be there. */
export interface PageToOpen {
  url: string;
  shown: string;
  who?: BrowserContextOptions;
}

/** What one first load took; sizes in bytes as they came over the wire, times in ms since the navigation began. */
export interface Load {
  /** JavaScript asked for before the first contentful paint. */
  jsBeforePaint: number;
  js: number;
  css: number;
  firstPaintMs: number;
  largestPaintMs: number;
  /** When what the page is for was on screen. */
  shownMs: number;
}

export const launch = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await findChromium(), args: flags });

/** Opens a page as someone who was never here, on a slow machine, and works on it until `use` is through. */
export async function visit<T>(
  browser: Browser,
  { url, shown, who }: PageToOpen,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1366, height: 768 },
    ...who,
    extraHTTPHeaders: { 'accept-encoding': 'gzip' },
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    // The library's own waiting would run 30 ms of its script in the page, on the way to its first paint.
    await devtools.send('Runtime.enable');
    await devtools.send('Runtime.addBinding', { name: 'tellShown' });
    const isShown = new Promise((resolve) => devtools.once('Runtime.bindingCalled', resolve));
    await page.addInitScript(watchFor, shown);
    await page.goto(url, { waitUntil: 'commit' });
    await inTime(isShown, `${shown} at ${url}`);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(settledMs);
    return await use(page);
  } finally {
    await context.close();
  }
}

/** First loads of a page and of the empty app in turn: the machine's moods meet both. One load of each, not counted, comes first. */
export async function besideEmpty(
  browser: Browser,
  ours: PageToOpen,
  empty: PageToOpen,
  rounds: number,
): Promise<Loads> {
  const loads: Loads = { ours: [], empty: [] };
  for (let round = -1; round < rounds; round++) {
    const pair = { empty: await visit(browser, empty, readLoad), ours: await visit(browser, ours, readLoad) };
    if (round < 0) continue;
    loads.empty.push(pair.empty);
    loads.ours.push(pair.ours);
  }
  return loads;
}

export interface Loads {
  ours: Load[];
  empty: Load[];
}

/** Median of the ratios of each round, and the medians of both sides to print. */
export function compare(
  { ours, empty }: Loads,
  what: keyof Load,
  beside: keyof Load = what,
): { times: number; ours: number; empty: number } {
  return {
    times: median(ours.map((load, i) => load[what] / (empty[i]?.[beside] ?? Number.NaN))),
    ours: median(ours.map((load) => load[what])),
    empty: median(empty.map((load) => load[beside])),
  };
}

async function inTime(event: Promise<unknown>, what: string): Promise<void> {
  const late = sleep(patienceMs, 'late', { ref: false });
  if ((await Promise.race([event, late])) === 'late') throw new Error(`${what} did not appear`);
}

/** Runs in the page before anything else of it: notes when the frame that first holds it has been drawn. */
function watchFor(selector: string): void {
  const seen = () => {
    if (!document.querySelector(selector)) return;
    watcher.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => {
        performance.mark('shown');
        (globalThis as unknown as { tellShown: (word: string) => void }).tellShown('');
      }),
    );
  };
  const watcher = new MutationObserver(seen);
  watcher.observe(document, { childList: true, subtree: true });
}

/** What the page has cost up to now. */
export const readLoad = (page: Page): Promise<Load> => page.evaluate(loadSoFar);

/** Runs in the page. */
async function loadSoFar(): Promise<Load> {
  const paints = await new Promise<PerformanceEntry[]>((resolve) =>
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    }),
  );
  const at = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
  const firstPaintMs = at('first-contentful-paint');
  const fetched = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const weigh = (kind: RegExp, untilMs = Infinity) =>
    fetched
      .filter(({ name, startTime }) => kind.test(name) && startTime < untilMs)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  return {
    jsBeforePaint: weigh(/\.js$/, firstPaintMs),
    js: weigh(/\.js$/),
    css: weigh(/\.css$/),
    firstPaintMs,
    largestPaintMs: paints.at(-1)?.startTime ?? Number.NaN,
    shownMs: at('shown'),
  };
}
