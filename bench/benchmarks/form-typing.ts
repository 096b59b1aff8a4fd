import { devices, type Page } from '@playwright/test';
import { arrive } from '#server/features/queue/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { launchChromium, measureLoad } from '#bench/ground/browser.ts';
import { formsOffice } from '#bench/ground/forms-office.ts';
import { longForm } from './forms-engine.ts';
import { measureInteractions, type Interactions } from '#bench/ground/interactions.ts';
import { median, ms, type Line } from '#bench/ground/report-lines.ts';
import { askForForms } from '#bench/ground/patient-form.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';

const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7'];
const phones = 3;

/** Typing on a phone into a form of 200 items, 60 with conditions: before any error was shown, and while errors are shown. */
export async function formTyping(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const browser = await launchChromium();
  try {
    const office = await formsOffice(ground);
    const { url } = await ground.server();
    const loaded = await fetch(`${url}/api/office/forms`, {
      method: 'POST',
      headers: { ...office.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ text: JSON.stringify({ ...longForm(), id: 'long', title: 'Long', status: 'active' }) }),
    });
    if (!loaded.ok) throw new Error(`the form was not loaded: ${await loaded.text()}`);
    await askForForms(url, office, ['long']);

    const runs: Record<'calm' | 'told', Interactions[]> = { calm: [], told: [] };
    for (let nth = 0; nth < phones; nth++) {
      const scope = officeScope(ground.services, office.officeId, { kind: 'patient', id: null, name: null }, 'bench');
      const { token } = await scope.transaction((tx) =>
        arrive(tx, scope, {
          firstName: 'Ada',
          lastName: 'Byron',
          birthDate: '1990-12-10',
          household: [],
          language: 'en',
          phone: `+1646555${String(nth).padStart(4, '0')}`,
        }),
      );
      const listed = await fetch(`${url}/api/visit/${token}/forms`);
      const { members } = (await listed.json()) as { members: { memberId: string }[] };
      const address = `${url}/visit/${token}/forms/${members[0]?.memberId}/long`;
      const who = { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch };
      await measureLoad(browser, { url: address, shown: 'form progress', who }, async (page) => {
        // A yes shows the next field.
        for (const name of ['Question 0', 'Question 3'])
          await page.getByRole('group', { name }).getByRole('radio', { name: 'Yes' }).check();
        await page.getByLabel('Question 1').focus();
        runs.calm.push(await measureInteractions(page, typing));
        await page.getByRole('button', { name: 'Next' }).click();
        await page.locator('[data-wrong]').first().waitFor();
        await page.getByLabel('Question 4').focus();
        runs.told.push(await measureInteractions(page, typing));
      });
    }
    return [
      lineOf('a keystroke in a form of 200 items with 60 conditions, to its paint at 4x CPU throttle, p95', runs.calm),
      lineOf('the same while the page says what is missing', runs.told),
    ];
  } finally {
    await browser.close();
    await ground.close();
  }
}

const words = 'It began on Sunday evening, after dinner, and was better the next day; since then it comes and goes.';
const typing = Array.from(words, (letter) => (page: Page) => page.keyboard.type(letter));

function lineOf(what: string, runs: readonly Interactions[]): Line {
  const p95 = median(runs.map((run) => run.p95Ms));
  const worst = Math.max(...runs.flatMap(({ slowest }) => slowest.map((one) => one.ms)));
  const met = p95 <= 50;
  return {
    what,
    figure: `${ms(p95)}; the slowest of ${runs.length * words.length} ${ms(worst)}`,
    beside: '',
    aim: '≤ 50 ms',
    met,
  };
}
