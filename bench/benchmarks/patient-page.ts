import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { devices, type Browser } from '@playwright/test';
import {
  compareWithEmptyApp,
  medianRatios,
  launchChromium,
  readLoad,
  measureLoad,
  type PageToOpen,
} from '#bench/ground/browser.ts';
import { startEmptyApp } from '#bench/ground/empty-app.ts';
import { formsOffice } from '#bench/ground/forms-office.ts';
import { kB, ms, ratio, type Line } from '#bench/ground/report-lines.ts';
import { addOffices } from '#bench/ground/offices.ts';
import { askForForms, openForm } from '#bench/ground/patient-form.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';
import { projectRoot } from '#server/kit/project-root.ts';

const rounds = 7;
/** The form's own file (engine, renderer, saving) on 2026-11-24, when it was three files. */
const formFileBaseline = 19_310;
/** What a phone loaded before the redesign of 2026-11-23 and before the renovation (decision 0038). */
const beforeRedesign = { visit: 98_200, form: 116_300 };
const formBeforeRenovation = 113_400;
const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7'];
const phone = { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch };

/** The patient's page on a phone, up to the first paint and until a visit is live, compared with an empty React app. */
export async function patientPage(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const browser = await launchChromium();
  try {
    const [office] = await addOffices(ground, 1, 0);
    const { url } = await ground.server();
    const emptyApp = await startEmptyApp(ground);
    const empty = { url: emptyApp.url, shown: 'h1', who: phone };
    const arrival = { url: `${url}/c/${office?.npi}`, shown: 'form', who: phone };

    const loads = await compareWithEmptyApp(browser, arrival, empty, rounds);
    const inAll = await checkIn(browser, arrival);
    const withForms = await formsOffice(ground);
    await askForForms(url, withForms, ['health-history', 'insurance-card', 'consent']);
    const toForm = { url: `${url}/c/${withForms.npi}`, shown: 'form', who: phone };
    const asked = await openForm(browser, toForm, 'health-history', true);
    const ahead = await openForm(browser, toForm, 'health-history', false);
    await emptyApp.stop();

    const before = medianRatios(loads, 'jsBeforePaint');
    const paint = medianRatios(loads, 'largestPaintMs');
    const form = medianRatios(loads, 'shownMs');
    const beside = `empty React app ${kB(before.empty)}`;
    const formFile = sizeOfFormFile();
    const timesInAll = inAll / before.empty;
    const timesWithForm = asked.first / before.empty;
    return [
      {
        what: 'patient page, JS gz before its first paint',
        figure: `${kB(before.ours)} = ${ratio(before.times)}`,
        beside,
        aim: '≤ 1.15x',
        met: before.times <= 1.15,
      },
      {
        what: 'in all, from the address to a running visit with its socket',
        figure: `${kB(inAll)} = ${ratio(timesInAll)}`,
        beside,
        aim: '≤ 1.6x',
        met: timesInAll <= 1.6,
      },
      {
        what: 'the same, compared with before the redesign',
        figure: `${kB(inAll)} = ${ratio(inAll / beforeRedesign.visit)}`,
        beside: `${kB(beforeRedesign.visit)} then`,
        aim: '≤ 1x',
        met: inAll <= beforeRedesign.visit,
      },
      {
        what: 'and on to a form (Health History), until its first page stands',
        figure: `${kB(asked.first)} = ${ratio(timesWithForm)}`,
        beside,
        aim: '≤ 1.6x',
        met: timesWithForm <= 1.6,
      },
      {
        what: 'the same, compared with before the redesign',
        figure: `${kB(asked.first)} = ${ratio(asked.first / beforeRedesign.form)}`,
        beside: `${kB(beforeRedesign.form)} then`,
        aim: '≤ 1x',
        met: asked.first <= beforeRedesign.form,
      },
      {
        what: 'the same, compared with before the renovation',
        figure: `${kB(asked.first)} = ${ratio(asked.first / formBeforeRenovation)}`,
        beside: `${kB(formBeforeRenovation)} then`,
        aim: '≤ 1x',
        met: asked.first <= formBeforeRenovation,
      },
      {
        what: "the form's own file: the engine and the renderer, for a form that needs nothing else",
        figure: `${kB(formFile)} = ${ratio(formFile / formFileBaseline)}`,
        beside: `${kB(formFileBaseline)} on 2026-11-24`,
        aim: '≤ 1.1x',
        met: formFile <= 1.1 * formFileBaseline,
      },
      {
        what: 'with all that a form may need later, or without a network, fetched while the page is idle',
        figure: `${kB(ahead.whole)} = ${ratio(ahead.whole / before.empty)}`,
        beside,
        aim: '',
        met: null,
      },
      {
        what: 'its largest contentful paint at 4x CPU throttle',
        figure: `${ms(paint.ours)} = ${ratio(paint.times)}`,
        beside: `empty React app ${ms(paint.empty)}`,
        aim: '≤ 1.6x',
        met: paint.times <= 1.6,
      },
      {
        what: 'its form on screen',
        figure: `${ms(form.ours)} = ${ratio(form.times)}`,
        beside: `the empty app's sentence ${ms(form.empty)}`,
        aim: '',
        met: null,
      },
    ];
  } finally {
    await browser.close();
    await ground.close();
  }
}

/** As the server sends it to a browser that asks for gzip. A stylesheet of the panel has a file of the same name with hardly a line. */
function sizeOfFormFile(): number {
  const sizes = globSync(join(projectRoot, 'dist/web/assets/form-????????.js.gz')).map((file) => statSync(file).size);
  if (sizes.length === 0) throw new Error('there is no file of the form in dist/web/assets');
  return Math.max(...sizes);
}

/** A whole check-in on one phone; returns the bytes of JavaScript it fetched. */
async function checkIn(browser: Browser, arrival: PageToOpen): Promise<number> {
  return measureLoad(browser, arrival, async (page) => {
    await page.getByLabel('First name').fill('Ava');
    await page.getByLabel('Last name').fill('Bench');
    await page.getByLabel('Mobile number').fill('(646) 555-0142');
    await page.getByLabel('Date of birth').fill('03/02/1990');
    await page.getByRole('button', { name: "I'm here" }).click();
    const socket = page.waitForEvent('websocket');
    await page.waitForURL('**/visit/*');
    await socket;
    await page.waitForLoadState('networkidle');
    return (await readLoad(page)).js;
  });
}
