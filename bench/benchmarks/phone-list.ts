import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { launchChromium, signedIn } from '#bench/ground/browser.ts';
import { addOffices } from '#bench/ground/offices.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';
import { median, ms, ratio, type Line } from '#bench/ground/report-lines.ts';
import { projectRoot } from '#server/kit/project-root.ts';

const rows = 50_000;
const rounds = 9;

/**
 * A CSV of 50,000 numbers and times in Chromium: read by the panel's own worker, compared with papaparse alone in a worker; and the longest
 * task of the page while such a file is uploaded in the form.
 */
export async function phoneList(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const browser = await launchChromium();
  try {
    const [office] = await addOffices(ground, 1, 0);
    if (!office) throw new Error('there is no office');
    await sql`update office set settings = settings || '{"adminPanelType":"sms"}' where id = ${office.id}`.execute(
      ground.owner,
    );
    const { url } = await ground.server();

    const context = await browser.newContext();
    const blank = await context.newPage();
    // A page of its own: the panel's rules allow no script that it does not ship.
    await blank.route('http://bench.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>bench</p>' }),
    );
    await blank.goto('http://bench.test/');
    const [ours, alone] = await compareWorkers(blank);

    const desk = await (await browser.newContext(signedIn(url, office.token))).newPage();
    await desk.goto(`${url}/sms-dashboard`);
    const upload = desk.locator('input[type=file]');
    await upload.waitFor({ state: 'attached' });
    await desk.waitForTimeout(1_000);
    await desk.evaluate(watchTasks);
    // By its path: a buffer would be handed over by script in the page.
    const file = join(ground.env.dataDir, 'list.csv');
    writeFileSync(file, csv());
    await upload.setInputFiles(file);
    await desk.getByText('One send takes 10,000 rows at most.', { exact: false }).waitFor();
    await desk.waitForTimeout(500);
    const longest = await desk.evaluate(longestTask);

    const times = median(ours.map((took, i) => took / (alone[i] ?? Number.NaN)));
    return [
      {
        what: `a CSV of ${rows.toLocaleString('en')} rows read in a worker of the browser`,
        figure: `${ms(median(ours))} = ${ratio(times)}`,
        beside: `papaparse alone ${ms(median(alone))}`,
        aim: '≤ 1.5x',
        met: times <= 1.5,
      },
      {
        what: 'the longest task of the page meanwhile, and while its rows appear in the form',
        figure: longest === 0 ? '< 50 ms' : ms(longest),
        beside: '',
        aim: '≤ 50 ms',
        met: longest <= 50,
      },
    ];
  } finally {
    await browser.close();
    await ground.close();
  }
}

/** As Excel saves it: a header, a number in its usual spelling, and a time. */
function csv(): string {
  const tomorrow = new Date(Date.now() + 86_400_000);
  const day = `${tomorrow.getUTCMonth() + 1}/${tomorrow.getUTCDate()}/${tomorrow.getUTCFullYear()}`;
  const lines = Array.from({ length: rows }, (_, i) => {
    const phone = `(646) ${200 + (i % 700)}-${String(i % 10_000).padStart(4, '0')}`;
    return `${phone},${day} ${1 + (i % 7)}:${String((i * 5) % 60).padStart(2, '0')} PM`;
  });
  return ['Phone,Send at', ...lines].join('\r\n');
}

/** Both workers on the same bytes in turn, from the bytes' arrival in the worker to the page having all rows. The first round warms up. */
async function compareWorkers(page: Page): Promise<[ours: number[], alone: number[]]> {
  const assets = join(projectRoot, 'dist/web/assets');
  const built = readdirSync(assets).find((name) => /^phone-list-worker.*\.js$/.test(name));
  if (!built) throw new Error('the panel is not built: run script/build');
  const peer = `${readFileSync(join(projectRoot, 'node_modules/papaparse/papaparse.min.js'), 'utf8')}
    self.onmessage = ({ data }) => {
      const { data: rows } = Papa.parse(new TextDecoder().decode(data.bytes));
      self.postMessage({ rows });
    };`;
  const scripts = { ours: readFileSync(join(assets, built), 'utf8'), peer };
  const took: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++)
    for (const [i, script] of [scripts.ours, scripts.peer].entries()) {
      const time = await page.evaluate(timeWorker, { script, text: csv() });
      if (round > 0) took[i]?.push(time);
    }
  return took;
}

/** Runs in the page. Starting the worker is not counted. */
async function timeWorker({ script, text }: { script: string; text: string }): Promise<number> {
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), { type: 'classic' });
  const ask = (of: string) =>
    new Promise<number>((resolve, reject) => {
      const { buffer } = new TextEncoder().encode(of);
      const started = performance.now();
      worker.onmessage = ({ data }: MessageEvent<{ rows?: unknown; error?: string }>) => {
        if (data.rows) resolve(performance.now() - started);
        else reject(new Error(data.error));
      };
      worker.onerror = (error) => reject(new Error(error.message));
      worker.postMessage({ bytes: buffer, timeZone: 'America/New_York', appointmentDay: null }, [buffer]);
    });
  await ask(text.slice(0, 2_000));
  const took = await ask(text);
  worker.terminate();
  return took;
}

/** Runs in the page. */
function watchTasks(): void {
  const tasks: number[] = [];
  Object.assign(globalThis, { benchTasks: tasks });
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
}

/** Runs in the page: ms; 0 if none took 50 ms or more. */
const longestTask = (): number => Math.max(0, ...(globalThis as unknown as { benchTasks: number[] }).benchTasks);
