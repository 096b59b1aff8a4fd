import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { findChromium } from '#script/chromium.ts';
import { median } from './report-lines.ts';

/** Slowed down like a cheap phone, or the desk's old machine. */
const usualSlowdown = 4;
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

/** A page, its browser state, and the selector that shows it has loaded. */
export interface PageToOpen {
  url: string;
  shown: string;
  who?: BrowserContextOptions;
  /** How many times slower than this machine; 4 by default. */
  slowdown?: number;
}

/** The cost of one first load; sizes in bytes on the wire, times in ms since the navigation began. */
export interface PageLoad {
  /** JavaScript requested before the first contentful paint. */
  jsBeforePaint: number;
  js: number;
  css: number;
  firstPaintMs: number;
  largestPaintMs: number;
  /** When the page's main content was visible. */
  shownMs: number;
}

export const launchChromium = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await findChromium(), args: flags });

/** The browser state of a signed-in person. */
export function signedIn(url: string, token: string): BrowserContextOptions {
  const cookie = { name: '__Host-anteroom', value: token, domain: new URL(url).hostname, path: '/' };
  return {
    storageState: {
      cookies: [{ ...cookie, expires: -1, httpOnly: true, secure: true, sameSite: 'Lax' }],
      origins: [],
    },
  };
}

/** Opens a page as a first-time visitor on a slow machine, and runs `use` on it. */
export async function measureLoad<T>(
  browser: Browser,
  { url, shown, who, slowdown = usualSlowdown }: PageToOpen,
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
    // The library's own waiting would run 30 ms of script in the page before its first paint.
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

/** First loads of a page and the empty app in turn, so that noise affects both. The first load of each is not counted. */
export async function compareWithEmptyApp(
  browser: Browser,
  ours: PageToOpen,
  empty: PageToOpen,
  rounds: number,
): Promise<Loads> {
  const loads: Loads = { ours: [], empty: [] };
  for (let round = -1; round < rounds; round++) {
    const pair = {
      empty: await measureLoad(browser, empty, readLoad),
      ours: await measureLoad(browser, ours, readLoad),
    };
    if (round < 0) continue;
    loads.empty.push(pair.empty);
    loads.ours.push(pair.ours);
  }
  return loads;
}

export interface Loads {
  ours: PageLoad[];
  empty: PageLoad[];
}

/** Median of each round's ratio, and the medians of both sides to print. */
export function medianRatios(
  { ours, empty }: Loads,
  what: keyof PageLoad,
  beside: keyof PageLoad = what,
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

/** Runs in the page before its own code: records when the frame with the selector has been drawn. */
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

/** The page's cost so far. */
export const readLoad = (page: Page): Promise<PageLoad> => page.evaluate(loadSoFar);

/** Runs in the page. */
async function loadSoFar(): Promise<PageLoad> {
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
