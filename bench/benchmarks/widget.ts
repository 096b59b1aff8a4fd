import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from '@playwright/test';
import { compareWithEmptyApp, launchChromium, measureLoad, medianRatios, readLoad } from '#bench/ground/browser.ts';
import { startEmptyApp } from '#bench/ground/empty-app.ts';
import { addOffices } from '#bench/ground/offices.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';
import { kB, median, ms, percentile, ratio, type Line } from '#bench/ground/report-lines.ts';

const rounds = 7;
const hostRounds = 15;
const loaderMaxBytes = 2_000;
/** A paint is at the end of a frame, so a shorter difference cannot be measured. */
const frameMs = 1000 / 60;

/** The chat on a practice's website: what its script weighs and costs the website, and the page that it opens in a frame. */
export async function widget(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const browser = await launchChromium();
  try {
    const [office] = await addOffices(ground, 1, 0);
    await ground.owner
      .updateTable('office')
      .set({ settings: JSON.stringify({ chatEnabled: true }) })
      .execute();
    const { url } = await ground.server();
    const script = await fetch(`${url}/widget.js`, { headers: { 'accept-encoding': 'gzip' } });
    const loaderBytes = Number(script.headers.get('content-length'));
    const emptyApp = await startEmptyApp(ground);
    const chat = { url: `${url}/widget/${office?.npi}`, shown: 'form' };
    const loads = await compareWithEmptyApp(browser, chat, { url: emptyApp.url, shown: 'h1' }, rounds);
    await emptyApp.stop();
    const before = medianRatios(loads, 'jsBeforePaint');
    const paint = medianRatios(loads, 'largestPaintMs');
    const snippet = `<script src="${url}/widget.js" data-office="${office?.npi}" async></script>`;
    return [
      {
        what: "the script of a practice's website, gz",
        figure: `${loaderBytes.toLocaleString('en')} B`,
        beside: '',
        aim: '≤ 2 kB',
        met: loaderBytes > 0 && loaderBytes <= loaderMaxBytes,
      },
      {
        what: 'the chat in its frame, JS gz before its first paint',
        figure: `${kB(before.ours)} = ${ratio(before.times)}`,
        beside: `empty React app ${kB(before.empty)}`,
        aim: '≤ 1.2x',
        met: before.times <= 1.2,
      },
      {
        what: 'its largest contentful paint at 4x CPU throttle',
        figure: `${ms(paint.ours)} = ${ratio(paint.times)}`,
        beside: `empty React app ${ms(paint.empty)}`,
        aim: '',
        met: null,
      },
      ...(await compareWebsites(browser, snippet)),
    ];
  } finally {
    await browser.close();
    await ground.close();
  }
}

/** A website with and without the script in turn. The difference must be within what the same page differs from load to load. */
async function compareWebsites(browser: Browser, snippet: string): Promise<Line[]> {
  const website = await serveWebsite(snippet);
  try {
    const open = async (path: string) =>
      measureLoad(browser, { url: `${website.url}${path}`, shown: 'footer' }, readPaint);
    const withChat: HostPaint[] = [];
    const without: HostPaint[] = [];
    for (let round = -1; round < hostRounds; round++) {
      const pair = { without: await open('/'), withChat: await open('/chat') };
      if (round < 0) continue;
      without.push(pair.without);
      withChat.push(pair.withChat);
    }
    const paints = (loads: HostPaint[]) => loads.map(({ largestPaintMs }) => largestPaintMs);
    const differenceMs = median(paints(withChat)) - median(paints(without));
    const spreadMs = percentile(paints(without), 75) - percentile(paints(without), 25);
    const measurableMs = Math.max(spreadMs, frameMs);
    const largestShift = (loads: HostPaint[]) => Math.max(...loads.map((load) => load.shift));
    const shift = largestShift(withChat);
    return [
      {
        what: "a website's largest contentful paint with the script, at 4x CPU throttle",
        figure: `${ms(median(paints(withChat)))}, ${differenceMs.toFixed(1)} ms more`,
        beside: `without it ${ms(median(paints(without)))}; the middle half of its ${hostRounds} loads spreads over ${ms(spreadMs)}`,
        aim: `no measurable difference: ≤ ${ms(measurableMs)} more, the larger of that spread and a frame`,
        met: withChat.every(({ hasButton }) => hasButton) && differenceMs <= measurableMs,
      },
      {
        what: 'its cumulative layout shift with the script',
        figure: `${shift} at most in ${hostRounds} loads`,
        beside: `without it ${largestShift(without)}`,
        aim: 'no measurable difference: 0 in every load',
        met: shift === 0,
      },
    ];
  } finally {
    website.close();
  }
}

interface HostPaint {
  largestPaintMs: number;
  shift: number;
  hasButton: boolean;
}

async function readPaint(page: Page): Promise<HostPaint> {
  const { largestPaintMs } = await readLoad(page);
  const hasButton = (await page.getByRole('button', { name: 'Chat with us' }).count()) === 1;
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const watcher = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        });
        watcher.observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 100);
      }),
  );
  return { largestPaintMs, shift, hasButton };
}

/** A page of a practice: a heading, a few paragraphs. `/chat` has the script too. */
async function serveWebsite(snippet: string): Promise<{ url: string; close: () => void }> {
  const paragraphs =
    '<p>We see children of all ages, five days a week, and always on the same day if they are ill.</p>';
  const page = (line: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>A practice</title><meta name="viewport" content="width=device-width, initial-scale=1">${line}</head>
<body><main><h1>Our practice</h1>${paragraphs.repeat(20)}</main><footer>1 Main Street</footer></body>
</html>`;
  const server = createServer((req, res) => {
    res.setHeader('content-type', 'text/html; charset=utf-8');
    res.end(page(req.url === '/chat' ? snippet : ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
